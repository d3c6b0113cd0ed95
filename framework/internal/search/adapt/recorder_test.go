package adapt

import (
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/hashicorp/go-hclog"

	"github.com/sagasu-search/sagasu/framework/internal/toolset"
)

// clock is a time that a test sets, and that the goroutines of a recorder read.
type clock struct {
	mu   sync.Mutex
	time time.Time
}

func (c *clock) now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.time
}

func (c *clock) add(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.time = c.time.Add(d)
}

// recorder returns a recorder with a clock of its own.
func recorder(t *testing.T, dir string, c *clock) *Recorder {
	t.Helper()
	l, err := OpenLog(dir, logName)
	if err != nil {
		t.Fatal(err)
	}
	l.now = c.now
	r := NewRecorder(Options{Log: l, Policy: policy, Tuning: true, TTL: 30 * time.Minute, Logger: hclog.NewNullLogger()})
	r.now = l.now
	return r
}

// use is the use that a row records.
type use struct{ Candidates, Used, Recalled int }

func uses(t *testing.T, dir string) (out []use) {
	t.Helper()
	rows, err := open(t, dir).Rows(16 << 20)
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range rows {
		out = append(out, use{r.Candidates, r.Used, r.Recalled})
	}
	return out
}

func TestUseBelongsToTheNewestLiveTrace(t *testing.T) {
	dir, now := t.TempDir(), &clock{time: time.Unix(1_700_000_000, 0)}
	r := recorder(t, dir, now)
	a, b, elsewhere := section("a.md", 1), section("a.md", 9), section("z.md", 1)

	r.Use(a) // before any search, so it counts for none
	r.Found(Row{Candidates: 1}, []toolset.Ref{a, b})
	r.Use(a)
	r.Use(elsewhere)
	r.Use(a) // counts once
	r.Found(Row{Candidates: 2}, []toolset.Ref{a})
	r.Use(b)
	r.Found(Row{Candidates: 3}, []toolset.Ref{b})
	r.Use(section("a.md", 0)) // whole files
	r.Use(toolset.Ref{ManualID: "n", Path: "a.md"})
	now.add(31 * time.Minute)
	r.Use(b) // its trace has expired
	r.Found(Row{Candidates: 4, Used: 5, Recalled: 5}, nil)
	if err := r.Close(); err != nil {
		t.Fatal(err)
	}
	r.Found(Row{}, nil) // too late
	r.Use(a)

	if diff := cmp.Diff([]use{{1, 2, 1}, {2, 1, 0}, {3, 2, 1}, {4, 0, 0}}, uses(t, dir)); diff != "" {
		t.Errorf("rows (-want +got):\n%s", diff)
	}
}

// The gain of a follow-up call is kept with the searches, but moves no threshold.
func TestGained(t *testing.T) {
	dir, now := t.TempDir(), &clock{time: time.Unix(1_700_000_000, 0)}
	r := recorder(t, dir, now)
	r.Gained("vault_scan", 3, 12)
	if err := r.Close(); err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(filepath.Join(dir, logName))
	if err != nil || !strings.Contains(string(data), `"tool":"vault_scan"`) ||
		!strings.Contains(string(data), `"added_evidence_count":3,"added_est_tokens":12,"marginal_gain":0.25`) {
		t.Errorf("%s, %v", data, err)
	}
	if got := uses(t, dir); len(got) > 0 {
		t.Errorf("it counts as a search: %v", got)
	}
}

// Thresholds that have moved survive a restart.
func TestThresholdsOutliveARestart(t *testing.T) {
	dir, now := t.TempDir(), &clock{time: time.Unix(1_700_000_000, 0)}
	random := rand.New(rand.NewPCG(1, 1))
	r := recorder(t, dir, now)
	moved := false
	for i := range 800 {
		now.add(10 * time.Minute)
		row := poor.row(random, r.Thresholds())
		r.Found(row, []toolset.Ref{section("a.md", 1)})
		r.Use(section("a.md", 1))
		if row.Recalled < row.Used {
			r.Use(section("b.md", 1))
		}
		if i%50 < 49 {
			continue
		}
		if err := r.Close(); err != nil {
			t.Fatal(err)
		}
		again := recorder(t, dir, now)
		if diff := cmp.Diff(r.state, again.state); diff != "" {
			t.Fatalf("after %d rows and a restart (-before +after):\n%s", i, diff)
		}
		r = again
		moved = moved || r.Thresholds() != base
	}
	if err := r.Close(); err != nil {
		t.Fatal(err)
	}
	if !moved {
		t.Error("a poor load moved nothing")
	}
}

func TestWithoutTuning(t *testing.T) {
	dir, now := t.TempDir(), &clock{time: time.Unix(1_700_000_000, 0)}
	l, err := OpenLog(dir, logName)
	if err != nil {
		t.Fatal(err)
	}
	l.now = now.now
	wide := rowAt(1)
	wide.State.Thresholds = Thresholds{6, 0.70}
	if _, err := l.Append(wide); err != nil {
		t.Fatal(err)
	}
	r := NewRecorder(Options{Log: l, Policy: policy, TTL: time.Hour, Logger: hclog.NewNullLogger()})
	r.now = l.now
	r.Found(Row{}, nil)
	if got := r.Thresholds(); got != base {
		t.Errorf("thresholds %+v", got)
	}
	r.Close()
	rows, err := open(t, dir).Rows(1 << 20)
	if err != nil || len(rows) != 2 || rows[1].Thresholds != base {
		t.Errorf("rows %+v: %v", rows, err)
	}
}

func TestOff(t *testing.T) {
	var r *Recorder
	r.Found(Row{}, nil)
	r.Use(toolset.Ref{})
	if err := r.Close(); err != nil {
		t.Error(err)
	}
}

// A file that cannot be written or read costs rows and nothing else.
func TestNowhereToWrite(t *testing.T) {
	dir, now := t.TempDir(), &clock{time: time.Unix(1_700_000_000, 0)}
	if err := os.MkdirAll(filepath.Join(dir, logName), 0o700); err != nil {
		t.Fatal(err)
	}
	r := recorder(t, dir, now)
	r.Found(Row{}, nil)
	if got := r.Thresholds(); got != base {
		t.Errorf("thresholds %+v", got)
	}
	if err := r.Close(); err != nil {
		t.Error(err)
	}
}

func TestConcurrentUse(t *testing.T) {
	dir, now := t.TempDir(), &clock{time: time.Unix(1_700_000_000, 0)}
	r := recorder(t, dir, now)
	var wg sync.WaitGroup
	const callers, searches = 8, 25
	for range callers {
		wg.Go(func() {
			for range searches {
				r.Found(Row{Candidates: 1}, []toolset.Ref{section("a.md", 1)})
				r.Use(section("a.md", 1))
				r.Thresholds()
			}
		})
	}
	wg.Wait()
	if err := r.Close(); err != nil {
		t.Fatal(err)
	}
	got := uses(t, dir)
	for _, u := range got {
		if u.Candidates != 1 || u.Used > 1 || u.Recalled != u.Used {
			t.Fatalf("a row of %+v", u)
		}
	}
	if len(got) != callers*searches {
		t.Errorf("%d rows, want %d", len(got), callers*searches)
	}
}

func section(path string, line int) toolset.Ref {
	return toolset.Ref{ManualID: "m", Path: path, StartLine: line}
}
