package search

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/RoaringBitmap/roaring/v2"

	"github.com/sagasu-search/sagasu/framework/internal/fusion"
	"github.com/sagasu-search/sagasu/sdk"
	"github.com/sagasu-search/sagasu/sdk/snapshot"
)

// No phase changes the result of an earlier phase.
func TestPhasesLeaveTheirInput(t *testing.T) {
	compare := cmp.Options{
		cmp.AllowUnexported(retrieved{}, notes{}, result{}, fused{}, scored{}, evidence{}, reranked{}),
		cmp.Comparer(func(a, b *roaring.Bitmap) bool { return a == b || a != nil && b != nil && a.Equals(b) }),
		cmpopts.IgnoreUnexported(snapshot.Section{}),
	}
	r := reranker{fakes: fakes{list: []words{exact, warner}}, weight: 1, pool: new([]sdk.Candidate), score: func(section uint32) float64 { return float64(section) }}
	e := engine(t, manyRows(60), r)
	run, before := begun(t, e, request("disk text 除外"))
	same := func(phase string, want, got any) {
		t.Helper()
		if diff := cmp.Diff(want, got, compare); diff != "" {
			t.Errorf("%s changed its input: %s", phase, diff)
		}
	}
	first := retrieve(t.Context(), run, Scope{Sections: e.scopeOfManual(t, run.snap, "m0"), Manual: "m0"}, before)
	first.matched.Remove(3) // something to find
	found := first.copied()
	order := fuse(run, first)
	same("fuse", found, first)
	ranked := order.copied()
	wider, grown := expand(t.Context(), run, order)
	if !grown {
		t.Error("the expansion found nothing")
	}
	same("expand", ranked, order)
	top := rerank(t.Context(), t.Context(), run, order)
	same("rerank", ranked, order)
	if cmp.Equal(ranked.ranked, top.ranked, compare) {
		t.Error("the reranker changed nothing")
	}
	fuse(run, wider)
	candidates := append([]Candidate{}, top.candidates...)
	judgeAnswers(t.Context(), t.Context(), run, top)
	same("judge", candidates, top.candidates)
	same("all", found, first)
}

func (e *Engine) scopeOfManual(t *testing.T, snap *snapshot.Snapshot, manual string) *roaring.Bitmap {
	t.Helper()
	_, sections, err := manualScope(snap, manual, manual)
	if err != nil {
		t.Fatal(err)
	}
	return sections
}

// copied returns a copy that shares nothing that could change.
func (in retrieved) copied() retrieved {
	in.warnings = append([]string(nil), in.warnings...)
	in.matched, in.unexamined = in.matched.Clone(), in.unexamined.Clone()
	results := []result{}
	for _, res := range in.results {
		all := *res.Result
		all.Candidates = append([]sdk.Candidate(nil), all.Candidates...)
		results = append(results, result{res.description, &all, res.wording, res.timedOut})
	}
	in.results = results
	return in
}

func (f fused) copied() fused {
	out := fused{retrieved: f.retrieved.copied()}
	for _, s := range f.ranked {
		s.signals, s.terms = append([]string(nil), s.signals...), append([]string(nil), s.terms...)
		s.Contributions = append([]fusion.Contribution(nil), s.Contributions...)
		out.ranked = append(out.ranked, s)
	}
	return out
}
