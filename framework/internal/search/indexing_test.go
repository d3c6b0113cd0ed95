package search

import (
	"context"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/sagasu-search/sagasu/framework/internal/index"
	"github.com/sagasu-search/sagasu/framework/internal/toolset"
	"github.com/sagasu-search/sagasu/sdk/snapshot"
)

// during makes the engine's view that of an index that still lacks files, and sets patience to how long a search would
// have waited for them.
func during(e *Engine, patience *time.Duration, lacking ...snapshot.File) {
	view := e.View
	e.View = func(ctx context.Context, d time.Duration) (index.View, error) {
		*patience = d
		v, err := view(ctx, d)
		v.Lacking = lacking
		return v, err
	}
}

func TestFindWhileIndexing(t *testing.T) {
	e := engine(t, manyRows(30), fakes{list: []words{exact}})
	complete := e.View
	var patience time.Duration
	during(e, &patience, snapshot.File{Group: "m0", Path: "late.md"}, snapshot.File{Group: "m2", Path: "f00.md"})
	answer, err := find(t, e, request("disk"))
	if err != nil {
		t.Fatal(err)
	}
	if patience != 58*time.Second || answer.Summary.CutoffReason != "time_budget" || !slices.Contains(answer.Warnings, "indexing") {
		t.Errorf("patience %v, %+v, %q", patience, answer.Summary, answer.Warnings)
	}
	rest := answer.NextActions[len(answer.NextActions)-1]
	if answer.Summary.IntegrationStatus != "ready" || rest.Params["only_unscanned_from_trace_id"] != answer.TraceID {
		t.Errorf("%s with %+v", answer.Summary.IntegrationStatus, rest)
	}
	left, _ := e.Hits(t.Context(), HitsRequest{TraceID: answer.TraceID, Kind: "unscanned", Limit: 9})
	want := []Row{
		{Ref: &HitRef{Ref: toolset.Ref{Target: "manual", ManualID: "m0", Path: "late.md"}}, Reason: "time_budget"},
		{Ref: &HitRef{Ref: toolset.Ref{Target: "manual", ManualID: "m2", Path: "f00.md"}}, Reason: "time_budget"},
	}
	if diff := cmp.Diff(want, left.Items); diff != "" {
		t.Error(diff)
	}

	again := request("disk")
	again.OnlyUnscanned = answer.TraceID
	if answer, err = find(t, e, again); err != nil || answer.Summary.Candidates != 0 || answer.Summary.CutoffReason != "time_budget" {
		t.Errorf("still indexing: %+v, %v", answer, err)
	}
	e.View = complete
	if answer, err = find(t, e, again); err != nil || answer.Summary.CutoffReason != "" || answer.Summary.ScannedNodes != 0 {
		t.Errorf("files that are gone: %+v, %v", answer, err)
	}
}

func TestARepeatSearchesWhatWasIndexedSince(t *testing.T) {
	e := engine(t, manyRows(30), fakes{list: []words{exact}})
	complete := e.View
	var patience time.Duration
	during(e, &patience, snapshot.File{Group: "m0", Path: "f00.md"})
	first, err := find(t, e, request("disk"))
	if err != nil {
		t.Fatal(err)
	}
	e.View = complete
	again := request("disk")
	again.OnlyUnscanned = first.TraceID
	answer, err := find(t, e, again)
	if err != nil || answer.Summary.ScannedNodes != 5 || answer.Summary.Candidates != 2 {
		t.Errorf("%+v, %v", answer, err)
	}
}

func TestScopeWhileIndexing(t *testing.T) {
	e := engine(t, manyRows(30), fakes{list: []words{exact}})
	var patience time.Duration
	during(e, &patience, snapshot.File{Group: "new", Path: "a.md"})
	for manual, want := range map[string]struct {
		warns bool
		code  toolset.Code
	}{"m0": {}, "new": {warns: true}, "none": {code: toolset.NotFound}} {
		req := request("disk")
		req.ManualID = manual
		answer, err := find(t, e, req)
		if want.code != "" {
			if err == nil || toolset.AsError(err).Code != want.code {
				t.Errorf("%s: %v", manual, err)
			}
			continue
		}
		if err != nil || slices.Contains(answer.Warnings, "indexing") != want.warns {
			t.Errorf("%s: %+v, %v", manual, answer, err)
		}
	}
}
