package search

import (
	"cmp"
	"context"
	"slices"

	"github.com/sagasu-search/sagasu/framework/internal/fusion"
	"github.com/sagasu-search/sagasu/sdk"
)

// rerank lets the rerankers order the best RerankTop sections anew. What
// lies below keeps its order, after them.
func (s *search) rerank(ctx context.Context, ranked []fusion.Ranked, found map[uint32]*evidence) {
	n := min(s.settings.RerankTop, len(ranked))
	if n < 1 {
		return
	}
	top, floor := ranked[:n], 0.0
	if n < len(ranked) {
		floor = ranked[n].Score
	}
	order := compareSections(s.snap)
	for _, l := range s.call(ctx, sdk.StageRerank, s.query, s.scope, poolOf(top, found)) {
		if !l.result.Finished {
			continue // half a reranking would put down what was not reached
		}
		if !blend(top, floor, l.description.Name, s.engine.weight(l.description)*l.confidence(), l.result.Candidates) {
			continue
		}
		slices.SortFunc(top, func(a, b fusion.Ranked) int {
			if c := cmp.Or(cmp.Compare(b.Score, a.Score), cmp.Compare(raw(b), raw(a))); c != 0 {
				return c
			}
			return order(a.Section, b.Section)
		})
		for _, c := range l.result.Candidates {
			e := found[c.Section]
			e.signals = union(e.signals, c.Signals)
			e.match(l.description.Name, c.Terms)
		}
	}
}

// raw is what the reranker that spoke last gave a section; it breaks ties.
func raw(r fusion.Ranked) float64 { return r.Contributions[len(r.Contributions)-1].Raw }

// poolOf gives sections as a reranker sees them.
func poolOf(ranked []fusion.Ranked, found map[uint32]*evidence) []sdk.Candidate {
	out := make([]sdk.Candidate, len(ranked))
	for i, r := range ranked {
		e := found[r.Section]
		out[i] = sdk.Candidate{Section: r.Section, Score: r.Score, Coverage: e.coverage, Signals: e.signals, Terms: e.terms}
	}
	return out
}

// blend moves each score s of top, which lies in [floor, best], to
// (1 − w)·s + w·(floor + r/r_max·(best − floor)), where r is what the
// reranker gave the section, 0 for none, and w its weight, at most 1. The
// result lies in [floor, best] again, so no section falls below those that
// were not reranked. The change is kept as a contribution of its own: the
// others stay what the strategies gave, and the sum is the score. It is false,
// and nothing changed, when the reranker tells no section from another.
func blend(top []fusion.Ranked, floor float64, source string, weight float64, reranked []sdk.Candidate) bool {
	w, best, most := min(weight, 1), floor, 0.0
	rank := make(map[uint32]int, len(reranked))
	for i, c := range reranked {
		rank[c.Section], most = i+1, max(most, c.Score)
	}
	if most == 0 {
		return false
	}
	for _, r := range top {
		best = max(best, r.Score)
	}
	for i := range top {
		x := fusion.Contribution{Source: source, Weight: w}
		if x.Rank = rank[top[i].Section]; x.Rank > 0 {
			x.Raw = reranked[x.Rank-1].Score
		}
		x.Amount = w * (floor + x.Raw/most*(best-floor) - top[i].Score)
		top[i].Contributions = append(top[i].Contributions, x)
		top[i].Score += x.Amount
	}
	return true
}
