package search

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/sagasu-search/sagasu/framework/internal/index"
	"github.com/sagasu-search/sagasu/sdk"
	"github.com/sagasu-search/sagasu/sdk/sdktest"
	"github.com/sagasu-search/sagasu/sdk/snapshot"
)

// segmentOf returns the file with the sections of a snapshot.
func segmentOf(t *testing.T, snap *snapshot.Snapshot) string {
	t.Helper()
	if runtime.GOOS == "windows" {
		t.Skip("a mapped file cannot be cut")
	}
	files, err := filepath.Glob(filepath.Join(snap.Dir(), "*.seg"))
	if err != nil || len(files) != 1 {
		t.Fatal(files, err)
	}
	return files[0]
}

// viewing makes an engine read one snapshot after the other, and then the last one.
func viewing(e *Engine, snaps ...*snapshot.Snapshot) {
	e.View = func(context.Context, time.Duration) (index.View, error) {
		snap := snaps[0]
		snaps = snaps[min(1, len(snaps)-1):]
		return index.View{Snapshot: snap, Since: time.Now(), Release: func() {}}, nil
	}
}

// cutting is a host whose strategies find every section and cut the file of the index, as a full disk does.
type cutting struct {
	fakes
	file string
}

func (c cutting) Search(_ context.Context, _ string, req *sdk.Request) (*sdk.Result, error) {
	return &sdk.Result{Matched: req.Corpus.Live(), Finished: true}, os.Truncate(c.file, 0)
}

// A file that ends early fails a search, in whatever goroutine it is read, and not the process.
func TestACutFileFailsTheSearch(t *testing.T) {
	for name, queries := range map[string][]string{"one query": {"disk"}, "several": {"disk", "text", "plain"}} {
		t.Run(name, func(t *testing.T) {
			snap := sdktest.Snapshot(t, manyRows(3000)...)
			e := engine(t, nil, cutting{fakes{list: []words{exact}}, segmentOf(t, snap)})
			viewing(e, snap)
			req := request("")
			req.Queries = queries
			answer, err := e.Find(t.Context(), req)
			if _, ok := errors.AsType[*snapshot.CorruptError](err); !ok {
				t.Errorf("%+v, %v", answer, err)
			}
		})
	}
}

// mute returns no result for one of the queries.
type mute struct {
	fakes
	query string
}

func (m mute) Search(ctx context.Context, name string, req *sdk.Request) (*sdk.Result, error) {
	if req.Query.Raw == m.query {
		return nil, nil
	}
	return m.fakes.Search(ctx, name, req)
}

// A panic while one of several queries is retrieved costs its sections, and the answer says so.
func TestAPanicOfOneQueryIsAWarning(t *testing.T) {
	e := engine(t, manyRows(30), mute{fakes{list: []words{exact}}, "plain"})
	req := request("")
	req.Queries = []string{"plain", "disk"}
	answer, err := e.Find(t.Context(), req)
	if err != nil || answer.Summary.Candidates == 0 {
		t.Fatalf("%+v, %v", answer, err)
	}
	if !slices.ContainsFunc(answer.Warnings, func(w string) bool { return strings.Contains(w, "did not contribute") }) ||
		!slices.Contains(answer.Summary.StatusReasons, statusStrategy) {
		t.Errorf("warnings %q, status %q", answer.Warnings, answer.Summary.StatusReasons)
	}
}

// Lines that were read from a snapshot that turns out to be damaged are read again from the next one.
func TestLinesAreReadAgainFromTheNextSnapshot(t *testing.T) {
	damaged, intact := sdktest.Snapshot(t, manyRows(30)...), sdktest.Snapshot(t, manyRows(30)...)
	e := engine(t, nil, fakes{list: []words{exact}})
	viewing(e, intact)
	answer, err := find(t, e, request("disk"))
	if err != nil {
		t.Fatal(err)
	}
	list := HitsRequest{TraceID: answer.TraceID, Kind: "candidates", Format: FormatLines, Limit: 5}
	want, err := e.Hits(t.Context(), list)
	if err != nil || len(want.Lines) != 5 {
		t.Fatal(want, err)
	}
	file := segmentOf(t, damaged)
	whole, err := os.ReadFile(file)
	if err := errors.Join(err, os.Truncate(file, 0)); err != nil {
		t.Fatal(err)
	}
	if damaged.Guard(func() error { _ = strings.Clone(damaged.Source(0, snapshot.FieldBody)); return nil }) == nil {
		t.Fatal("nothing notices that the file was cut")
	}
	if err := os.WriteFile(file, whole, 0o600); err != nil { // it can be read to the end again
		t.Fatal(err)
	}
	viewing(e, damaged, intact)
	if got, err := e.Hits(t.Context(), list); err != nil || !cmp.Equal(got, want) {
		t.Errorf("%+v, %v", got, err)
	}
}
