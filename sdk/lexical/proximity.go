package lexical

import "strings"

// occurrences is the maximum number of places of a term that are considered in one text.
const occurrences = 24

// Proximity measures how close neighbouring query terms are in a text: the mean over the pairs
// (t_i, t_i+1) of min(w_i, w_i+1) · 1/(1 + gap/reach), weighted by the same minima, so in [0, 1].
// gap is the smallest number of bytes between the two in either order; a missing pair counts 0.
// It follows Tao and Zhai's minimum pair distance (SIGIR 2007).
func Proximity(body string, terms []string, weights []float64, reach float64) float64 {
	var sum, total float64
	var previous []int
	for i, term := range terms {
		places := find(body, term)
		if i > 0 {
			w := min(weights[i-1], weights[i])
			total += w
			if gap, ok := closest(previous, len(terms[i-1]), places, len(term)); ok {
				sum += w / (1 + float64(gap)/reach)
			}
		}
		previous = places
	}
	if total == 0 {
		return 0
	}
	return sum / total
}

// find returns the first offsets of term in body, ascending.
func find(body, term string) []int {
	var out []int
	for at := 0; len(out) < occurrences; {
		i := strings.Index(body[at:], term)
		if i < 0 || term == "" {
			break
		}
		out = append(out, at+i)
		at += i + len(term)
	}
	return out
}

// closest returns the smallest gap between a place of one term and a place of the other.
func closest(a []int, lenA int, b []int, lenB int) (gap int, ok bool) {
	gap = 1 << 30
	for i, j := 0, 0; i < len(a) && j < len(b); {
		if a[i] <= b[j] {
			gap = min(gap, max(b[j]-a[i]-lenA, 0))
			i++
		} else {
			gap = min(gap, max(a[i]-b[j]-lenB, 0))
			j++
		}
		ok = true
	}
	return gap, ok
}
