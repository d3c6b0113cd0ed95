package host_test

import (
	"context"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/hashicorp/go-hclog"

	"github.com/sagasu-search/sagasu/framework/internal/host"
	"github.com/sagasu-search/sagasu/framework/internal/index"
	"github.com/sagasu-search/sagasu/framework/internal/search"
	"github.com/sagasu-search/sagasu/framework/internal/store"
	"github.com/sagasu-search/sagasu/sdk"
	"github.com/sagasu-search/sagasu/sdk/snapshot"
)

// witness records which strategies answered a search.
type witness struct {
	*host.Host
	mu       sync.Mutex
	answered []string
}

func (w *witness) Search(ctx context.Context, name string, req *sdk.Request) (*sdk.Result, error) {
	res, err := w.Host.Search(ctx, name, req)
	w.mu.Lock()
	defer w.mu.Unlock()
	if err == nil {
		w.answered = append(w.answered, name)
	}
	return res, err
}

// harmed returns which of the strategies have not answered since the last call; the warnings must name those.
func (w *witness) harmed(t *testing.T, names, warnings []string) (harmed []string) {
	t.Helper()
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, name := range names {
		if slices.Contains(w.answered, name) {
			continue
		}
		harmed = append(harmed, name)
		if !slices.ContainsFunc(warnings, func(s string) bool {
			words := strings.FieldsFunc(s, func(r rune) bool { return r == ' ' || r == ',' })
			return strings.HasPrefix(s, "strateg") && slices.Contains(words, name)
		}) {
			t.Errorf("%s is harmed and not named: %q", name, warnings)
		}
	}
	w.answered = nil
	return harmed
}

// TestSearchesSurviveHavoc searches while one strategy is killed at random, one
// is stopped and one breaks the rules; a fourth is let alone.
func TestSearchesSurviveHavoc(t *testing.T) {
	goroutines, open := runtime.NumGoroutine(), descriptors(t)
	names := []string{"steady", "killed", "stopped", "corrupter"}
	o := host.ForTest(t, names...)
	o.CallTimeout = 2 * time.Second
	o.Suspension = time.Millisecond // else it would be left alone most of the time
	h, snap := host.StartNow(t, o)
	w := &witness{Host: h}
	engine := newEngine(t, w, snap)
	const budget = 20 * time.Second
	search := func() []string {
		ctx, cancel := context.WithTimeout(t.Context(), budget)
		defer cancel()
		answer, err := engine.Find(ctx, search.Request{Query: "find body", MaxCandidates: 10, TimeMS: int(budget.Milliseconds())})
		if err != nil || ctx.Err() != nil {
			t.Fatalf("not answered in its budget: %v", err)
		}
		return w.harmed(t, names, answer.Warnings)
	}
	for len(search()) > 0 { // all must run when their descriptors are counted
	}
	running, threads, locks := descriptors(t), entries(t, "/proc/self/task"), heldLocks(t)

	count := map[string]int{}
	took := make([]time.Duration, 0, searches)
	for i := range searches {
		time.AfterFunc(rand.N(5*time.Millisecond), func() { havoc(t, h, i) })
		began := time.Now()
		for _, name := range search() {
			count[name]++
		}
		took = append(took, time.Since(began))
		time.Sleep(rand.N(5 * time.Millisecond))
	}
	slices.Sort(took)
	t.Logf("%d searches: harmed %v, median %v, worst %v", searches, count, took[len(took)/2], took[len(took)-1])
	for _, name := range names {
		if harmed := count[name] > 0; harmed != (name != "steady") {
			t.Errorf("%s was harmed %d times", name, count[name])
		}
	}

	until(t, "children", func() bool { return entries(t, "/proc/self/task") < threads+20 && len(children(t)) <= len(names) })
	until(t, "descriptors of running strategies", func() bool { return descriptors(t) <= running })
	if got := heldLocks(t); got > locks {
		t.Errorf("%d locks, %d at first", got, locks)
	}
	engine.Close()
	if err := h.Close(); err != nil {
		t.Error(err)
	}
	if left := children(t); len(left) > 0 {
		t.Errorf("children %v outlive the host", left)
	}
	until(t, "descriptors", func() bool { return descriptors(t) <= open+snapshotFiles })
	until(t, "goroutines", func() bool { return runtime.NumGoroutine() <= goroutines })
}

// snapshotFiles are what the test's own snapshot holds open.
const snapshotFiles = 1

// havoc kills a strategy, now and then stops one.
func havoc(t *testing.T, h *host.Host, i int) {
	for _, st := range h.Status() {
		switch {
		case st.PID == 0:
		case st.Name == "killed" && rand.IntN(2) == 0:
			_ = syscall.Kill(st.PID, syscall.SIGKILL) // it may have ended by itself
		case st.Name == "stopped" && i%25 == 24:
			_ = syscall.Kill(st.PID, syscall.SIGSTOP)
		}
	}
}

func newEngine(t *testing.T, strategies search.Strategies, snap *snapshot.Snapshot) *search.Engine {
	t.Helper()
	traces := store.Open(t.TempDir(), 100, time.Hour)
	return search.New(search.Options{
		View: func(context.Context, time.Duration) (index.View, error) {
			return index.View{Snapshot: snap, Since: time.Now(), Release: func() {}}, nil
		},
		Strategies: strategies, Traces: traces, Settings: search.DefaultSettings(), Logger: hclog.NewNullLogger(),
	})
}

// until waits for what ends a little later than its cause; the time limit is
// for what never does.
func until(t *testing.T, what string, ok func() bool) {
	t.Helper()
	for deadline := time.Now().Add(20 * time.Second); !ok(); time.Sleep(10 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("leaked: %s", what)
		}
	}
}

func entries(t *testing.T, dir string) int {
	t.Helper()
	all, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	return len(all)
}

func descriptors(t *testing.T) int { return entries(t, "/proc/self/fd") }

// heldLocks counts the file locks of this process.
func heldLocks(t *testing.T) int {
	t.Helper()
	all, err := os.ReadFile("/proc/locks")
	if err != nil {
		t.Skip("the system does not list its locks")
	}
	return strings.Count(string(all), " "+strconv.Itoa(os.Getpid())+" ")
}

// children returns the processes whose parent is this one.
func children(t *testing.T) []int {
	t.Helper()
	stats, err := filepath.Glob("/proc/[0-9]*/stat")
	if err != nil {
		t.Fatal(err)
	}
	var out []int
	for _, path := range stats {
		stat, _ := os.ReadFile(path) // gone meanwhile: empty
		_, rest, found := strings.Cut(string(stat), ") ")
		if found && strings.Fields(rest)[1] == strconv.Itoa(os.Getpid()) {
			pid, _ := strconv.Atoi(filepath.Base(filepath.Dir(path)))
			out = append(out, pid)
		}
	}
	return out
}
