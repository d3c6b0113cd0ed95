package search

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/sagasu-search/sagasu/framework/internal/index"
	"github.com/sagasu-search/sagasu/framework/internal/search/semcache"
	"github.com/sagasu-search/sagasu/framework/internal/toolset"
	"github.com/sagasu-search/sagasu/sdk/snapshot"
)

// skipping returns an engine over two manuals, m0 and m1, with files that cannot be searched; m2 has only such files.
func skipping(t *testing.T) (*Engine, *index.View) {
	e := engine(t, manyRows(9), fakes{list: []words{exact}})
	view, err := e.View(t.Context(), time.Second)
	if err != nil {
		t.Fatal(err)
	}
	view.Skipped = []toolset.Skip{
		{ManualID: "m0", Path: "nul.md", Reason: "it holds NUL bytes"},
		{ManualID: "m1", Path: "large.md", Reason: "too large"},
		{ManualID: "m2", Path: "sjis.md", Reason: "it is not UTF-8"},
	}
	e.View = func(context.Context, time.Duration) (index.View, error) { return view, nil }
	return e, &view
}

// skippedBy returns the paths that a search reports as skipped.
func skippedBy(t *testing.T, e *Engine, req Request) (paths []string, answer *Answer) {
	t.Helper()
	answer, err := e.Find(t.Context(), req)
	if err != nil {
		t.Fatal(err)
	}
	hits, err := e.Hits(t.Context(), HitsRequest{TraceID: answer.TraceID, Kind: "skipped", Limit: 9})
	if err != nil {
		t.Fatal(err)
	}
	for _, row := range hits.Items {
		paths = append(paths, row.Part.(toolset.Skip).Path)
	}
	if n := answer.Summary.SkippedFiles; n != len(paths) || n != hits.Total {
		t.Errorf("%d files are counted, %d of %d listed", n, len(paths), hits.Total)
	}
	return paths, answer
}

func TestSkippedFilesOfTheScope(t *testing.T) {
	e, _ := skipping(t)
	all := []string{"nul.md", "large.md", "sjis.md"}
	within := func(query, manual string, expand bool) Request {
		req := request(query)
		req.ManualID, req.ExpandScope = manual, expand
		return req
	}
	for _, c := range []struct {
		req  Request
		want []string
	}{
		{request("disk"), all},
		{within("disk", "M0", false), []string{"nul.md"}},
		{within("nowhere", "m1", true), all}, // the search continues in other manuals
	} {
		if got, _ := skippedBy(t, e, c.req); !cmp.Equal(c.want, got) {
			t.Errorf("%q in %q: %q, want %q", c.req.Query, c.req.ManualID, got, c.want)
		}
	}
	_, err := e.Find(t.Context(), within("disk", "m2", true))
	if bad, ok := errors.AsType[*toolset.Error](err); !ok || bad.Code != toolset.NotAvailable || bad.Details["skipped_files"] != 1 {
		t.Errorf("a manual of nothing that can be searched: %v", err)
	}
}

// A repeated search counts a file that cannot be searched once, whether it was in the scope or in a manual or file that
// was left out.
func TestSkippedFilesAreNotSearchedAgain(t *testing.T) {
	e, view := skipping(t)
	req := request("disk")
	req.ManualID, req.ExpandScope, req.MaxCandidates = "m0", false, 1
	view.Lacking = []snapshot.File{{Group: "m0", Path: "late.md"}}
	e.View = func(context.Context, time.Duration) (index.View, error) { return *view, nil }
	first, answer := skippedBy(t, e, req)
	view.Lacking = nil
	view.Skipped = append(view.Skipped, toolset.Skip{ManualID: "m0", Path: "late.md", Reason: "it is not UTF-8"})
	again := request("disk")
	again.OnlyUnscanned = answer.TraceID
	second, _ := skippedBy(t, e, again)
	if diff := cmp.Diff([][]string{{"nul.md"}, {"large.md", "late.md"}}, [][]string{first, second}); diff != "" {
		t.Error(diff)
	}
}

// Files that cannot be searched may change while the content of the index stays the same.
func TestRememberedAnswersKnowTheSkippedFilesOfToday(t *testing.T) {
	e, view := skipping(t)
	e.Options.Cache = &Cache{Default: true, Options: semcache.Options{TTL: time.Hour, Keep: 10, Guard: off}}
	e = New(e.Options)
	e.build = plainly
	skippedBy(t, e, request("disk"))
	e.Close()
	view.Skipped = view.Skipped[:1]
	e.View = func(context.Context, time.Duration) (index.View, error) { return *view, nil }
	got, answer := skippedBy(t, e, request("disk"))
	e.Close()
	if diff := cmp.Diff([]string{"nul.md"}, got); diff != "" || len(e.traces.newest) != 2 {
		t.Error(diff)
	}
	stored, err := e.traces.read(t.Context(), answer.TraceID)
	if err != nil || !cmp.Equal(stored.Skipped, view.Skipped) {
		t.Errorf("stored as %+v, %v", stored, err)
	}
}
