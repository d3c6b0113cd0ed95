package adapt

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/hashicorp/go-hclog"
)

// clock is a time that a test sets, read by the goroutines of a recorder.
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

// recorder makes one with a clock of its own.
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

// use is what a row says of its use.
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
	a, b, elsewhere := Ref{"m", "a.md", 1}, Ref{"m", "a.md", 9}, Ref{"m", "z.md", 1}

	r.Use("s1", a) // before any search: nobody's
	r.Found("s1", Row{Candidates: 1}, []Ref{a, b})
	r.Use("s1", a, elsewhere)
	r.Use("s1", a) // once is enough
	r.Use("s2", b) // another session's
	r.Found("s1", Row{Candidates: 2}, []Ref{a})
	r.Use("s1", b)
	r.Found("s2", Row{Candidates: 3}, []Ref{b})
	r.Use("s2", Ref{"m", "a.md", 0}, Ref{"n", "a.md", 0}) // whole files
	r.end("s2")
	r.Use("s2", b)
	now.add(31 * time.Minute)
	r.Use("s1", a) // its trace has expired
	r.Found("s3", Row{Candidates: 4, Used: 5, Recalled: 5}, nil)
	if err := r.Close(); err != nil {
		t.Fatal(err)
	}
	r.Found("s4", Row{}, nil) // too late
	r.Use("s4", a)

	if diff := cmp.Diff([]use{{1, 2, 1}, {3, 2, 1}, {2, 1, 0}, {4, 0, 0}}, uses(t, dir)); diff != "" {
		t.Errorf("rows (-want +got):\n%s", diff)
	}
}

func TestManySessions(t *testing.T) {
	dir, now := t.TempDir(), &clock{time: time.Unix(1_700_000_000, 0)}
	r := recorder(t, dir, now)
	for i := range mostLive + 2 {
		r.Found(fmt.Sprint(i), Row{Candidates: i}, nil)
	}
	if n := r.live.oldest.Len(); n != mostLive || len(r.live.bySession) != n {
		t.Errorf("%d traces of %d sessions are followed", n, len(r.live.bySession))
	}
	r.live.all()
	if err := r.Close(); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]use{{0, 0, 0}, {1, 0, 0}}, uses(t, dir)); diff != "" {
		t.Errorf("rows (-want +got):\n%s", diff)
	}
}

// Processes that share a file come to the same thresholds, those that start
// late included, and keep them over a restart.
func TestSharedThresholds(t *testing.T) {
	dir, now := t.TempDir(), &clock{time: time.Unix(1_700_000_000, 0)}
	random := rand.New(rand.NewPCG(1, 1))
	both := []*Recorder{recorder(t, dir, now), recorder(t, dir, now)}
	moved := false
	for i := range 800 {
		now.add(10 * time.Minute)
		r := both[i%2]
		row := poor.row(random, r.Thresholds())
		used := []Ref{{"m", "a.md", 1}, {"m", "b.md", 1}}
		r.Found("s", row, used[:1])
		r.Use("s", used[:1]...)
		if row.Recalled < row.Used {
			r.Use("s", used[1:]...)
		}
		r.end("s")
		r.writes.Wait()
		moved = moved || r.Thresholds() != base
	}
	if !moved {
		t.Error("a poor load moved nothing")
	}
	late := recorder(t, dir, now)
	for _, r := range both {
		if err := r.options.Log.Follow(r.tuner.Add); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(late.tuner.State(), r.tuner.State()); diff != "" {
			t.Errorf("a late start and an old process (-late +old):\n%s", diff)
		}
		r.Close()
	}
	late.Close()
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
	if err := l.Append(wide); err != nil {
		t.Fatal(err)
	}
	r := NewRecorder(Options{Log: l, Policy: policy, TTL: time.Hour, Logger: hclog.NewNullLogger()})
	r.now = l.now
	r.Found("s", Row{}, nil)
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
	r.Found("s", Row{}, nil)
	r.Use("s", Ref{})
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
	r.Found("s", Row{}, nil)
	r.end("s")
	if got := r.Thresholds(); got != base {
		t.Errorf("thresholds %+v", got)
	}
	if err := r.Close(); err != nil {
		t.Error(err)
	}
}

func TestConcurrentSessions(t *testing.T) {
	dir, now := t.TempDir(), &clock{time: time.Unix(1_700_000_000, 0)}
	r := recorder(t, dir, now)
	var wg sync.WaitGroup
	const sessions, searches = 8, 25
	for s := range sessions {
		wg.Go(func() {
			name, ref := fmt.Sprint(s), Ref{"m", "a.md", s}
			for range searches {
				r.Found(name, Row{Candidates: 1}, []Ref{ref})
				r.Use(name, ref)
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
		if u != (use{1, 1, 1}) {
			t.Fatalf("a row of %+v", u)
		}
	}
	if len(got) != sessions*searches {
		t.Errorf("%d rows, want %d", len(got), sessions*searches)
	}
}

// end ends a session: its trace takes no more use.
func (r *Recorder) end(session string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.enqueue(linesOf(r.live.end(session)))
}
