package toc

import (
	"context"
	"strings"

	"github.com/RoaringBitmap/roaring/v2"

	"github.com/sagasu-search/sagasu/sdk"
	"github.com/sagasu-search/sagasu/sdk/lexical"
	"github.com/sagasu-search/sagasu/sdk/snapshot"
	"github.com/sagasu-search/sagasu/sdk/text"
)

// params look at headings only; a short heading that is all about the query
// beats a long one.
var params = lexical.Params{K1: 0.6, B: []float64{0.7, 0, 0}, Weight: []float64{1, 0, 1}}

// weights let single characters count: a heading is short and any likeness is
// better than nothing.
var weights = lexical.Weights{Word: 1, Exact: 0.2, Whole: 0.8, Unigram: 0.4, Bigram: 1, CommonKana: 0.02}

// Strategy implements [sdk.Strategy].
type Strategy struct{}

// New returns the strategy.
func New() Strategy { return Strategy{} }

// Describe implements [sdk.Strategy].
func (Strategy) Describe() sdk.Description {
	return sdk.Description{
		Name:    "toc",
		Version: "3",
		Stage:   sdk.StageFill,
		Signals: []string{sdk.SignalHeading},
		Weight:  0.3,
		Corpora: []snapshot.Kind{snapshot.KindManual},
	}
}

// Search implements [sdk.Strategy].
func (Strategy) Search(ctx context.Context, req *sdk.Request) (*sdk.Result, error) {
	query := req.Query
	query.MatchThreshold = 0
	likeness := weights
	if len(req.Pool) > 0 { // a title that shares a mere character with the query adds nothing then
		likeness.Unigram = 0
	}
	bag := lexical.NewBag(req.Corpus, &query, likeness)
	for _, near := range nearTerms(req.Corpus, req.Query.Terms) {
		bag.Terms = append(bag.Terms, lexical.Term{Text: near, Weight: 0.7, Slot: -1})
	}
	scope := beyondPool(req)
	found := lexical.Search(ctx, req.Corpus, scope, bag.Query, params, req.Limit)
	out := &sdk.Result{Examined: found.Examined, Finished: found.Finished}
	for _, h := range found.Hits {
		out.Candidates = append(out.Candidates, sdk.Candidate{
			Section: h.Section, Score: h.Score, Coverage: h.Coverage,
			Signals: []string{sdk.SignalHeading}, Terms: bag.SlotNames(h.Slots),
		})
	}
	return out, nil
}

// beyondPool is the scope without what earlier stages found.
func beyondPool(req *sdk.Request) *roaring.Bitmap {
	if len(req.Pool) == 0 {
		return req.Scope
	}
	pool := roaring.New()
	for _, c := range req.Pool {
		pool.Add(c.Section)
	}
	return roaring.AndNot(req.Sections(), pool)
}

// stem is how many leading letters a near spelling must share.
const stem = 3

// nearTerms returns dictionary terms one edit away from the query's Latin words
// that no section holds: a typing error should still find its heading.
func nearTerms(snap *snapshot.Snapshot, terms []sdk.Term) []string {
	var out []string
	for _, t := range terms {
		if t.Kind == sdk.TermNegative || len(t.Text) <= stem+1 || !latin(t.Text) || known(snap, t.Text) {
			continue
		}
		for _, mark := range []string{"", text.ExactMark} {
			for term := range snap.Terms(mark + t.Text[:stem]) {
				if word := term[len(mark):]; latin(word) && oneEdit(word, t.Text) {
					out = append(out, strings.Clone(term))
				}
			}
		}
	}
	return out
}

// known reports whether some section holds the word or its stem.
func known(snap *snapshot.Snapshot, word string) bool {
	return len(lexical.NewBag(snap, &sdk.Query{Text: word}, weights).Terms) > 0
}

// latin reports whether s is made of ASCII letters.
func latin(s string) bool {
	for i := range len(s) {
		if s[i] < 'a' || s[i] > 'z' {
			return false
		}
	}
	return true
}

// oneEdit reports whether one insertion, deletion, substitution or swap of
// neighbours turns a into b.
func oneEdit(a, b string) bool {
	if len(a) > len(b) {
		a, b = b, a
	}
	i := 0
	for i < len(a) && a[i] == b[i] {
		i++
	}
	switch len(b) - len(a) {
	case 1:
		return a[i:] == b[i+1:]
	case 0:
		if i == len(a) {
			return false
		}
		swapped := i+1 < len(a) && a[i] == b[i+1] && a[i+1] == b[i] && a[i+2:] == b[i+2:]
		return swapped || a[i+1:] == b[i+1:]
	}
	return false
}

// Entry is the strategy as a program compiles it in.
func Entry() sdk.Entry {
	return sdk.Entry{Name: "toc", New: func() sdk.Strategy { return New() }, OnDemand: true}
}
