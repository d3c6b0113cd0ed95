package feedback

import (
	"cmp"
	"context"
	"maps"
	"slices"

	"github.com/sagasu-search/sagasu/sdk"
	"github.com/sagasu-search/sagasu/sdk/lexical"
	"github.com/sagasu-search/sagasu/sdk/snapshot"
	"github.com/sagasu-search/sagasu/sdk/text"
)

const (
	// sections is the number of best sections that are assumed to be relevant.
	sections = 20
	// expansion is the number of their terms that are added to the query.
	expansion = 80
	// mix is the share of these terms in the query.
	mix = 0.5
	// common is the share of sections above which a term says nothing about a subject.
	common = 0.1
	// longest is the maximum number of bytes of a section that are read.
	longest = 8 << 10
)

// params weight all fields equally: sections below the best have the words of the query in their text.
var params = lexical.Params{K1: 0.9, B: []float64{0.4, 0.4, 0}, Weight: []float64{1, 1, 1}}

// Strategy implements [sdk.Strategy].
type Strategy struct{}

// New returns the strategy.
func New() *Strategy { return new(Strategy) }

// Describe implements [sdk.Strategy].
func (*Strategy) Describe() sdk.Description {
	return sdk.Description{
		Name:    "feedback",
		Version: "1",
		Stage:   sdk.StageFeedback,
		Weight:  0.82,
		Corpora: []snapshot.Kind{snapshot.KindManual, snapshot.KindVault},
	}
}

// Search implements [sdk.Strategy]. It scores the scope by the query and the most probable terms of the pool. Queries
// with a CJK character do not gain from this, so it scores nothing for them.
func (s *Strategy) Search(ctx context.Context, req *sdk.Request) (*sdk.Result, error) {
	if text.HasCJK(req.Query.Text) {
		return &sdk.Result{Finished: true}, nil
	}
	bag := lexical.NewBag(req.Corpus, &req.Query, lexical.Weights{Word: 1})
	asked := slices.DeleteFunc(bag.Terms, func(t lexical.Term) bool { return t.Weight == 0 })
	weights := make(map[string]float64, len(asked)+expansion)
	for _, t := range asked {
		weights[t.Text] = (1 - mix) / float64(len(asked))
	}
	for _, t := range s.model(req.Corpus, req.Pool) {
		weights[t.text] += mix * t.weight
	}
	var query lexical.Query
	for _, t := range slices.Sorted(maps.Keys(weights)) {
		query.Terms = append(query.Terms, lexical.Term{Text: t, Weight: weights[t], Slot: -1})
	}
	found := lexical.Search(ctx, req.Corpus, req.Scope, query, params, req.Limit)
	out := &sdk.Result{Examined: found.Examined, Finished: found.Finished}
	for _, h := range found.Hits {
		out.Candidates = append(out.Candidates, sdk.Candidate{Section: h.Section, Score: h.Score})
	}
	return out, nil
}

// weighted is a term with its probability in the model.
type weighted struct {
	text   string
	weight float64
}

// model returns the most probable terms of the best sections: Σ_d P(d) · P(t|d), where P(d) is section d's share of the
// scores. Only the first terms are kept, scaled to a sum of 1. This is RM1 of Lavrenko and Croft (SIGIR 2001); together
// with the terms of the query it is RM3 (Abdul-Jaleel et al., TREC 2004).
func (s *Strategy) model(snap *snapshot.Snapshot, pool []sdk.Candidate) []weighted {
	pool = pool[:min(len(pool), sections)]
	likely, counts := map[string]float64{}, map[string]float64{}
	for _, c := range pool {
		clear(counts)
		all := 0.0
		for _, field := range []int{snapshot.FieldHeading, snapshot.FieldBody} {
			all += count(snap.Normalized(c.Section, field), counts)
		}
		for t, n := range counts {
			likely[t] += c.Score * n / all
		}
	}
	out := make([]weighted, 0, len(likely))
	for t, w := range likely {
		out = append(out, weighted{t, w})
	}
	slices.SortFunc(out, func(a, b weighted) int {
		return cmp.Or(cmp.Compare(b.weight, a.weight), cmp.Compare(a.text, b.text))
	})
	return first(snap, out)
}

// first returns the first terms that are not common, with weights that sum to 1.
func first(snap *snapshot.Snapshot, terms []weighted) []weighted {
	most := common * float64(snap.Population())
	out, sum := make([]weighted, 0, expansion), 0.0
	for _, t := range terms {
		if len(out) == expansion {
			break
		}
		if float64(snap.DocFreq(t.text)) <= most {
			out, sum = append(out, t), sum+t.weight
		}
	}
	if sum == 0 {
		return nil
	}
	for i := range out {
		out[i].weight /= sum
	}
	return out
}

// count adds the content terms of a normalised text to counts and returns their number.
func count(norm string, counts map[string]float64) float64 {
	all := 0.0
	for token := range text.Tokens(&text.Text{Norm: norm[:min(len(norm), longest)]}) {
		if token.Class != text.Word && token.Class != text.Bigram {
			continue
		}
		if name := norm[token.Start:token.End]; text.EnglishStop(name) || text.IsHiragana(name) {
			continue
		}
		counts[token.Term]++
		all++
	}
	return all
}

// Entry returns the strategy's entry, for programs that compile it in.
func Entry() sdk.Entry {
	return sdk.Entry{Name: "feedback", New: func() sdk.Strategy { return New() }}
}
