//go:build soak

package cli

import (
	"fmt"
	"os"
	"runtime"
	"strings"
	"testing"
	"time"
)

// footprint is what a program holds in memory, in MB.
type footprint struct {
	heap       int // after a collection of garbage
	own        int // anonymous memory of the process
	strategies int // and of its children
	goroutines int
}

func footprintOf(t *testing.T) footprint {
	t.Helper()
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	f := footprint{heap: int(m.HeapAlloc >> 20), own: anonymous(t, os.Getpid()), goroutines: runtime.NumGoroutine()}
	for _, pid := range children(t, os.Getpid()) {
		f.strategies += anonymous(t, pid)
	}
	return f
}

// anonymous returns the anonymous memory of a process in MB, 0 for one that has ended.
func anonymous(t *testing.T, pid int) (mb int) {
	t.Helper()
	status, _ := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	for line := range strings.Lines(string(status)) {
		if kb, ok := strings.CutPrefix(line, "RssAnon:"); ok {
			fmt.Sscan(kb, &mb)
		}
	}
	return mb >> 10
}

// held is what a process holds of the system: descriptors, locks and goroutines.
type held struct{ descriptors, locks, goroutines int }

func heldNow(t *testing.T) held {
	t.Helper()
	open, err := os.ReadDir("/proc/self/fd")
	if err != nil {
		t.Fatal(err)
	}
	locks, err := os.ReadFile("/proc/locks")
	if err != nil {
		t.Fatal(err)
	}
	return held{len(open), strings.Count(string(locks), fmt.Sprintf(" %d ", os.Getpid())), runtime.NumGoroutine()}
}

// warm calls every tool once, so that indexes are built and strategies run.
func (f *traffic) warm() {
	for _, tool := range f.tools {
		f.app.Tools.Call(f.t.Context(), tool.Name, tool.Example, nil)
	}
}

// soak lets a program be used, and checks its times and its memory and that nothing of it is left.
func soak(t *testing.T, open func() *traffic, use func(f *traffic, quarter func(int))) {
	temp := t.TempDir()
	t.Setenv("TMPDIR", temp)
	before := heldNow(t)
	f := open()
	f.warm()
	began := time.Now()
	prints := make([]footprint, 5)
	use(f, func(n int) {
		f.quiet.Lock()
		prints[n] = footprintOf(t)
		f.quiet.Unlock()
		t.Logf("%d/4 after %v and %d calls: %+v", n, time.Since(began).Round(time.Second), f.calls.Load(), prints[n])
	})
	if err := f.app.Close(); err != nil {
		t.Error(err)
	}
	f.report()
	for _, x := range f.late {
		if x.time > x.allowed+grace+x.waited { // what waits for a processor has no say in it
			t.Errorf("late: %v", x)
		}
	}
	if half, end := prints[2], prints[4]; end.heap > half.heap*5/4+8 || end.own > half.own*5/4+32 || end.strategies > half.strategies*5/4+64 {
		t.Errorf("memory grew in the second half: %+v, then %+v", half, end)
	}
	after := heldNow(t)
	for end := time.Now().Add(5 * time.Second); after != before && time.Now().Before(end); after = heldNow(t) {
		time.Sleep(50 * time.Millisecond) // what ends by itself a moment later
	}
	if after != before {
		stacks := make([]byte, 1<<20)
		t.Errorf("before %+v, after Close %+v\n%s", before, after, stacks[:runtime.Stack(stacks, true)])
	}
	if left := children(t, os.Getpid()); len(left) > 0 {
		t.Errorf("processes are left: %v", left)
	}
	nothingLeft(t, f.home, temp)
}

// Memory is flat, and times are kept, however long tools are called. SAGASU_SOAK_CALLS says how
// many calls there are, half of them searches of the manuals.
func TestSoakTraffic(t *testing.T) {
	seed, calls := seedOf(t), numberOf(t, "SAGASU_SOAK_CALLS", 200_000)
	var e *editor
	open := func() (f *traffic) {
		f, e = trafficEverywhere(t, seed)
		return f
	}
	soak(t, open, func(f *traffic, quarter func(int)) {
		quarter(0)
		f.run(seed, 8, int64(calls), e, func(n int64) {
			if n*4%int64(calls) == 0 {
				quarter(int(n * 4 / int64(calls)))
			}
		})
		t.Logf("edits %v", e.edits)
	})
}

// The same of documents. SAGASU_SOAK_CORPORA says how many corpora there are.
func TestSoakCorpora(t *testing.T) {
	seed, corpora := seedOf(t), numberOf(t, "SAGASU_SOAK_CORPORA", 1000)
	var manuals string
	open := func() (f *traffic) {
		f, manuals = openCorpora(t)
		return f
	}
	soak(t, open, func(f *traffic, quarter func(int)) {
		quarter(0)
		f.corpora(manuals, seed, int64(corpora), func(n int64) {
			if n*4%int64(corpora) == 0 {
				quarter(int(n * 4 / int64(corpora)))
			}
		})
	})
}

// numberOf returns what an environment variable says, or usual.
func numberOf(t *testing.T, variable string, usual int) int {
	t.Helper()
	if raw := os.Getenv(variable); raw != "" {
		if _, err := fmt.Sscan(raw, &usual); err != nil {
			t.Fatal(err)
		}
	}
	return usual
}
