package search

import (
	"slices"
	"strings"

	"github.com/sagasu-search/sagasu/sdk"
	"github.com/sagasu-search/sagasu/sdk/lexical"
	"github.com/sagasu-search/sagasu/sdk/snapshot"
	"github.com/sagasu-search/sagasu/sdk/text"
)

const (
	// minPrefix is the minimum number of leading letters, besides two thirds of the word, that
	// a word of the corpus must share with a word of the query that the corpus lacks.
	minPrefix = 4
	// maxVariants is the maximum number of words that are added for one.
	maxVariants = 4
)

// widened returns the query with its must terms relaxed to soft ones, without weak negative terms,
// and with words of the corpus added that begin like Latin words which no section has.
func widened(snap *snapshot.Snapshot, q sdk.Query) sdk.Query {
	out := q
	out.Terms = nil
	for _, t := range q.Terms {
		switch {
		case t.Kind == sdk.TermNegative && t.Weight < 1:
			continue
		case t.Kind == sdk.TermMust:
			t.Kind, t.Phrase = sdk.TermSoft, false
		}
		out.Terms = append(out.Terms, t)
		if t.Kind == sdk.TermSoft {
			for _, v := range variants(snap, t.Text) {
				out.Terms = append(out.Terms, sdk.Term{Text: v, Kind: sdk.TermSoft, Weight: t.Weight})
				out.Text += " " + v
			}
		}
	}
	return out
}

// variants returns the most frequent words of the corpus that begin like a word that it lacks.
func variants(snap *snapshot.Snapshot, word string) []string {
	if len(word) <= minPrefix || !isLatin(word) || known(snap, word) {
		return nil
	}
	type variant struct {
		text string
		in   int
	}
	var all []variant
	for term, in := range snap.Terms(text.ExactMark + word[:max(minPrefix, 2*len(word)/3)]) {
		if v := strings.TrimPrefix(term, text.ExactMark); in > 0 && isLatin(v) {
			all = append(all, variant{strings.Clone(v), in})
		}
	}
	slices.SortStableFunc(all, func(a, b variant) int { return b.in - a.in })
	var out []string
	for _, v := range all[:min(maxVariants, len(all))] {
		out = append(out, v.text)
	}
	return out
}

// known reports whether a section holds the word or its stem.
func known(snap *snapshot.Snapshot, word string) bool {
	return len(lexical.NewBag(snap, &sdk.Query{Text: word}, lexical.Weights{Word: 1, Exact: 1}).Terms) > 0
}

func isLatin(s string) bool {
	return !strings.ContainsFunc(s, func(r rune) bool { return r < 'a' || r > 'z' })
}
