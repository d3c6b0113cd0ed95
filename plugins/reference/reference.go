package reference

import (
	"cmp"
	"context"
	"slices"

	"github.com/RoaringBitmap/roaring/v2"

	"github.com/sagasu-search/sagasu/sdk"
	"github.com/sagasu-search/sagasu/sdk/snapshot"
	"github.com/sagasu-search/sagasu/sdk/text"
	"github.com/sagasu-search/sagasu/sdk/x/refer"
)

// Signal marks a section that the result refers to.
const Signal = "reference"

const (
	// mostSources is the maximum number of sections of the pool that are read, best first.
	mostSources = 20
	// mostRead is the maximum number of characters that are read of a section.
	mostRead = 4000
)

// Strategy implements [sdk.Strategy].
type Strategy struct{}

// New returns the strategy.
func New() Strategy { return Strategy{} }

// Describe implements [sdk.Strategy]. Its sections count as matched by their headings, since texts refer to sections by
// their headings.
func (Strategy) Describe() sdk.Description {
	return sdk.Description{
		Name:    "reference",
		Version: "1",
		Stage:   sdk.StageFill,
		Signals: []string{sdk.SignalHeading, Signal},
		Weight:  0.3,
		Corpora: []snapshot.Kind{snapshot.KindManual},
	}
}

// Search implements [sdk.Strategy]. A section scores 1/n if the n-th section of the pool is the best one that refers to
// it. Examined counts the sections that were read.
func (Strategy) Search(ctx context.Context, req *sdk.Request) (*sdk.Result, error) {
	out := &sdk.Result{Finished: true}
	left := unfound(req)
	for n, source := range req.Pool[:min(len(req.Pool), mostSources)] {
		if ctx.Err() != nil {
			out.Finished = false
			break
		}
		out.Examined++
		body := text.CutRunes(req.Corpus.Source(source.Section, snapshot.FieldBody), mostRead)
		for target := range refer.Targets(ctx, req.Corpus, source.Section, body) {
			if left.CheckedRemove(target) {
				out.Candidates = append(out.Candidates, sdk.Candidate{
					Section: target, Score: 1 / float64(n+1), Signals: []string{sdk.SignalHeading, Signal},
				})
			}
		}
	}
	slices.SortFunc(out.Candidates, func(a, b sdk.Candidate) int {
		return cmp.Or(cmp.Compare(b.Score, a.Score), cmp.Compare(a.Section, b.Section))
	})
	out.Candidates = out.Candidates[:min(len(out.Candidates), req.Limit)]
	return out, nil
}

// unfound returns the scope without the pool.
func unfound(req *sdk.Request) *roaring.Bitmap {
	out := req.Sections().Clone()
	for _, c := range req.Pool {
		out.Remove(c.Section)
	}
	return out
}

// Entry returns the strategy's entry, for programs that compile it in.
func Entry() sdk.Entry {
	return sdk.Entry{Name: "reference", New: func() sdk.Strategy { return New() }, OnDemand: true}
}
