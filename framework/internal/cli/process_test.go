package cli

import (
	"runtime/debug"
	"runtime/metrics"
	"testing"
	"time"
)

func TestEaseStart(t *testing.T) {
	defer debug.SetGCPercent(debug.SetGCPercent(150))
	t.Setenv("GOGC", "150")
	if deferGC(time.Hour); collects(150) != 150 {
		t.Error("the user's rule was changed")
	}
	t.Setenv("GOGC", "")
	if deferGC(time.Hour); collects(startGC) != startGC {
		t.Error("the start is not eased")
	}
	deferGC(0)
	if got := collects(usualGC); got != usualGC {
		t.Errorf("after the start the rule is %d %%", got)
	}
}

func TestBoundHeap(t *testing.T) {
	defer debug.SetMemoryLimit(debug.SetMemoryLimit(1 << 40))
	t.Setenv("GOMEMLIMIT", "1TiB")
	if boundHeap(); debug.SetMemoryLimit(-1) != 1<<40 {
		t.Error("the user's limit was changed")
	}
	t.Setenv("GOMEMLIMIT", "")
	if boundHeap(); debug.SetMemoryLimit(-1) != softHeap {
		t.Error("the heap is not bounded")
	}
}

// collects waits until the collector's rule is percent, or gives what it is.
func collects(percent uint64) uint64 {
	now := []metrics.Sample{{Name: "/gc/gogc:percent"}}
	for end := time.Now().Add(10 * time.Second); time.Now().Before(end); time.Sleep(time.Millisecond) {
		if metrics.Read(now); now[0].Value.Uint64() == percent {
			break
		}
	}
	return now[0].Value.Uint64()
}
