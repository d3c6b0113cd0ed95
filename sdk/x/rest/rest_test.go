package rest

import (
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
)

func TestTimerActsWhenNothingIsUnderWay(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var acts atomic.Int32
		timer := After(time.Second, func() { acts.Add(1) })
		expect := func(wait time.Duration, want int32) {
			t.Helper()
			time.Sleep(wait)
			synctest.Wait()
			if n := acts.Load(); n != want {
				t.Fatalf("acted %d times, want %d", n, want)
			}
		}
		expect(time.Second, 1) // from the start
		expect(time.Hour, 1)   // only once
		one, other := timer.Begin(), timer.Begin()
		expect(time.Hour, 1)
		one()
		expect(time.Hour, 1)
		other()
		expect(time.Second/2, 1)
		timer.Begin()()
		expect(time.Second/2, 1) // the time starts again
		expect(time.Second/2, 2)
		timer.Begin()()
		timer.Stop()
		expect(time.Hour, 2)
	})
}

func TestNilTimerNeverActs(t *testing.T) {
	var timer *Timer
	timer.Begin()()
}
