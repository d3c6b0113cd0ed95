package host

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/sagasu-search/sagasu/sdk"
	"github.com/sagasu-search/sagasu/sdk/x/guard"
)

const (
	// reducedShare is the divisor of Options.CallTimeout for the time that an unresponsive
	// strategy gets for a call, and any strategy for a ping.
	reducedShare = 4
	// reducedMedians is the minimum of that time, in multiples of its median.
	reducedMedians = 4
	// minCallTimeout is the minimum of that time, up to Options.CallTimeout: no strategy could
	// answer in less.
	minCallTimeout = 50 * time.Millisecond
)

// callTimeout returns the time for a call. After a hang, until the strategy answers again, calls
// get less time, but enough for its usual latency, so that the next queries do not each wait the
// full time.
func (s *supervisor) callTimeout() time.Duration {
	s.mu.Lock()
	defer s.mu.Unlock()
	full := s.fullTimeout()
	if s.unresponsive || s.current != nil && s.current.pinged {
		return min(full, max(full/reducedShare, reducedMedians*s.latency.median(), minCallTimeout))
	}
	return full
}

// fullTimeout returns the time for a call while nothing is wrong. s.mu must be held.
func (s *supervisor) fullTimeout() time.Duration {
	switch {
	case s.described == nil:
	case s.described.Stage == sdk.StageJudge:
		return s.host.options.JudgeTimeout
	case s.described.Stage == sdk.StageGather:
		return s.host.options.GatherTimeout
	}
	return s.host.options.CallTimeout
}

// abandoned records a call whose caller ran out of time or gave up. That alone says little about
// the strategy, so it is pinged. But a strategy that had a fair time and missed its deadline has
// failed.
func (s *supervisor) abandoned(err error, p *process, after time.Duration) {
	s.ping(p)
	s.mu.Lock()
	fair := s.fullTimeout() / reducedShare
	s.mu.Unlock()
	if errors.Is(err, context.DeadlineExceeded) && after >= fair {
		s.failed(p, fmt.Errorf("no answer within %v: %w", after.Round(time.Millisecond), err), failure)
	}
}

// ping calls a process in the background and replaces it if it does not answer. Otherwise each
// query with a short time limit would lose all of it to a stopped process.
func (s *supervisor) ping(p *process) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.current != p || p.pinged {
		return
	}
	p.pinged = true
	p.users++
	s.host.background(func() {
		defer s.release(p)
		limit := s.host.options.CallTimeout / reducedShare
		ctx, cancel := context.WithTimeout(s.host.ctx, limit)
		defer cancel()
		began := time.Now()
		err := guard.Call(func() error { _, err := p.strategy.Describe(ctx); return err })
		alive := p.shared != nil && p.shared.answeredSince(began) // and is busy
		if err != nil && !alive && s.host.ctx.Err() == nil {
			s.failed(p, fmt.Errorf("no answer to a ping within %v: %w", limit, err), hang)
		}
		s.mu.Lock()
		p.pinged = false
		s.mu.Unlock()
	})
}
