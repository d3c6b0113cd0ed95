package loose

import (
	"context"
	"slices"

	"github.com/RoaringBitmap/roaring/v2"

	"github.com/sagasu-search/sagasu/sdk"
	"github.com/sagasu-search/sagasu/sdk/lexical"
	"github.com/sagasu-search/sagasu/sdk/snapshot"
	"github.com/sagasu-search/sagasu/sdk/text"
)

// Strategy implements [sdk.Strategy].
type Strategy struct{ memory lexical.Cache }

var _ sdk.Strategy = (*Strategy)(nil)

// New returns the strategy.
func New() *Strategy { return new(Strategy) }

// Describe implements [sdk.Strategy].
func (*Strategy) Describe() sdk.Description {
	return sdk.Description{
		Name:    "loose",
		Version: "2",
		Stage:   sdk.StageRetrieve,
		Signals: []string{sdk.SignalHeading, sdk.SignalLoose},
		Weight:  0.3,
		Corpora: []snapshot.Kind{snapshot.KindManual, snapshot.KindVault},
	}
}

// wordConfidence is for queries of words alone: writing them in one piece or in
// several is rarer than in Japanese, and what else counts here, the words
// themselves, normalized weighs better.
const wordConfidence = 0.7

// needle is a term in loose form with the sections that hold it.
type needle struct {
	text     string
	holders  *roaring.Bitmap // read only
	coverage float64         // its part of the query, all parts sum to 1
	weight   float64
	must     bool
}

// Search implements [sdk.Strategy].
func (s *Strategy) Search(ctx context.Context, req *sdk.Request) (*sdk.Result, error) {
	scope := lexical.ExcludeNegative(ctx, req.Corpus, req.Scope, req.Query.Terms)
	needles := s.needles(ctx, req.Corpus, scope, req.Query.Terms)
	if ctx.Err() != nil {
		return &sdk.Result{}, nil
	}
	if scope == nil {
		scope = req.Corpus.Live()
	}
	found := matched(needles, req.Query.MatchThreshold, req.Limit)
	out := &sdk.Result{Matched: found.all, Examined: int(scope.GetCardinality()), Finished: true}
	if !text.HasCJK(req.Query.Text) {
		out.Confidence = wordConfidence
	}
	for _, h := range found.best {
		out.Candidates = append(out.Candidates, candidate(req.Corpus, h, needles))
	}
	return out, nil
}

// needles looks up every content term of the plan; a nil scope is everything.
func (s *Strategy) needles(ctx context.Context, snap *snapshot.Snapshot, scope *roaring.Bitmap, terms []sdk.Term) []needle {
	var out []needle
	var total float64
	n := int(snap.Live().GetCardinality())
	for _, t := range terms {
		form := text.Loose(t.Text)
		if form == "" && t.Phrase {
			form = t.Text // signs that are looked for as they stand
		}
		if t.Kind == sdk.TermNegative || form == "" || slices.ContainsFunc(out, func(x needle) bool { return x.text == form }) {
			continue
		}
		holders := s.memory.Sections(ctx, snap, t.Text, func() *roaring.Bitmap { return lexical.ContainingLoose(ctx, snap, t.Text) })
		idf := t.Weight * lexical.IDF(n, int(holders.GetCardinality()))
		if !holders.IsEmpty() {
			total += idf
		}
		if scope != nil {
			holders = roaring.And(holders, scope)
		}
		out = append(out, needle{text: form, holders: holders, weight: idf, must: t.Kind == sdk.TermMust})
	}
	for i := range out {
		if total > 0 {
			out[i].coverage = out[i].weight / total
		}
	}
	return out
}

// candidate fills in signals and terms.
func candidate(snap *snapshot.Snapshot, h lexical.Hit, needles []needle) sdk.Candidate {
	c := sdk.Candidate{Section: h.Section, Score: h.Score, Coverage: h.Coverage, Signals: []string{sdk.SignalLoose}}
	heading := snap.Normalized(h.Section, snapshot.FieldHeading)
	for _, n := range needles {
		if !n.holders.Contains(h.Section) {
			continue
		}
		c.Terms = append(c.Terms, n.text)
		if start, _ := text.IndexLoose(heading, n.text); start >= 0 {
			c.Signals = []string{sdk.SignalHeading, sdk.SignalLoose}
		}
	}
	return c
}
