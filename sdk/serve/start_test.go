package serve

import (
	"context"
	"runtime/debug"
	"runtime/metrics"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/sagasu-search/sagasu/sdk/x/rest"
)

func TestEndStart(t *testing.T) {
	defer debug.SetGCPercent(debug.SetGCPercent(400))
	for _, own := range []string{"", "300"} {
		t.Setenv("GOGC", own)
		endStart(0)
		time.Sleep(10 * time.Millisecond) // by now it would have changed
		if got := collects(400); got != 400 {
			t.Errorf("GOGC=%q: the rule became %d %%", own, got)
		}
	}
	t.Setenv("GOGC", "400") // as the host sets it
	endStart(0)
	if got := collects(usualGC); got != usualGC {
		t.Errorf("after the start the rule is %d %%", got)
	}
}

func TestACallIsUnderWayUntilItsAnswer(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var acts atomic.Int32
		idle := rest.After(time.Second, func() { acts.Add(1) })
		defer idle.Stop()
		_, _ = noting(idle)(t.Context(), nil, nil, func(context.Context, any) (any, error) {
			time.Sleep(time.Minute)
			return nil, nil
		})
		if acts.Load() != 0 {
			t.Error("a call is taken for rest")
		}
		time.Sleep(time.Second)
		if synctest.Wait(); acts.Load() != 1 {
			t.Error("an answered call is taken for work")
		}
	})
}

// collects waits until the GC percentage is percent, and returns the last value that it saw.
func collects(percent uint64) uint64 {
	now := []metrics.Sample{{Name: "/gc/gogc:percent"}}
	for end := time.Now().Add(10 * time.Second); time.Now().Before(end); time.Sleep(time.Millisecond) {
		if metrics.Read(now); now[0].Value.Uint64() == percent {
			break
		}
	}
	return now[0].Value.Uint64()
}
