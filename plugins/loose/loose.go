package loose

import (
	"context"
	"math/bits"
	"slices"

	"github.com/RoaringBitmap/roaring/v2"

	"github.com/sagasu-search/sagasu/sdk"
	"github.com/sagasu-search/sagasu/sdk/lexical"
	"github.com/sagasu-search/sagasu/sdk/snapshot"
	"github.com/sagasu-search/sagasu/sdk/text"
)

// Strategy implements [sdk.Strategy].
type Strategy struct{ cache lexical.Cache }

// New returns the strategy.
func New() *Strategy { return new(Strategy) }

// Describe implements [sdk.Strategy].
func (*Strategy) Describe() sdk.Description {
	return sdk.Description{
		Name:    "loose",
		Version: "4",
		Stage:   sdk.StageRetrieve,
		Signals: []string{sdk.SignalHeading, sdk.SignalPath, sdk.SignalLoose},
		Weight:  0.3,
		Corpora: []snapshot.Kind{snapshot.KindManual, snapshot.KindVault},
	}
}

// wordConfidence is the confidence for queries of words only. Spelling variants with and without spaces are rarer there
// than in Japanese, and normalized weights the words themselves better.
const wordConfidence = 0.7

// needle is a term in loose form with the sections that contain it.
type needle struct {
	text     string
	holders  *roaring.Bitmap // read only
	coverage float64         // its share of the query; all shares sum to 1
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
	out.Candidates = make([]sdk.Candidate, len(found.best))
	for i, h := range found.best {
		out.Candidates[i] = candidate(req.Corpus, h, needles)
	}
	return out, nil
}

// needles looks up every content term of the plan; a nil scope means all sections.
func (s *Strategy) needles(
	ctx context.Context, snap *snapshot.Snapshot, scope *roaring.Bitmap, terms []sdk.Term,
) []needle {
	var out []needle
	var total float64
	n := snap.Population()
	for _, t := range terms {
		form := lexical.LooseForm(t.Text)
		if form == "" && t.Phrase {
			form = t.Text // characters that are searched literally
		}
		known := slices.ContainsFunc(out, func(x needle) bool { return x.text == form })
		if t.Kind == sdk.TermNegative || form == "" || known {
			continue
		}
		find := func() *roaring.Bitmap { return lexical.ContainingLoose(ctx, snap, t.Text) }
		holders := s.cache.Sections(ctx, snap, t.Text, find)
		idf := t.Weight * lexical.IDF(n, snap.Estimate(holders))
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

// candidate returns the candidate for a hit, with its signals and terms.
func candidate(snap *snapshot.Snapshot, h lexical.Hit, needles []needle) sdk.Candidate {
	c := sdk.Candidate{Section: h.Section, Score: h.Score, Coverage: h.Coverage}
	heading := snap.Normalized(h.Section, snapshot.FieldHeading)
	path := snap.Normalized(h.Section, snapshot.FieldPath)
	var inHeading, inPath bool
	for _, n := range needles {
		if !n.holders.Contains(h.Section) {
			continue
		}
		c.Terms = append(c.Terms, n.text)
		inHeading = inHeading || lexical.HoldsLoose(heading, n.text)
		inPath = inPath || lexical.HoldsLoose(path, n.text)
	}
	if inHeading {
		c.Signals = append(c.Signals, sdk.SignalHeading)
	}
	if inPath {
		c.Signals = append(c.Signals, sdk.SignalPath)
	}
	c.Signals = append(c.Signals, sdk.SignalLoose)
	return c
}

// Entry returns the strategy's entry, for programs that compile it in.
func Entry() sdk.Entry {
	return sdk.Entry{Name: "loose", New: func() sdk.Strategy { return New() }}
}

// found contains the sections that cover enough of the query.
type found struct {
	all  *roaring.Bitmap
	best []lexical.Hit
}

// matched returns the sections whose coverage reaches the threshold or that contain a must term, and the best limit of
// them.
func matched(needles []needle, threshold float64, limit int) found {
	const rounding = 1e-9
	s := sums{least: threshold - rounding, best: lexical.NewTop(limit)}
	last := uint32(0)
	holders := make([]runs, len(needles))
	for i, n := range needles {
		holders[i].rest = n.holders.ManyIterator()
		if !n.holders.IsEmpty() {
			last = max(last, n.holders.Maximum())
		}
	}
	s.matched = make([]uint64, (last/window+1)*window/64)
	for s.from = 0; s.from <= last; s.from += window {
		for i := range needles {
			s.add(&needles[i], &holders[i])
		}
		s.decide()
	}
	return found{all: roaring.FromDense(s.matched, false), best: s.best.Sorted()}
}

// window is the number of sections that are summed at a time. Their sums fit into the second-level cache.
const window = 1 << 12

// sums adds up the needles in sections, a window at a time.
type sums struct {
	least   float64 // minimum coverage of a matched section
	from    uint32  // the window's first section
	held    [window]held
	touched [window / 64]uint64 // a bit for each section of the window that contains a needle
	matched []uint64            // a bit for each section
	best    *lexical.Top
}

// held is the sum over the needles in a section.
type held struct {
	score, coverage float64
	must            bool
}

func (s *sums) add(n *needle, holders *runs) {
	for run := holders.below(s.from + window); len(run) > 0; run = holders.below(s.from + window) {
		for _, section := range run {
			i := (section - s.from) % window
			h := &s.held[i]
			h.coverage = min(h.coverage+n.coverage, 1)
			h.score += n.weight
			h.must = h.must || n.must
			s.touched[i/64] |= 1 << (i % 64)
		}
	}
}

// decide takes the matches of the window.
func (s *sums) decide() {
	for word, rest := range s.touched {
		for ; rest != 0; rest &= rest - 1 {
			bit := bits.TrailingZeros64(rest)
			i := uint32(word*64 + bit)
			if h := s.held[i]; h.must || h.coverage >= s.least {
				s.matched[int(s.from)/64+word] |= 1 << bit
				s.best.Offer(lexical.Hit{Section: s.from + i, Score: h.score, Coverage: h.coverage})
			}
			s.held[i] = held{}
		}
		s.touched[word] = 0
	}
}

// runs reads ascending sections in chunks.
type runs struct {
	rest   roaring.ManyIntIterable
	ahead  []uint32 // read but not returned yet
	buffer [256]uint32
}

// below returns the next sections below end, or none if there are no more.
func (r *runs) below(end uint32) []uint32 {
	if len(r.ahead) == 0 {
		r.ahead = r.buffer[:r.rest.NextMany(r.buffer[:])]
	}
	n := len(r.ahead)
	if n > 0 && r.ahead[n-1] >= end {
		n, _ = slices.BinarySearch(r.ahead, end)
	}
	run := r.ahead[:n]
	r.ahead = r.ahead[n:]
	return run
}
