package synonym

import (
	"slices"
	"strings"

	"github.com/sagasu-search/sagasu/sdk/text"
	"github.com/sagasu-search/sagasu/sdk/x/dict"
)

// Limits that keep a query affordable whatever the dictionaries contain.
const (
	maxAlternatives = 16  // of one term
	maxMatches      = 16  // maximum number of terms of a query that are expanded
	maxUnits        = 512 // maximum number of units of a query that are read
)

// thesaurus maps terms to alternatives. Its keys are the units of terms, so that inflections and separators do not
// matter.
type thesaurus struct {
	alternatives map[string][]string
	longest      map[string]int // number of units of the longest key, by first unit
}

// match is a term of a query that has alternatives.
type match struct {
	term         string // as in the query
	alternatives []string
}

// newThesaurus indexes entries. If there are too many, earlier ones have priority.
func newThesaurus(entries []dict.Entry) *thesaurus {
	t := &thesaurus{alternatives: make(map[string][]string, 2*len(entries)), longest: make(map[string]int)}
	for _, e := range entries {
		to := keyed(e.To)
		from := to
		if len(e.From) > 0 {
			from = keyed(e.From)
		}
		for _, term := range from {
			t.add(term, to)
		}
	}
	return t
}

// term is a term of a dictionary with its units.
type term struct {
	text  string
	units []unit
	key   string
}

func keyed(texts []string) []term {
	out := make([]term, 0, len(texts))
	for _, s := range texts {
		if cut := units(s); len(cut) > 0 {
			out = append(out, term{s, cut, join(cut)})
		}
	}
	return out
}

func (t *thesaurus) add(x term, alternatives []term) {
	for _, a := range alternatives {
		all := t.alternatives[x.key]
		if len(all) < maxAlternatives && a.key != x.key && !slices.Contains(all, a.text) {
			t.alternatives[x.key] = append(all, a.text)
		}
	}
	first := x.units[0].term
	t.longest[first] = max(t.longest[first], len(x.units))
}

// find returns the terms of a query that have alternatives. If several start at the same place, it returns the longest.
func (t *thesaurus) find(query string) []match {
	norm := text.Fold(query)
	var out []match
	all := units(norm)
	for i := 0; i < len(all) && len(out) < maxMatches; {
		n := t.at(norm, all[i:])
		if n == 0 {
			i++
			continue
		}
		found := all[i : i+n]
		out = append(out, match{norm[found[0].start:found[n-1].end], absent(norm, t.alternatives[join(found)])})
		i += n
	}
	return out
}

// absent returns the alternatives that the query does not contain itself.
func absent(norm string, alternatives []string) []string {
	return slices.DeleteFunc(slices.Clone(alternatives), func(a string) bool { return dict.Index(norm, a) >= 0 })
}

// at returns the number of units of the longest key at the start of from, or 0.
func (t *thesaurus) at(norm string, from []unit) int {
	for n := min(t.longest[from[0].term], len(from)); n > 0; n-- {
		if len(t.alternatives[join(from[:n])]) > 0 && dict.Stands(norm, from[0].start, from[n-1].end) {
			return n
		}
	}
	return 0
}

// unit is the unit of comparison of terms: a stemmed word or a CJK character.
type unit struct {
	term       string
	start, end int
}

// units splits a normalised text into units.
func units(norm string) []unit {
	var out []unit
	for tok := range text.Tokens(&text.Text{Norm: norm}) {
		if tok.Class == text.Word || tok.Class == text.Unigram {
			out = append(out, unit{tok.Term, tok.Start, tok.End})
		}
		if len(out) == maxUnits {
			break
		}
	}
	return out
}

func join(all []unit) string {
	var b strings.Builder
	for _, u := range all {
		b.WriteString(u.term)
		b.WriteByte(0)
	}
	return b.String()
}
