package judge

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

func TestFileBias(t *testing.T) {
	for _, tc := range []struct {
		files []string
		want  float64
	}{{nil, 0}, {[]string{"a"}, 1}, {[]string{"a", "b", "a", "a"}, 0.75}} {
		var in []Candidate
		for _, f := range tc.files {
			in = append(in, Candidate{File: f})
		}
		if got := FileBias(in); got != tc.want {
			t.Errorf("FileBias(%v) = %g, want %g", tc.files, got, tc.want)
		}
	}
}

func TestVerdict(t *testing.T) {
	for _, tc := range []struct {
		candidates, gaps, conflicts int
		bias                        float64
		want                        Status
	}{
		{0, 0, 0, 0, Blocked},
		{2, 0, 0, 0, NeedsFollowUp},
		{3, 0, 0, 0, Ready},
		{3, 0, 0, 1, NeedsFollowUp},
		{9, 0, 0, 1, Ready},
		{9, 1, 0, 0, NeedsFollowUp},
		{9, 0, 1, 0, NeedsFollowUp},
	} {
		if got := Verdict(tc.candidates, tc.gaps, tc.conflicts, Sufficiency(tc.candidates, tc.bias)); got != tc.want {
			t.Errorf("%+v: %s", tc, got)
		}
	}
}

func TestNext(t *testing.T) {
	best := map[string]any{"manual_id": "m", "path": "a.md", "start_line": 3}
	type step struct {
		Type, Reason string
		Params       map[string]any
	}
	again := map[string]any{"query": "q", "only_unscanned_from_trace_id": "t"}
	for _, tc := range []struct {
		name string
		in   Situation
		want []step
	}{
		{"ready", Situation{Status: Ready, Candidates: 9, Best: best}, []step{{"manual_read", "manual_completed", map[string]any{"ref": best}}}},
		{"nothing anywhere", Situation{Status: Blocked}, []step{
			{"manual_hits", "insufficient_candidates", map[string]any{"trace_id": "t", "kind": "unscanned"}},
		}},
		{"nothing in this manual", Situation{Status: Blocked, Narrowed: true}, []step{
			{"manual_find", "insufficient_candidates", map[string]any{"query": "q", "manual_id": nil, "expand_scope": true}},
		}},
		{"few, more unscanned", Situation{Status: NeedsFollowUp, Candidates: 2, Unscanned: 7, Best: best}, []step{
			{"manual_find", "insufficient_candidates", again}, {"manual_read", "", map[string]any{"ref": best}},
		}},
		{"gap", Situation{Status: NeedsFollowUp, Candidates: 9, Gaps: []Gap{{Missing: []string{"x", "y"}}}, Best: best}, []step{
			{"manual_find", "fill_gaps", map[string]any{"query": "x y"}}, {"manual_read", "", map[string]any{"ref": best}},
		}},
		{"a gap that is the query itself", Situation{Status: NeedsFollowUp, Candidates: 9, Gaps: []Gap{{Missing: []string{"q"}}}, Best: best}, []step{
			{"manual_read", "", map[string]any{"ref": best}},
		}},
		{"what a need is about is searched for with it", Situation{Status: NeedsFollowUp, Candidates: 9, Gaps: []Gap{{Missing: []string{"fee"}, About: []string{"badge"}}}, Best: best}, []step{
			{"manual_find", "fill_gaps", map[string]any{"query": "badge fee"}}, {"manual_read", "", map[string]any{"ref": best}},
		}},
		{"conflict", Situation{Status: NeedsFollowUp, Candidates: 9, Best: best, Conflicts: []Conflict{
			{A: Side{Ref: Ref{"manual", "m", "a.md", 3}}, B: Side{Ref: Ref{"manual", "m", "b.md", 7}}},
		}}, []step{
			{"manual_read", "resolve_conflicts", map[string]any{"ref": best}},
			{"manual_read", "resolve_conflicts", map[string]any{"ref": map[string]any{"manual_id": "m", "path": "b.md", "start_line": 7}}},
			{"manual_read", "", map[string]any{"ref": best}},
		}},
		{"one-sided", Situation{Status: NeedsFollowUp, Candidates: 9, Bias: 0.9, Unscanned: 4, Best: best}, []step{
			{"manual_find", "reduce_file_bias", again}, {"manual_read", "", map[string]any{"ref": best}},
		}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			tc.in.TraceID, tc.in.Query = "t", "q"
			var got []step
			for _, a := range Next(tc.in) {
				got = append(got, step{a.Type, a.Reason, a.Params})
			}
			if diff := cmp.Diff(tc.want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestFiguresAreShares(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var in []Candidate
		for _, f := range rapid.SliceOf(rapid.StringMatching(`[a-c]`)).Draw(t, "files") {
			in = append(in, Candidate{File: f})
		}
		bias := FileBias(in)
		if s := Sufficiency(len(in), bias); bias < 0 || bias > 1 || s < 0 || s > 1 {
			t.Fatalf("bias %g, sufficiency %g", bias, s)
		}
	})
}
