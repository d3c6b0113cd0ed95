package snapshot

import (
	"errors"
	"maps"
	"slices"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/blevesearch/vellum"
	"github.com/blevesearch/vellum/levenshtein"
)

// MostEdits is the maximum number of edits for [Snapshot.Near].
const MostEdits = 2

// automata returns the builders of Levenshtein automata for one and two edits. A swap of neighbours is one edit (Schulz
// and Mihov, IJDAR 2002).
var automata = sync.OnceValues(func() (out [MostEdits]*levenshtein.LevenshteinAutomatonBuilder, err error) {
	for i := range out {
		if out[i], err = levenshtein.NewLevenshteinAutomatonBuilder(uint8(i+1), true); err != nil {
			return out, err
		}
	}
	return out, nil
})

// Near is a term of the dictionary that is close to a given word.
type Near struct {
	Term     string // without the prefix
	Edits    int    // letters changed, added, dropped or swapped
	Sections int    // its [Snapshot.DocFreq]
}

// Near returns the terms that consist of prefix and a word that has the same first letter as word and is at most
// edits away from it, in byte order. More edits than [MostEdits] count as [MostEdits]. It visits only the parts of
// the dictionary that can hold such a term.
func (s *Snapshot) Near(prefix, word string, edits int) ([]Near, error) {
	builders, err := automata()
	if err != nil || word == "" || edits < 1 {
		return nil, err
	}
	dfa, err := builders[min(edits, MostEdits)-1].BuildDfa(word, uint8(min(edits, MostEdits)))
	if err != nil {
		return nil, err
	}
	_, first := utf8.DecodeRuneInString(word)
	found := make(map[string]int)
	for _, g := range s.segments {
		g.terms.near(behind{dfa, prefix}, prefix+word[:first], func(term string) {
			if ok, edits := dfa.MatchAndDistance(term[len(prefix):]); ok {
				found[strings.Clone(term)] = int(edits)
			}
		})
	}
	var out []Near
	for _, term := range slices.Sorted(maps.Keys(found)) {
		if n := s.DocFreq(term); n > 0 {
			out = append(out, Near{term[len(prefix):], found[term], n})
		}
	}
	return out, nil
}

// near calls visit with the keys that start with prefix and that an automaton accepts.
func (d *dictionary) near(accepts vellum.Automaton, prefix string, visit func(term string)) {
	defer d.damage.guard(d.part)
	it, err := d.fst.Search(accepts, []byte(prefix), prefixEnd(prefix))
	for ; err == nil; err = it.Next() {
		key, _ := it.Current()
		visit(string(key))
	}
	if !errors.Is(err, vellum.ErrIteratorDone) {
		d.damage.note(d.part, "%v", err)
	}
}

// behind matches a prefix followed by what an automaton matches. Its states are those of the automaton, shifted by the
// length of the prefix.
type behind struct {
	vellum.Automaton
	prefix string
}

// Start implements vellum.Automaton.
func (b behind) Start() int {
	if b.prefix == "" {
		return b.shifted(b.Automaton.Start())
	}
	return 1
}

func (b behind) shifted(state int) int { return state + len(b.prefix) + 1 }

// IsMatch implements vellum.Automaton.
func (b behind) IsMatch(state int) bool {
	return state > len(b.prefix) && b.Automaton.IsMatch(state-len(b.prefix)-1)
}

// CanMatch implements vellum.Automaton.
func (b behind) CanMatch(state int) bool {
	return state > 0 && (state <= len(b.prefix) || b.Automaton.CanMatch(state-len(b.prefix)-1))
}

// Accept implements vellum.Automaton.
func (b behind) Accept(state int, c byte) int {
	switch {
	case state > len(b.prefix):
		return b.shifted(b.Automaton.Accept(state-len(b.prefix)-1, c))
	case state == 0 || b.prefix[state-1] != c:
		return 0
	case state == len(b.prefix):
		return b.shifted(b.Automaton.Start())
	}
	return state + 1
}
