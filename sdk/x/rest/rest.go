package rest

import (
	"runtime/debug"
	"sync"
	"time"
)

// Quiet is how long a process must be idle until it returns memory. Getting the memory back costs a search some
// milliseconds.
const Quiet = 10 * time.Second

// Timer acts when no call has been in progress for a while. A nil Timer never acts.
type Timer struct {
	quiet time.Duration
	timer *time.Timer

	mu   sync.Mutex
	busy int // number of calls in progress
}

// GiveBack returns a Timer that returns memory after Quiet. Stop it after use.
func GiveBack() *Timer { return After(Quiet, debug.FreeOSMemory) }

// After returns a Timer that calls act when no call has been in progress for quiet. Stop it after use.
func After(quiet time.Duration, act func()) *Timer {
	return &Timer{quiet: quiet, timer: time.AfterFunc(quiet, act)}
}

// Begin records a call in progress until end is called.
func (t *Timer) Begin() (end func()) {
	if t == nil {
		return func() {}
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.busy++; t.busy == 1 {
		t.timer.Stop()
	}
	return t.end
}

func (t *Timer) end() {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.busy--; t.busy == 0 {
		t.timer.Reset(t.quiet)
	}
}

// Stop stops the timer. No call may be in progress.
func (t *Timer) Stop() { t.timer.Stop() }
