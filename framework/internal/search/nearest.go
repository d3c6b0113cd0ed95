package search

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"unicode"

	"github.com/sagasu-search/sagasu/framework/internal/judge/answer"
	"github.com/sagasu-search/sagasu/sdk"
	"github.com/sagasu-search/sagasu/sdk/lexical"
	"github.com/sagasu-search/sagasu/sdk/snapshot"
	"github.com/sagasu-search/sagasu/sdk/text"
)

// Bounds of the words that are looked for: each walks the dictionary, and a pasted text has many of them.
const (
	mostMisspelt = 8
	longestWord  = 32
)

// correct adds to each wording of the plan the words of the corpus that were meant by words it lacks.
func (r *run) correct() {
	r.meant = make(map[string]string)
	looked := 0
	out := slices.Clone(r.wordings)
	for i := range out {
		p := planner{query: out[i]}
		p.query.Terms = slices.Clone(p.query.Terms)
		for _, t := range out[i].Terms {
			if t.Kind != sdk.TermSoft || looked == mostMisspelt || !r.lacks(t.Text) {
				continue
			}
			looked++
			if meant, ok := r.nearest(t.Text); ok {
				r.meant[t.Text] = meant
				p.add(sdk.Term{Text: meant, Kind: sdk.TermSoft, Weight: t.Weight})
				p.query.Text += " " + meant
			}
		}
		out[i] = p.query
	}
	r.wordings, r.query = out, united(out)
}

// lacks reports whether a word is one that the corpus should have and does not.
func (r *run) lacks(word string) bool {
	return isLatin(word) && len(word) >= len("ab") && len(word) <= longestWord && !known(r.snap, word)
}

// nearest returns the word of the corpus that one it lacks was meant to be: one that begins alike, as most slips
// leave the first letter, with the fewest slips, and of several the most frequent.
func (r *run) nearest(word string) (string, bool) {
	var near []snapshot.Near
	for _, prefix := range []string{text.ExactMark, ""} {
		found, err := r.snap.Near(prefix, word, snapshot.MostEdits)
		if err != nil {
			r.logger.Error("dictionary not searched", "error", err)
		}
		near = append(near, found...)
	}
	slices.SortFunc(near, func(a, b snapshot.Near) int {
		byUse := cmp.Compare(b.Sections, a.Sections)
		return cmp.Or(cmp.Compare(a.Edits, b.Edits), byUse, strings.Compare(a.Term, b.Term))
	})
	return answer.Closest(word, func(yield func(string) bool) {
		for _, n := range near {
			if isLatin(n.Term) && isWord(r.snap, n.Term) && !yield(n.Term) {
				return
			}
		}
	})
}

// mostHolders is how many sections are asked for a word.
const mostHolders = 3

// isWord tells a word from a mere stem: a section that has the term writes it so.
func isWord(snap *snapshot.Snapshot, term string) bool {
	if snap.DocFreq(text.ExactMark+term) > 0 {
		return true
	}
	one := lexical.Query{Terms: []lexical.Term{{Text: term, Weight: 1, Slot: -1}}}
	found := lexical.Search(context.Background(), snap, nil, one, lexical.DefaultParams(false), mostHolders)
	other := func(c rune) bool { return !unicode.IsLetter(c) && !unicode.IsNumber(c) }
	return slices.ContainsFunc(found.Hits, func(h lexical.Hit) bool {
		for field := range snap.Fields() {
			for w := range strings.FieldsFuncSeq(snap.Normalized(h.Section, field), other) {
				if w == term {
					return true
				}
			}
		}
		return false
	})
}
