package toc

import (
	"context"

	"github.com/RoaringBitmap/roaring/v2"

	"github.com/sagasu-search/sagasu/sdk"
	"github.com/sagasu-search/sagasu/sdk/lexical"
	"github.com/sagasu-search/sagasu/sdk/snapshot"
)

// params weight headings only. A short heading that is entirely about the query beats a long one.
var params = lexical.Params{K1: 0.6, B: []float64{0.7, 0, 0}, Weight: []float64{1, 0, 1}}

// weights count single characters too: a heading is short, and any similarity is better than nothing.
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
	if len(req.Pool) > 0 { // then a title that only shares a character with the query adds nothing
		likeness.Unigram = 0
	}
	bag := lexical.NewBag(req.Corpus, &query, likeness)
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

// beyondPool returns the scope without the sections that earlier stages found.
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

// Entry returns the strategy's entry, for programs that compile it in.
func Entry() sdk.Entry {
	return sdk.Entry{Name: "toc", New: func() sdk.Strategy { return New() }, OnDemand: true}
}
