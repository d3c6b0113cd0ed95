package dict

import (
	"cmp"
	"slices"
)

// Vocabulary is a list of words, or phrases, in normalised form.
type Vocabulary []string

// ParseWords reads a vocabulary: UTF-8 text, one word or phrase a line, # starts
// a comment. Errors are as for [ParseSynonyms].
func ParseWords(file string, src []byte) (Vocabulary, error) {
	var errs Errors
	var out Vocabulary
	first := make(map[string]int)
	for n, line := range lines(file, src, &errs) {
		word, reason := fold(line)
		switch at := first[word]; {
		case reason != "":
			errs.add(file, n, "%s", reason)
		case at != 0:
			errs.add(file, n, "%q is there already, in line %d", word, at)
		case len(out) == MaxEntries:
			errs.add(file, n, "a vocabulary has at most %d words", MaxEntries)
			return out, errs.err()
		default:
			first[word] = n
			out = append(out, word)
		}
	}
	return out, errs.err()
}

// Place is a word in a text.
type Place struct {
	Word       string
	Start, End int // bytes
}

// Find returns the places of the vocabulary's words in a normalised text, in
// order and without overlaps, the longest word where several start. Words stand
// as [Stands] has it.
func (v Vocabulary) Find(norm string) []Place {
	var all []Place
	for _, w := range v {
		for at := indexFrom(norm, w, 0); at >= 0; at = indexFrom(norm, w, at+len(w)) {
			all = append(all, Place{w, at, at + len(w)})
		}
	}
	slices.SortFunc(all, func(a, b Place) int { return cmp.Or(a.Start-b.Start, b.End-a.End) })
	end := 0
	return slices.DeleteFunc(all, func(p Place) bool {
		if p.Start < end {
			return true
		}
		end = p.End
		return false
	})
}
