package host

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"github.com/sagasu-search/sagasu/sdk"
	"github.com/sagasu-search/sagasu/sdk/x/guard"
)

// supervisor manages the process of one strategy and starts it on demand.
type supervisor struct {
	held atomic.Pointer[Entry]
	host *Host

	mu           sync.Mutex
	closed       bool
	current      *process
	starting     *launching
	warmed       *launching       // the last start that no call waited for, until a call learns how it ended
	described    *sdk.Description // description from the last start, or the known one before that
	firstAsked   time.Time        // time of the first request for its description
	retry        backoff
	breaker      breaker
	unresponsive bool // it hung and has not answered since
	starts       int
	startTook    time.Duration // the last start
	lastErr      error
	lastUse      time.Time
	latency      latency
}

// entry returns the current entry of the strategy.
func (s *supervisor) entry() *Entry { return s.held.Load() }

// launching is a start under way.
type launching struct {
	began time.Time
	done  chan struct{} // closed when the start has ended
	err   error
}

var (
	// ErrUnknown means that there is no strategy of that name.
	ErrUnknown = errors.New("no such strategy")
	// ErrClosed means that the host has been closed.
	ErrClosed = errors.New("the host is closed")
	// ErrStarting means that a start took longer than the caller could wait.
	ErrStarting = errors.New("it is still starting")
	// ErrBackoff means that a strategy failed too often to be tried again at once.
	ErrBackoff = errors.New("it waits to be tried again")
	// ErrSuspended is the ErrBackoff of a strategy that failed so often that it
	// is left out for a while.
	ErrSuspended = fmt.Errorf("it is suspended: %w", ErrBackoff)
)

// acquire returns a running process and starts one if necessary. The caller must call release. If
// ctx ends, the start continues for the next call. acquire waits for a start longer than
// Options.CallTimeout only if wait is set.
func (s *supervisor) acquire(ctx context.Context, wait bool) (*process, error) {
	if err := s.admit(time.Now()); err != nil {
		return nil, err
	}
	if s.entry().Refused != nil {
		return nil, s.entry().Refused
	}
	for {
		p, l, err := s.take(time.Now())
		if p != nil || err != nil {
			return p, err
		}
		var timeout <-chan time.Time // never
		if !wait {
			timeout = time.After(time.Until(l.began.Add(s.host.options.CallTimeout)))
		}
		select {
		case <-l.done:
			if l.err != nil {
				return nil, l.err
			}
		case <-timeout:
			return nil, ErrStarting
		case <-ctx.Done():
			return nil, fmt.Errorf("%w: %w", ErrStarting, context.Cause(ctx))
		}
	}
}

// admit asks the breaker.
func (s *supervisor) admit(now time.Time) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return ErrClosed
	}
	if s.breaker.open { // a process that ended in the pause is no sign against the probe
		s.discardEnded(now)
	}
	wait := s.breaker.admit(now, s.host.options.CallTimeout)
	if wait == 0 {
		return nil
	}
	// The last failure is quoted, not wrapped, since it is not the error of this call.
	return fmt.Errorf("%w in %v after %d failures within %v, the last: %v",
		ErrSuspended, wait.Round(time.Millisecond), len(s.breaker.recent), breakerWindow, s.lastErr)
}

// take returns the process, or the start to wait for, or the error why there is neither.
func (s *supervisor) take(now time.Time) (*process, *launching, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return nil, nil, ErrClosed
	}
	s.discardEnded(now)
	if p := s.current; p != nil && p.misplaced(s.host.options.indexDirs()) {
		s.dismiss(p)
	}
	if s.current != nil {
		s.current.users++
		return s.current, nil, nil
	}
	if s.starting == nil {
		if wait := s.retry.wait(now); wait > 0 {
			if l := s.warmed; l != nil {
				s.warmed = nil
				return nil, l, nil
			}
			return nil, nil, fmt.Errorf("%w in %v after %d failures in a row, the last: %v",
				ErrBackoff, wait.Round(time.Millisecond), s.retry.failures, s.lastErr)
		}
		s.start()
	}
	s.warmed = nil // this call learns how it ends
	return nil, s.starting, nil
}

// warm starts the process unless it runs, must wait, or is not needed before the first call.
func (s *supervisor) warm() {
	s.mu.Lock()
	defer s.mu.Unlock()
	now := time.Now()
	if s.entry().Known == nil && s.entry().Refused == nil && !s.closed && s.current == nil && s.starting == nil &&
		s.retry.wait(now) == 0 && !s.breaker.open {
		s.start()
		s.warmed = s.starting
	}
}

