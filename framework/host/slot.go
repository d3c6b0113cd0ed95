package host

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/sagasu-search/sagasu/sdk"
)

// slot is the place of one strategy in the host. It has a process or not, and
// starts one when it is needed.
type slot struct {
	entry *Entry
	host  *Host

	mu        sync.Mutex
	closed    bool
	current   *process
	starting  *launching
	described *sdk.Description // what it said when it last started
	retry     backoff
	starts    int
	lastErr   error
	lastUse   time.Time
	latency   latency
}

// launching is a start under way.
type launching struct {
	done chan struct{} // closed when the start has ended
	err  error
}

var (
	// ErrUnknown says that there is no strategy of that name.
	ErrUnknown = errors.New("no such strategy")
	// ErrClosed says that the host has been closed.
	ErrClosed = errors.New("the host is closed")
	// ErrBackoff says that a strategy failed too often to be started again at once.
	ErrBackoff = errors.New("it waits for a restart")
)

// acquire gives a living process, starting one if need be. release must
// follow. The start goes on when ctx ends, for the next call to use.
func (s *slot) acquire(ctx context.Context) (*process, error) {
	for {
		p, l, err := s.take(time.Now())
		if p != nil || err != nil {
			return p, err
		}
		select {
		case <-l.done:
			if l.err != nil {
				return nil, l.err
			}
		case <-ctx.Done():
			return nil, fmt.Errorf("it is still starting: %w", ctx.Err())
		}
	}
}

// take gives the process, or the start to wait for, or why there is neither.
func (s *slot) take(now time.Time) (*process, *launching, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return nil, nil, ErrClosed
	}
	if p := s.current; p != nil && p.runner.ended() {
		s.lastErr = errors.New("the process ended: " + p.runner.cause())
		s.discard(p, now)
	}
	if s.current != nil {
		s.current.users++
		return s.current, nil, nil
	}
	if s.starting == nil {
		if wait := s.retry.wait(now); wait > 0 {
			return nil, nil, fmt.Errorf("%w in %v after %d failures, the last: %w",
				ErrBackoff, wait.Round(time.Millisecond), s.retry.failures, s.lastErr)
		}
		s.start()
	}
	return nil, s.starting, nil
}

// start begins a start. Called with the lock held.
func (s *slot) start() {
	l := &launching{done: make(chan struct{})}
	s.starting = l
	s.starts++
	s.host.work.Go(func() {
		p, err := s.host.launch(s.host.ctx, s.entry)
		s.mu.Lock()
		defer s.mu.Unlock()
		s.starting = nil
		l.err = err
		if err != nil {
			s.lastErr = err
			s.retry.failed(time.Now())
		} else {
			s.current, s.described, s.lastUse = p, &p.description, time.Now()
		}
		close(l.done)
	})
}

// release ends a use that acquire began.
func (s *slot) release(p *process) {
	s.mu.Lock()
	defer s.mu.Unlock()
	p.users--
	s.lastUse = time.Now()
}

// answered notes a call that was answered well.
func (s *slot) answered(took time.Duration) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.retry.worked()
	s.latency.add(took)
}

// failed notes a call that was not. With fatal the process is replaced; calls
// that fail together on one process count once.
func (s *slot) failed(p *process, err error, fatal bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.lastErr = err
	if fatal && s.current == p {
		s.discard(p, time.Now())
	}
}

// discard lets a bad process go. Called with the lock held.
func (s *slot) discard(p *process, now time.Time) {
	s.current = nil
	s.retry.failed(now)
	p.runner.kill()
	s.host.work.Go(p.close)
}

// idle stops a process that has not been used since the time given.
func (s *slot) idle(since time.Time) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if p := s.current; p != nil && p.users == 0 && s.lastUse.Before(since) {
		s.current = nil
		s.host.work.Go(p.close)
	}
}

// shut refuses further use and gives the process that is left to close.
func (s *slot) shut() *process {
	s.mu.Lock()
	defer s.mu.Unlock()
	p := s.current
	s.closed, s.current = true, nil
	return p
}
