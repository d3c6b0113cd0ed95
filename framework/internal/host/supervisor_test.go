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
	s := &supervisor{host: &Host{options: Options{CallTimeout: time.Second}}, current: current}
	err := errors.New("no answer")
	for _, how := range []severity{harmless, failure, fatal, hang} {
		s.failed(old, err, how)
	}
	s.abandoned(context.DeadlineExceeded, old, time.Second)
	if s.unresponsive || s.lastErr != nil || len(s.breaker.recent) > 0 || s.retry.failures > 0 || s.current != current {
		t.Errorf("it is held against the new one: %v", s.lastErr)
	}
	s.failed(current, err, failure)
	s.unresponsive = true
	s.answered(old, time.Hour)
	if !s.unresponsive || s.latency.n > 0 || len(s.breaker.recent) != 1 {
		t.Error("an old process's answer speaks for the new one")
	}
	s.answered(current, time.Millisecond)
	if s.unresponsive || s.latency.n != 1 {
		t.Error("its own answer does not")
	}
}
