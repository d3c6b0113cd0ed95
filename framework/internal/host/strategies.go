package host

import (
	"context"
	"errors"
	"time"

	"github.com/sagasu-search/sagasu/sdk"
	"github.com/sagasu-search/sagasu/sdk/x/guard"
)

// errOthersReady means that the host did not wait for a starting strategy because others were ready.
var errOthersReady = errors.New("the others did not wait for it")

// Warm starts all strategies that do not run, without waiting, to save the time of the starts
// before a search.
func (h *Host) Warm() {
	for _, s := range h.supervisors {
		s.warm()
	}
}

// Strategies returns the descriptions of the strategies that can be called, in the order of their
// entries, and the failures of the others. The first call starts all strategies in parallel, except
// those with known descriptions. Later calls do not start a strategy that has described itself.
// Once a strategy that finds candidates can be called, the others have Options.CallTimeout to
// start: a query must not wait for one slow start.
func (h *Host) Strategies(ctx context.Context) ([]sdk.Description, []Failure) {
	ctx, giveUp := context.WithCancelCause(ctx)
	defer giveUp(nil)
	described := make([]*sdk.Description, len(h.supervisors))
	errs := make([]error, len(h.supervisors))
	done := make(chan int)
	var asked guard.Group // all have answered when the loop ends
	for i, s := range h.supervisors {
		asked.Go(func() error {
			defer func() { done <- i }()
			errs[i] = guard.Call(func() (err error) { described[i], err = s.describe(ctx, true); return err })
			return nil
		})
	}
	grace, expired, ready := time.NewTimer(h.grace()), false, false
	defer grace.Stop()
	for left := len(h.supervisors); left > 0; {
		select {
		case i := <-done:
			left--
			ready = ready || errs[i] == nil && described[i].Stage == sdk.StageRetrieve && described[i].Admits()
		case <-grace.C:
			expired = true
		}
		if expired && ready {
			giveUp(errOthersReady)
		}
	}
	return h.part(described, errs)
}

// Start starts all strategies and waits for each as long as that may take.
func (h *Host) Start(ctx context.Context) ([]sdk.Description, []Failure) {
	described := make([]*sdk.Description, len(h.supervisors))
	errs := guard.Each(len(h.supervisors), func(i int) (err error) {
		described[i], err = h.supervisors[i].describe(ctx, false)
		return err
	})
	return h.part(described, errs)
}

// part separates the strategies that can be called from those that cannot.
func (h *Host) part(described []*sdk.Description, errs []error) ([]sdk.Description, []Failure) {
	var descriptions []sdk.Description
	var failures []Failure
	for i, s := range h.supervisors {
		if errs[i] != nil {
			failures = append(failures, Failure{Name: s.entry().Name, Stage: s.entry().Stage, Err: errs[i]})
			continue
		}
		descriptions = append(descriptions, *described[i])
	}
	return descriptions, failures
}

// grace returns how long a search waits for the remaining strategies once some can be called.
func (h *Host) grace() time.Duration {
	longest := time.Duration(0)
	for _, s := range h.supervisors {
		longest = max(longest, s.grace(time.Now()))
	}
	return longest
}

// grace returns the remaining time for a strategy to describe itself for the first time.
func (s *supervisor) grace(now time.Time) time.Duration {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.described != nil {
		return 0
	}
	if s.firstAsked.IsZero() {
		s.firstAsked = now
	}
	return max(s.host.options.CallTimeout, s.host.options.Patience) - now.Sub(s.firstAsked)
}

// describe returns the description of the strategy. For a query, the description by an earlier
// process suffices, and after a failed start it waits less for the next one.
func (s *supervisor) describe(ctx context.Context, query bool) (*sdk.Description, error) {
	s.mu.Lock()
	known, closed, failures := s.described, s.closed, s.retry.failures
	s.mu.Unlock()
	if query && known != nil && !closed {
		return known, nil
	}
	p, err := s.acquire(ctx, !query || failures == 0)
	if err != nil {
		return nil, err
	}
	defer s.release(p)
	return &p.description, nil
}
