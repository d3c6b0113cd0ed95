package answer

import "iter"

// Lengths, in characters, from which on a word may have one slip, or two.
const (
	oneSlip  = 5
	twoSlips = 8
)

// Closest returns the word of a vocabulary that a misspelt one was meant to be: the first of those with the fewest
// letters to change, add, drop or swap, at most one, and two in a long word. It reports false where there is none, and
// where the word itself is there.
func Closest(word string, vocabulary iter.Seq[string]) (meant string, ok bool) {
	w := []rune(word)
	best := 0
	switch {
	case len(w) >= twoSlips:
		best = 3
	case len(w) >= oneSlip:
		best = 2
	}
	for other := range vocabulary {
		if best == 0 || other == word {
			return "", false
		}
		o := []rune(other)
		if len(o)-len(w) >= best || len(w)-len(o) >= best {
			continue
		}
		if d := slips(w, o); d < best {
			best, meant, ok = d, other, true
		}
	}
	return meant, ok
}

// slips counts the letters to change, add, drop or swap between two words.
func slips(a, b []rune) int {
	before, last, next := make([]int, len(b)+1), make([]int, len(b)+1), make([]int, len(b)+1)
	for j := range last {
		last[j] = j
	}
	for i := range a {
		next[0] = i + 1
		for j := range b {
			next[j+1] = min(last[j]+int(oneIf(a[i] != b[j])), last[j+1]+1, next[j]+1)
			if i > 0 && j > 0 && a[i] == b[j-1] && a[i-1] == b[j] {
				next[j+1] = min(next[j+1], before[j-1]+1)
			}
		}
		before, last, next = last, next, before
	}
	return last[len(b)]
}