// start begins a start. Called with the lock held.
func (s *supervisor) start() {
	l := &launching{began: time.Now(), done: make(chan struct{})}
	s.starting = l
	s.starts++
	s.host.background(func() {
		e, p := s.entry(), (*process)(nil)
		err := guard.Call(func() (err error) { p, err = s.host.launch(s.host.ctx, e); return err })
		s.mu.Lock()
		defer s.mu.Unlock()
		s.starting = nil
		l.err = err
		if err != nil {
			s.lastErr = err
			s.countFailure(time.Now())
		} else {
			s.use(p, e)
			s.startTook = s.lastUse.Sub(l.began)
		}
		close(l.done)
	})
}

// use makes a started process the current one, unless its entry was swapped in the meantime. The
// lock must be held.
func (s *supervisor) use(p *process, from *Entry) {
	s.current, s.described, s.lastUse = p, &p.description, time.Now()
	if s.entry() != from {
		s.described = s.entry().Known
		s.dismiss(p)
	}
}

// release ends the use of a process from acquire.
func (s *supervisor) release(p *process) {
	s.mu.Lock()
	defer s.mu.Unlock()
	p.users--
	s.lastUse = time.Now()
	if p.shared != nil {
		p.shared.lastUse.Store(s.lastUse.UnixNano())
	}
}

// answered records a successful call.
func (s *supervisor) answered(p *process, took time.Duration) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.current != p {
		return
	}
	s.retry.worked()
	s.breaker.worked()
	s.unresponsive = false
	s.latency.add(took)
	if p.shared != nil {
		p.shared.answer.Store(time.Now().UnixNano())
	}
}

// failed records a failed call. Calls that fail together on one process count once. Failures of a
// process that was already replaced do not count.
func (s *supervisor) failed(p *process, err error, how severity) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.current != p {
		return
	}
	s.lastErr = err
	switch how {
	case failure:
		s.breaker.failed(time.Now())
	case hang:
		s.unresponsive = true
		s.discard(p, time.Now())
	case fatal:
		s.discard(p, time.Now())
	}
}

// discardEnded drops the process if it has ended by itself. The lock must be held.
func (s *supervisor) discardEnded(now time.Time) {
	if p := s.current; p != nil && p.runner.ended() {
		s.lastErr = errors.New("the process ended: " + p.runner.cause())
		s.discard(p, now)
	}
}

// discard drops a failed process. The lock must be held.
func (s *supervisor) discard(p *process, now time.Time) {
	s.current = nil
	if p.shared != nil { // its failure may be another strategy's fault
		p.shared.fail(s.lastErr)
	} else {
		s.countFailure(now)
	}
	p.runner.kill()
	s.host.background(p.close)
}

// dismiss drops a healthy process. Calls under way fail. The lock must be held.
func (s *supervisor) dismiss(p *process) {
	s.current = nil
	s.host.background(p.close)
}

// countFailure records an ended process or a failed start. The lock must be held.
func (s *supervisor) countFailure(now time.Time) {
	s.retry.failed(now)
	s.breaker.failed(now)
}

// idle stops a process that has not been used since the time given.
func (s *supervisor) idle(since time.Time) {
	s.mu.Lock()
	defer s.mu.Unlock()
	p := s.current
	if p != nil && p.users == 0 && s.lastUse.Before(since) && (p.shared == nil || p.shared.restsSince(since)) {
		s.dismiss(p)
	}
}

// shut rejects further use and returns the process to close, if any.
func (s *supervisor) shut() *process {
	s.mu.Lock()
	defer s.mu.Unlock()
	p := s.current
	s.closed, s.current = true, nil
	return p
}

// Swap replaces the entry of a strategy, for example after a rebuild. Calls under way fail or end,
// the next call starts the new entry, and earlier failures are forgotten.
func (h *Host) Swap(e Entry) error {
	if err := e.Check(); err != nil {
		return err
	}
	s := h.byName[e.Name]
	if s == nil {
		return fmt.Errorf("%w: %s", ErrUnknown, e.Name)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.held.Store(&e)
	s.described, s.retry, s.breaker, s.unresponsive = e.Known, backoff{}, breaker{first: h.options.Suspension}, false
	if s.current != nil {
		s.dismiss(s.current)
	}
	return nil
}
