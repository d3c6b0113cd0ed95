package host

import (
	"errors"
	"os"
	"path/filepath"
	"strconv"
	"testing"
	"time"

	"github.com/RoaringBitmap/roaring/v2"

	"github.com/sagasu-search/sagasu/sdk"
	"github.com/sagasu-search/sagasu/sdk/snapshot"
	"github.com/sagasu-search/sagasu/sdk/x/wire"
)

// publish makes a snapshot of n sections in dir.
func publish(t testing.TB, dir string, n int) *snapshot.Snapshot {
	t.Helper()
	rows := make([][2]string, n)
	for i := range rows {
		rows[i] = [2]string{"heading", "body " + strconv.Itoa(i)}
	}
	return texts(t, dir, rows...)
}

// texts publishes sections of a heading and a body.
func texts(t testing.TB, dir string, rows ...[2]string) *snapshot.Snapshot {
	t.Helper()
	w := snapshot.NewWriter(snapshot.ManualSchema(snapshot.KindManual))
	w.AddFile(snapshot.File{Group: "m", Path: "a.md"})
	for i, row := range rows {
		w.Add(snapshot.Section{
			Title: row[0], Node: snapshot.NodeHeading, Level: 1, Start: i + 1, End: i + 1, OwnEnd: i + 1, Body: i + 1, Parent: snapshot.None,
		}, append(row[:], ""))
	}
	name, err := snapshot.NextName(dir, snapshot.KindManual)
	must(t, err)
	info, err := w.WriteFile(t.Context(), dir, snapshot.SegmentFile(name))
	must(t, err)
	must(t, snapshot.Publish(dir, w.Manifest(name, info)))
	snap, err := snapshot.Open(dir, name, true)
	must(t, err)
	t.Cleanup(func() { must(t, snap.Close()) })
	return snap
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// options are those of a host on actors of the given names. There is no memory
// limit, since the race detector reserves more than any.
func options(t testing.TB, names ...string) Options {
	t.Helper()
	o := Options{
		Bundled:  func(names ...string) []string { return append([]string{partServe}, names...) },
		Wrapper:  []string{partWrap},
		IndexDir: t.TempDir(), StateDir: t.TempDir(),
		MemoryLimit:  -1,
		CallTimeout:  time.Minute, // machines that test are busy
		StartTimeout: time.Minute,
	}
	for _, name := range names {
		o.Entries = append(o.Entries, Entry{Name: name})
	}
	return o
}

// start returns a host and a snapshot of ten sections for it to search.
func start(t testing.TB, o Options) (*Host, *snapshot.Snapshot) {
	t.Helper()
	t.Setenv("TMPDIR", t.TempDir())
	h, err := New(o)
	must(t, err)
	t.Cleanup(func() {
		must(t, h.Close())
		left, err := filepath.Glob(filepath.Join(os.Getenv("TMPDIR"), "*"))
		must(t, err)
		if len(left) > 0 {
			t.Errorf("left behind: %v", left)
		}
	})
	return h, publish(t, o.IndexDir, 10)
}

func request(snap *snapshot.Snapshot, raw string) *sdk.Request {
	return &sdk.Request{Query: sdk.Query{Raw: raw, Intent: sdk.IntentUnknown}, Corpus: snap, Limit: 100}
}

// settle waits for a running process, however long it takes to start.
func settle(t testing.TB, h *Host) {
	t.Helper()
	s := h.supervisors[0]
	p, err := s.acquire(t.Context(), true)
	must(t, err)
	s.release(p)
}

// ask returns the only term, or else the only warning, of a search.
func ask(t testing.TB, h *Host, snap *snapshot.Snapshot, raw string) string {
	t.Helper()
	res, err := h.Search(t.Context(), h.supervisors[0].entry().Name, request(snap, raw))
	must(t, err)
	if len(res.Candidates) == 1 && len(res.Candidates[0].Terms) == 1 {
		return res.Candidates[0].Terms[0]
	}
	if len(res.Warnings) != 1 {
		t.Fatalf("%q gave the warnings %q", raw, res.Warnings)
	}
	return res.Warnings[0]
}

// try searches until the strategy is there to answer, and returns its answer.
func try(t *testing.T, h *Host, snap *snapshot.Snapshot, query string) (*sdk.Result, error) {
	t.Helper()
	req := request(snap, query)
	req.Scope = roaring.BitmapOf(0, 1, 2, 3, 4)
	for {
		res, err := h.Search(t.Context(), "actor", req)
		if !errors.Is(err, ErrStarting) && !errors.Is(err, ErrBackoff) && !errors.Is(err, wire.ErrOpening) {
			return res, err
		}
		time.Sleep(10 * time.Millisecond)
	}
}
