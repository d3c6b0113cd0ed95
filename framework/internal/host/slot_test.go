package host

import (
	"context"
	"errors"
	"testing"
	"time"
)

// TestAnOldProcessSaysNothingOfTheNew has calls end on a process that was replaced while
// they ran.
func TestAnOldProcessSaysNothingOfTheNew(t *testing.T) {
	old, current := &process{}, &process{}
	s := &slot{host: &Host{options: Options{CallTimeout: time.Second}}, current: current}
	hang := errors.New("no answer")
	s.hung(old, hang)
	s.failed(old, hang, true)
	s.failed(old, hang, false)
	s.abandoned(context.DeadlineExceeded, old, time.Second)
	if s.doubted || s.lastErr != nil || len(s.breaker.recent) > 0 || s.retry.failures > 0 || s.current != current {
		t.Errorf("it is held against the new one: %v", s.lastErr)
	}
	s.failed(current, hang, false)
	s.doubted = true
	s.answered(old, time.Hour)
	if !s.doubted || s.latency.n > 0 || len(s.breaker.recent) != 1 {
		t.Error("an old process's answer speaks for the new one")
	}
	s.answered(current, time.Millisecond)
	if s.doubted || s.latency.n != 1 {
		t.Error("its own answer does not")
	}
}
