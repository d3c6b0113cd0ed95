package search

import (
	"cmp"
	"slices"
	"strings"
	"unicode/utf8"
)

// mostPlaces bounds the places of one term that are looked at.
const mostPlaces = 64

// places finds the terms in norm and joins what touches or overlaps, so that
// the bigrams of a word become one mark.
func places(norm string, terms []string) [][2]int {
	var all [][2]int
	for _, t := range terms {
		for at, n := 0, 0; n < mostPlaces && t != ""; n++ {
			i := strings.Index(norm[at:], t)
			if i < 0 {
				break
			}
			all = append(all, [2]int{at + i, at + i + len(t)})
			at += i + len(t)
		}
	}
	slices.SortFunc(all, func(a, b [2]int) int { return cmp.Or(a[0]-b[0], a[1]-b[1]) })
	var out [][2]int
	for _, m := range all {
		if last := len(out) - 1; last >= 0 && m[0] <= out[last][1] {
			out[last][1] = max(out[last][1], m[1])
		} else {
			out = append(out, m)
		}
	}
	return out
}

// window picks at most limit code points of norm that hold the most marked
// bytes, with some room before the first mark.
func window(norm string, marks [][2]int, limit int) (from, to int) {
	best, most := 0, -1
	for i, m := range marks {
		end, sum := forward(norm, m[0], limit*3/4), 0
		for _, other := range marks[i:] {
			if other[1] > end {
				break
			}
			sum += other[1] - other[0]
		}
		if sum > most {
			best, most = m[0], sum
		}
	}
	from = back(norm, best, limit/4)
	return from, forward(norm, from, limit)
}

// forward is the offset n code points after at, or the end.
func forward(s string, at, n int) int {
	for ; n > 0 && at < len(s); n-- {
		_, size := utf8.DecodeRuneInString(s[at:])
		at += size
	}
	return at
}

// back is the offset n code points before at, or 0.
func back(s string, at, n int) int {
	for ; n > 0 && at > 0; n-- {
		_, size := utf8.DecodeLastRuneInString(s[:at])
		at -= size
	}
	return at
}
