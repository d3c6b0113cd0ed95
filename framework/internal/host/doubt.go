package host

import (
	"context"
	"errors"
	"fmt"
	"time"
)

const (
	// doubtShare is the part of the full budget, one in so many, that a strategy
	// gets for a call, or for a sign of life, when it is in doubt.
	doubtShare = 4
	// doubtSlack is how many times its median it gets even then.
	doubtSlack = 4
	// doubtLeast is what it gets even then, as far as the full budget goes: less is no time
	// in which to answer.
	doubtLeast = 50 * time.Millisecond
)

// budget is the time for a call. After a hang, until it has answered again, a
// strategy gets less, though room enough for what it usually takes: the next
// queries must not each wait the full time.
func (s *slot) budget() time.Duration {
	s.mu.Lock()
	defer s.mu.Unlock()
	full := s.host.options.CallTimeout
	if s.doubted || s.current != nil && s.current.suspected {
		return min(full, max(full/doubtShare, doubtSlack*s.latency.median(), doubtLeast))
	}
	return full
}

// hung notes a call that was not answered in its time. Its process is replaced.
func (s *slot) hung(p *process, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.current != p {
		return
	}
	s.doubted = true
	s.fail(p, err, true)
}

// abandoned notes a call whose caller's time was up, or who gave up. That alone
// says little of the strategy: it is asked for a sign of life. But one that let
// a fair time and its deadline pass has failed.
func (s *slot) abandoned(err error, p *process, after time.Duration) {
	s.suspect(p)
	if errors.Is(err, context.DeadlineExceeded) && after >= s.host.options.CallTimeout/doubtShare {
		s.failed(p, fmt.Errorf("no answer within %v: %w", after.Round(time.Millisecond), err), false)
	}
}

// suspect asks a process for a sign of life, in the background, and has it
// replaced when there is none: a stopped process would cost each query with a
// short time all of that.
func (s *slot) suspect(p *process) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.current != p || p.suspected {
		return
	}
	p.suspected = true
	p.users++
	s.host.work.Go(func() {
		defer s.release(p)
		limit := s.host.options.CallTimeout / doubtShare
		ctx, cancel := context.WithTimeout(s.host.ctx, limit)
		defer cancel()
		_, err := p.strategy.Describe(ctx)
		if err != nil && s.host.ctx.Err() == nil {
			s.hung(p, fmt.Errorf("no sign of life within %v: %w", limit, err))
		}
		s.mu.Lock()
		p.suspected = false
		s.mu.Unlock()
	})
}
