package judge

import (
	"fmt"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/sagasu-search/sagasu/framework/internal/toolset"
)

func TestFileBias(t *testing.T) {
	for _, tc := range []struct {
		files []string
		want  float64
	}{{nil, 0}, {[]string{"a"}, 1}, {[]string{"a", "b", "a", "a"}, 0.75}} {
		if got := FileBias(len(tc.files), func(i int) string { return tc.files[i] }); got != tc.want {
			t.Errorf("FileBias(%v) = %g, want %g", tc.files, got, tc.want)
		}
	}
}

func TestNext(t *testing.T) {
	a, b := toolset.Ref{Target: "manual", ManualID: "m", Path: "a.md", StartLine: 3}, toolset.Ref{Target: "manual", ManualID: "m", Path: "b.md", StartLine: 7}
	c, d := toolset.Ref{Target: "manual", ManualID: "m", Path: "c.md", StartLine: 1}, toolset.Ref{Target: "manual", ManualID: "m", Path: "d.md", StartLine: 1}
	four := []toolset.Ref{a, b, c, d}
	one, two := four[:1], four[:2]
	against := func(claim string) []Conflict {
		return []Conflict{{ClaimID: claim, A: Side{Ref: a}, B: Side{Ref: b}}}
	}
	read := func(path, reason string) string { return "manual_read " + reason + " " + path }
	for _, tc := range []struct {
		name string
		in   Situation
		want []string
	}{
		{"ready", Situation{Status: Ready, Candidates: 9, Best: one}, []string{read("a.md", "manual_completed")}},
		{"ready, and another as good", Situation{Status: Ready, Candidates: 9, Best: two}, []string{
			read("a.md", "manual_completed"), read("b.md", "manual_completed")}},
		{"ready, with more elsewhere", Situation{Status: Ready, Candidates: 9, Best: one, Follow: []toolset.Ref{b}}, []string{
			read("a.md", "manual_completed"), read("b.md", "manual_completed")}},
		{"nothing anywhere", Situation{Status: Blocked}, nil},
		{"nothing, and it may not expand", Situation{Status: Blocked, Unexpanded: true}, []string{"manual_find insufficient_candidates q"}},
		{"nothing in this manual", Situation{Status: Blocked, Narrowed: true}, []string{"manual_find insufficient_candidates everywhere q"}},
		{"few, more unscanned", Situation{Status: NeedsFollowUp, Candidates: 2, Unscanned: 7, Best: one}, []string{
			read("a.md", "insufficient_candidates"), "manual_find insufficient_candidates again q"}},
		{"a gap in a manual that is not to be left", Situation{Status: NeedsFollowUp, Candidates: 9, Manual: "m", Unexpanded: true, Unscanned: 2, Gaps: []Gap{{Missing: []string{"x"}}}, Best: one}, []string{
			read("a.md", "fill_gaps")}},
		{"a gap, all was looked at", Situation{Status: NeedsFollowUp, Candidates: 9, Gaps: []Gap{{Missing: []string{"x"}}}, Best: one}, []string{
			read("a.md", "fill_gaps")}},
		{"a gap, and more unscanned", Situation{Status: NeedsFollowUp, Candidates: 9, Unscanned: 2, Gaps: []Gap{{Missing: []string{"x"}}}, Best: one}, []string{
			read("a.md", "fill_gaps"), "manual_find fill_gaps again q"}},
		{"a relevant one", Situation{Status: NeedsFollowUp, Candidates: 9, Best: one, Relevance: []float64{0.5}}, []string{
			read("a.md", "manual_completed") + " 0.5"}},
		{"others that no passage shows", Situation{Status: NeedsFollowUp, Candidates: 9, Best: four, Shown: []bool{true, true, false, false}, Relevance: []float64{0.5, 0.4, 0.3, 0.2}}, []string{
			read("a.md", "manual_completed") + " 0.5", read("c.md", "manual_completed") + " 0.3", read("d.md", "manual_completed") + " 0.2"}},
		{"one that no passage shows", Situation{Status: NeedsFollowUp, Candidates: 9, Best: four[:3], Shown: []bool{true, true, false}}, []string{
			read("a.md", "manual_completed"), read("c.md", "manual_completed"), read("b.md", "manual_completed")}},
		{"ready, and others that no passage shows", Situation{Status: Ready, Candidates: 9, Best: four, Shown: []bool{true, true, false, false}}, []string{
			read("a.md", "manual_completed"), read("b.md", "manual_completed"), read("c.md", "manual_completed")}},
		{"the answer is contradicted", Situation{Status: NeedsFollowUp, Candidates: 9, Best: one, Conflicts: against("c1")}, []string{
			read("a.md", "resolve_conflicts"), read("b.md", "resolve_conflicts")}},
		{"something else is", Situation{Status: NeedsFollowUp, Candidates: 9, Best: []toolset.Ref{c}, Conflicts: against("c2")}, []string{
			read("a.md", "resolve_conflicts"), read("b.md", "resolve_conflicts"), read("c.md", "manual_completed")}},
		{"one-sided", Situation{Status: NeedsFollowUp, Candidates: 9, Bias: 0.85, Unscanned: 4, Best: one}, []string{
			read("a.md", "reduce_file_bias"), "manual_find reduce_file_bias again q"}},
		{"not one-sided enough", Situation{Status: NeedsFollowUp, Candidates: 9, Bias: 0.7, Unscanned: 4, Best: one}, []string{read("a.md", "manual_completed")}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			tc.in.TraceID, tc.in.Query, tc.in.BiasLimit = "t", "q", 0.8
			var got []string
			for _, a := range Next(tc.in) {
				line := a.Type + " " + a.Reason + " " + inShort(a.Params)
				if a.Confidence != nil {
					line += fmt.Sprint(" ", *a.Confidence)
				}
				got = append(got, line)
			}
			if diff := cmp.Diff(tc.want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// inShort abbreviates the arguments of a call.
func inShort(params map[string]any) string {
	if ref, ok := params["ref"].(map[string]any); ok {
		return ref["path"].(string)
	}
	if kind, ok := params["kind"].(string); ok {
		return kind
	}
	how := ""
	if _, ok := params["only_unscanned_from_trace_id"]; ok {
		how = "again "
	}
	if id, ok := params["manual_id"]; ok && id == nil {
		how = "everywhere "
	} else if ok && params["expand_scope"] == false {
		how = "within " + id.(string) + " "
	} else if ok {
		how = "from " + id.(string) + " "
	}
	return how + params["query"].(string)
}

// In any situation, there are few proposals, no two are equal, and each has a reason.
func TestProposalsAreFewAndSayWhy(t *testing.T) {
	refs := []toolset.Ref{{Target: "manual", ManualID: "m", Path: "a.md", StartLine: 1}, {Target: "manual", ManualID: "m", Path: "b.md", StartLine: 1}, {Target: "manual", ManualID: "m", Path: "c.md", StartLine: 1}}
	rapid.Check(t, func(t *rapid.T) {
		some := rapid.SliceOfN(rapid.SampledFrom(refs), 0, 4)
		s := Situation{
			TraceID: "t", Query: "q", BiasLimit: 0.8,
			Status:     rapid.SampledFrom([]Status{Ready, NeedsFollowUp, Blocked}).Draw(t, "status"),
			Candidates: rapid.IntRange(0, 9).Draw(t, "n"), Bias: rapid.Float64Range(0, 1).Draw(t, "bias"), Unscanned: rapid.IntRange(0, 2).Draw(t, "left"),
			Best: some.Draw(t, "best"), Follow: some.Draw(t, "follow"),
		}
		for range rapid.IntRange(0, 4).Draw(t, "gaps") {
			s.Gaps = append(s.Gaps, Gap{Missing: []string{rapid.StringMatching(`[a-c]`).Draw(t, "word")}})
		}
		got := Next(s)
		if len(got) > mostActions {
			t.Fatalf("%d proposals", len(got))
		}
		for i, a := range got {
			if a.Reason == "" || slices.ContainsFunc(got[:i], func(b toolset.Action) bool { return same(a, b) }) {
				t.Fatalf("proposal %d of %+v", i, got)
			}
		}
	})
}

func TestFileBiasIsAShare(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		files := rapid.SliceOf(rapid.StringMatching(`[a-c]`)).Draw(t, "files")
		if bias := FileBias(len(files), func(i int) string { return files[i] }); bias < 0 || bias > 1 {
			t.Fatal(bias)
		}
	})
}
