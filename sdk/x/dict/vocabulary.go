package dict

import (
	"cmp"
	"iter"
	"slices"
	"strings"
)

// Vocabulary is a list of words, or phrases, in normalised form.
type Vocabulary []string

// ParseWords reads a vocabulary in UTF-8 with one word or phrase per line; # starts a comment. {a,b} means a or b, so
// that a line can list all forms of a word. Errors are as for [ParseSynonyms].
func ParseWords(file string, src []byte) (Vocabulary, error) {
	var errs Errors
	var out Vocabulary
	first := make(map[string]int)
	for n, form := range forms(file, src, &errs) {
		word, reason := fold(form)
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

// forms yields the words in the lines of a file.
func forms(file string, src []byte, errs *Errors) iter.Seq2[int, string] {
	return func(yield func(int, string) bool) {
		for n, line := range lines(file, src, errs) {
			if strings.Count(line, "{") > mostChoices {
				errs.add(file, n, "a line has at most %d choices {a,b}", mostChoices)
				continue
			}
			for _, form := range alternatives(line) {
				if !yield(n, form) {
					return
				}
			}
		}
	}
}

// mostForms is the maximum number of words that one line may list, which it reaches with mostChoices of two words.
const (
	mostForms   = 1000
	mostChoices = 10
)

// alternatives expands a line with {a,b} to the words that it lists.
func alternatives(line string) []string {
	before, rest, open := strings.Cut(line, "{")
	inner, after, closed := strings.Cut(rest, "}")
	if !open || !closed {
		return []string{line}
	}
	var out []string
	for _, tail := range alternatives(after) {
		for choice := range strings.SplitSeq(inner, ",") {
			if len(out) == mostForms {
				return out
			}
			out = append(out, before+strings.TrimSpace(choice)+tail)
		}
	}
	return out
}

// Place is a word in a text.
type Place struct {
	Word       string
	Start, End int // bytes
}

// Find returns the places of the vocabulary's words in a normalised text, in order and without overlaps. If several
// words start at the same place, it returns the longest. Words are delimited as described at [Stands].
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
