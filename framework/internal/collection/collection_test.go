package collection_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/hashicorp/go-hclog"
	"go.uber.org/goleak"

	"github.com/sagasu-search/sagasu/framework/internal/collection"
	"github.com/sagasu-search/sagasu/framework/internal/collection/testdata/engine"
	"github.com/sagasu-search/sagasu/framework/internal/corpus"
	"github.com/sagasu-search/sagasu/framework/internal/host"
	"github.com/sagasu-search/sagasu/framework/internal/index"
	"github.com/sagasu-search/sagasu/framework/internal/search"
	"github.com/sagasu-search/sagasu/framework/internal/toolset"
	"github.com/sagasu-search/sagasu/sdk"
	"github.com/sagasu-search/sagasu/sdk/lexical"
	"github.com/sagasu-search/sagasu/sdk/snapshot"
	"github.com/sagasu-search/sagasu/sdk/x/wire"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// manuals are those of the sample workspace.
func manuals(t *testing.T) []corpus.Manual {
	t.Helper()
	found, err := corpus.Manuals(filepath.Join("..", "..", "..", "testdata", "workspace", "manuals"), nil)
	if err != nil {
		t.Fatal(err)
	}
	return found
}

// opened returns a collection of the sample manuals, the engine that holds it, and where its snapshots lie.
func opened(t *testing.T) (*collection.Collection, *engine.Engine, string) {
	t.Helper()
	x, err := index.Open(index.Options{
		Dir: t.TempDir(), Source: corpus.ManualSource{},
		Manuals: func(context.Context) ([]corpus.Manual, error) { return manuals(t), nil },
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { x.Close() })
	view, err := x.View(t.Context(), time.Minute)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(view.Release)
	e, dir := &engine.Engine{Snapshot: view.Snapshot, Answered: 3}, t.TempDir()
	c, err := collection.Open(collection.Options{
		Dir: dir, Strategies: host.InProcess(e), Strategy: "engine", Kind: snapshot.KindManual, Stored: true,
		Logger: hclog.NewNullLogger(),
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := c.Close(); err != nil {
			t.Error(err)
		}
		if left, err := os.ReadDir(dir); err != nil || len(left) > 0 {
			t.Errorf("left behind: %v, %v", left, err)
		}
	})
	return c, e, dir
}

func asked(query string) collection.Ask {
	return collection.Ask{Query: search.Plan(query, search.DefaultSettings().MatchThreshold)}
}

func viewed(t *testing.T, c *collection.Collection, ask collection.Ask) collection.View {
	t.Helper()
	v, err := c.View(t.Context(), ask, time.Minute)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(v.Release)
	return v
}

func TestASnapshotHasTheStatisticsOfItsCollection(t *testing.T) {
	c, e, _ := opened(t)
	v := viewed(t, c, asked("ディスク 交換 warranty のです"))
	near, far := v.Snapshot, e.Snapshot
	if n := near.Live().GetCardinality(); n == 0 || n >= far.Live().GetCardinality() || near.Population() != far.Population() {
		t.Errorf("%d sections of %d", n, near.Population())
	}
	for _, term := range []string{"交換", "warranti", "です", "スク"} {
		if near.DocFreq(term) != far.DocFreq(term) || near.DocFreq(term) == 0 {
			t.Errorf("%s is in %d sections, want %d", term, near.DocFreq(term), far.DocFreq(term))
		}
	}
	for f := range far.Fields() {
		if near.AvgLen(f) != far.AvgLen(f) {
			t.Errorf("field %d has %v tokens, want %v", f, near.AvgLen(f), far.AvgLen(f))
		}
	}
	for it := near.Live().Iterator(); it.HasNext(); {
		sec, _ := near.Section(it.Next())
		if sec.Parent == snapshot.None {
			continue
		}
		if parent, _ := near.Section(sec.Parent); parent.Path != sec.Path || parent.Level >= sec.Level || parent.End < sec.End {
			t.Errorf("%s:%d lies below %d", sec.Path, sec.Start, parent.Start)
		}
	}
}

// TestStoredFieldsChangeNoSearch compares a collection that keeps a field for a strategy with one that keeps none.
func TestStoredFieldsChangeNoSearch(t *testing.T) {
	const query = "ディスク 交換 warranty period"
	plain, _, _ := opened(t)
	c, e, _ := opened(t)
	e.After = func(req *sdk.GatherRequest, found *sdk.Gathered) {
		if !req.Stored {
			return
		}
		found.Stored = []string{snapshot.StoredField + "x"}
		for i := range found.Sections {
			s := &found.Sections[i]
			s.Fields = append(s.Fields, "warranty period "+s.Fields[snapshot.FieldHeading])
		}
	}
	without, with := viewed(t, plain, asked(query)).Snapshot, viewed(t, c, asked(query)).Snapshot
	for it := with.Live().Iterator(); it.HasNext(); {
		id := it.Next()
		if got, want := with.Source(id, 3), "warranty period "+with.Source(id, snapshot.FieldHeading); got != want {
			t.Fatalf("section %d keeps %q, want %q", id, got, want)
		}
	}
	var q lexical.Query
	for i, term := range []string{"交換", "warranti", "ディ", "スク", "period"} {
		q.Terms = append(q.Terms, lexical.Term{Text: term, Weight: 1, Slot: i})
	}
	search := func(snap *snapshot.Snapshot) []lexical.Hit {
		return lexical.Search(t.Context(), snap, nil, q, lexical.DefaultParams(true), 1000).Hits
	}
	if diff := cmp.Diff(search(without), search(with)); diff != "" || len(search(with)) == 0 {
		t.Errorf("%d hits, without to with: %s", len(search(with)), diff)
	}
}

// TestASampleRepresentsTheCollection searches for a word of few sections, and looks at what lies beside them.
func TestASampleRepresentsTheCollection(t *testing.T) {
	c, e, _ := opened(t)
	v := viewed(t, c, asked("disk"))
	sampled := func(v collection.View) (*snapshot.Snapshot, error) {
		return snapshot.Open(v.Snapshot.Dir(), v.Snapshot.Manifest().Sample, true)
	}
	fair, err := sampled(v)
	if err != nil {
		t.Fatal(err)
	}
	defer fair.Close()
	groups := map[string]bool{}
	for it := fair.Live().Iterator(); it.HasNext(); {
		sec, _ := fair.Section(it.Next())
		groups[sec.Group] = true
	}
	if len(groups) != len(manuals(t)) {
		t.Errorf("it has sections of %v", groups)
	}
	e.Generation = "2"
	next := viewed(t, c, asked("disk"))
	if next.Snapshot.Manifest().Sample == v.Snapshot.Manifest().Sample {
		t.Error("another generation has the same sample")
	}
	again, err := sampled(v)
	if err != nil {
		t.Fatalf("the sample of a snapshot in use: %v", err)
	}
	again.Close()
	fails := func(_ context.Context, req *sdk.GatherRequest) error {
		if req.Sample {
			return errors.New("none")
		}
		return nil
	}
	e.Before, e.Generation = fails, "3"
	if last := viewed(t, c, asked("disk")); last.Snapshot.Manifest().Sample != next.Snapshot.Manifest().Sample {
		t.Error("the sample of the last generation is not used on")
	}
	c, e, _ = opened(t)
	e.Before = fails
	if _, err := c.View(t.Context(), asked("disk"), time.Minute); toolset.AsError(err).Code != toolset.NotAvailable {
		t.Errorf("no sample: %v", err)
	}
	if nothing := viewed(t, c, asked("xyzzy")); !nothing.Snapshot.Live().IsEmpty() {
		t.Error("a word that no section holds is gathered")
	}
}

// TestOnlyAStrategyThatWasNotThereIsAskedAgain leaves calls that stalled to the strategy, which has tried other nodes.
func TestOnlyAStrategyThatWasNotThereIsAskedAgain(t *testing.T) {
	for _, test := range []struct {
		fails error
		times int
		calls int
		want  string // of the error
	}{
		{wire.ErrGone, 1, 2, ""},
		{host.ErrStarting, 1, 2, ""},
		{wire.ErrGone, 2, 2, "its process ended"},
		{context.DeadlineExceeded, 1, 1, "in time"},
	} {
		c, e, _ := opened(t)
		calls := 0
		e.Before = func(_ context.Context, req *sdk.GatherRequest) error {
			if req.Sample {
				return nil
			}
			if calls++; calls <= test.times {
				return test.fails
			}
			return nil
		}
		v, err := c.View(t.Context(), asked("disk"), time.Minute)
		switch {
		case err == nil:
			v.Release()
		case test.want == "" || toolset.AsError(err).Code != toolset.NotAvailable:
			t.Errorf("%v, %d times: %v", test.fails, test.times, err)
		}
		if calls != test.calls || test.want != "" && (err == nil || !strings.Contains(err.Error(), test.want)) {
			t.Errorf("%v, %d times: %d calls, %v", test.fails, test.times, calls, err)
		}
	}
}

func TestACollectionThatFailsIsNamed(t *testing.T) {
	c, e, _ := opened(t)
	e.Before = func(context.Context, *sdk.GatherRequest) error { return errors.New("the password is xyzzy") }
	_, err := c.View(t.Context(), asked("disk"), time.Minute)
	if said := toolset.AsError(err); said.Code != toolset.NotAvailable || !strings.Contains(said.Message, "strategy engine") || strings.Contains(said.Message, "xyzzy") {
		t.Error(err)
	}
	if _, err := c.Check(t.Context()); err == nil {
		t.Error("the check passed")
	}
	e.Before = nil
	if _, err := c.Check(t.Context()); err != nil {
		t.Error(err)
	}
	ask := asked("disk")
	ask.Group = "nowhere"
	if _, err := c.View(t.Context(), ask, time.Minute); toolset.AsError(err).Code != toolset.NotFound {
		t.Errorf("an unknown manual: %v", err)
	}
	ask.Group = "aoba-nas"
	ask.Query = search.Plan("zyxwvut", 0.05)
	if v := viewed(t, c, ask); !v.Snapshot.Live().IsEmpty() {
		t.Errorf("%d sections", v.Snapshot.Live().GetCardinality())
	}
}

func TestAPartIsSeenAgain(t *testing.T) {
	c, e, dir := opened(t)
	calls, samples := 0, 0
	e.Before = func(_ context.Context, req *sdk.GatherRequest) error {
		if req.Sample {
			samples++
		} else {
			calls++
		}
		return nil
	}
	first := viewed(t, c, asked("disk"))
	if calls != 1 || first.Part.Ask.Generation != "1" {
		t.Fatalf("%d calls, %+v", calls, first.Part)
	}
	if again := viewed(t, c, first.Part.Ask); calls != 1 || again.Snapshot != first.Snapshot {
		t.Errorf("%d calls: what was gathered is kept", calls)
	}
	if newest := viewed(t, c, asked("disk")); calls != 2 || newest.Snapshot == first.Snapshot {
		t.Errorf("%d calls: a search sees the newest", calls)
	}
	for range 9 {
		v, err := c.View(t.Context(), asked("fan"), time.Minute)
		if err != nil {
			t.Fatal(err)
		}
		v.Release()
	}
	if _, ok := first.Snapshot.Section(0); !ok {
		t.Error("a snapshot in use is gone")
	}
	files, _ := filepath.Glob(filepath.Join(dir, "*", "manual-*"))
	if len(files) != 2*(8+2+1) { // those kept, the two in use, and the sample
		t.Errorf("%d files", len(files))
	}
	calls = 0
	if v := viewed(t, c, first.Part.Ask); calls != 1 || v.Snapshot.Fingerprint() != first.Snapshot.Fingerprint() {
		t.Errorf("%d calls: it is gathered again", calls)
	}
	e.Generation = "2"
	gone := first.Part.Ask
	gone.Cursor = "1"
	_, err := c.View(t.Context(), gone, time.Minute)
	if said := toolset.AsError(err); said.Code != toolset.NotFound || said.Details["example"] == nil {
		t.Errorf("another generation: %v", err)
	}
	if v := viewed(t, c, asked("disk")); v.Snapshot.Fingerprint() == first.Snapshot.Fingerprint() {
		t.Error("the fingerprint of another generation is the same")
	}
	if samples != 2 {
		t.Errorf("%d samples of two generations", samples)
	}
}

// The engine is asked for few searches at once, and none of the others fails.
func TestSearchesWaitForTheirTurn(t *testing.T) {
	c, e, _ := opened(t)
	var under, most atomic.Int32
	e.Before = func(context.Context, *sdk.GatherRequest) error {
		if n := under.Add(1); n > most.Load() {
			most.Store(n)
		}
		time.Sleep(time.Millisecond)
		under.Add(-1)
		return nil
	}
	var group sync.WaitGroup
	for range 40 {
		group.Go(func() {
			view, err := c.View(t.Context(), asked("保証期間"), time.Hour)
			if err != nil {
				t.Error(err)
				return
			}
			view.Release()
		})
	}
	group.Wait()
	if n, turns := most.Load(), max(4, runtime.GOMAXPROCS(0)); int(n) > turns {
		t.Errorf("%d searches gathered at once, more than %d", n, turns)
	}
}

func TestWhatAKilledProcessLeavesIsRemoved(t *testing.T) {
	base := t.TempDir()
	left := filepath.Join(base, "gathered-1")
	if err := os.Mkdir(left, 0o700); err != nil {
		t.Fatal(err)
	}
	lock, old := filepath.Join(left, "process.lock"), time.Now().Add(-time.Hour)
	if err := errors.Join(os.WriteFile(lock, nil, 0o600), os.Chtimes(lock, old, old)); err != nil {
		t.Fatal(err)
	}
	open := func() *collection.Collection {
		c, err := collection.Open(collection.Options{Dir: base, Kind: snapshot.KindManual, Logger: hclog.NewNullLogger()})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { c.Close() })
		return c
	}
	open()
	if _, err := os.Stat(left); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("it is still there: %v", err)
	}
	names, _ := filepath.Glob(filepath.Join(base, "gathered-*", "process.lock"))
	if err := os.Chtimes(names[0], old, old); err != nil {
		t.Fatal(err)
	}
	open()
	if _, err := os.Stat(names[0]); err != nil {
		t.Errorf("that of a living process is gone: %v", err)
	}
}
