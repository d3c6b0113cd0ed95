package rest

import (
	"runtime/debug"
	"sync"
	"time"
)

// Quiet is how long nothing must be under way until a process gives memory back. To take it again costs a search
// some milliseconds.
const Quiet = 10 * time.Second

// Timer acts when nothing has been under way for a while. A nil Timer never does.
type Timer struct {
	quiet time.Duration
	timer *time.Timer

	mu   sync.Mutex
	busy int // calls under way
}

// GiveBack returns a Timer that gives memory back after Quiet. Stop it.
func GiveBack() *Timer { return After(Quiet, debug.FreeOSMemory) }

// After returns a Timer that acts when nothing has been under way for so long. Stop it.
func After(quiet time.Duration, act func()) *Timer {
	return &Timer{quiet: quiet, timer: time.AfterFunc(quiet, act)}
}

// Begin says that something is under way until end is called.
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

// Stop ends the watch. Nothing may be under way.
func (t *Timer) Stop() { t.timer.Stop() }
