package host

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/sagasu-search/sagasu/sdk"
	"github.com/sagasu-search/sagasu/sdk/snapshot"
	"github.com/sagasu-search/sagasu/sdk/wire"
)

// Strategies describes the strategies that can be called, in the order of
// their entries, and names those that cannot. The first call starts all of them in
// parallel; one that has once described itself is not started for this again.
func (h *Host) Strategies(ctx context.Context) ([]sdk.Description, []Failure) {
	described := make([]*sdk.Description, len(h.slots))
	errs := make([]error, len(h.slots))
	var wg sync.WaitGroup
	for i, s := range h.slots {
		wg.Go(func() { described[i], errs[i] = s.describe(ctx) })
	}
	wg.Wait()
	var descriptions []sdk.Description
	var failures []Failure
	for i, s := range h.slots {
		if errs[i] != nil {
			failures = append(failures, Failure{Name: s.entry.Name, Err: errs[i]})
			continue
		}
		descriptions = append(descriptions, *described[i])
	}
	return descriptions, failures
}

// describe waits for a first start as long as that may take, but once a start
// has failed no longer than for a call: a query must not hang on the next one.
func (s *slot) describe(ctx context.Context) (*sdk.Description, error) {
	s.mu.Lock()
	known, closed, failures := s.described, s.closed, s.retry.failures
	s.mu.Unlock()
	if known != nil && !closed {
		return known, nil
	}
	if failures > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, s.host.options.CallTimeout)
		defer cancel()
	}
	p, err := s.acquire(ctx)
	if err != nil {
		return nil, err
	}
	defer s.release(p)
	return &p.description, nil
}

// Search calls the strategy called name and checks its answer. It takes no
// longer than ctx and Options.CallTimeout allow. Errors are a [Failure] around
// [ErrUnknown], [ErrClosed], [ErrBackoff], a [*BreachError], those of
// wire.Client, or why the process did not start.
func (h *Host) Search(ctx context.Context, name string, req *sdk.Request) (*sdk.Result, error) {
	s := h.byName[name]
	if s == nil {
		return nil, Failure{Name: name, Err: ErrUnknown}
	}
	res, err := s.search(ctx, req)
	if err != nil {
		return nil, Failure{Name: name, Err: err}
	}
	return res, nil
}

// Open lets all strategies prepare for a snapshot, in parallel, so that the
// first search on it need not wait. It takes as long as ctx allows.
func (h *Host) Open(ctx context.Context, corpus *snapshot.Snapshot) []Failure {
	errs := make([]error, len(h.slots))
	var wg sync.WaitGroup
	for i, s := range h.slots {
		wg.Go(func() { errs[i] = s.open(ctx, corpus) })
	}
	wg.Wait()
	var failures []Failure
	for i, err := range errs {
		if err != nil {
			failures = append(failures, Failure{Name: h.slots[i].entry.Name, Err: err})
		}
	}
	return failures
}

func (s *slot) open(ctx context.Context, corpus *snapshot.Snapshot) error {
	p, err := s.acquire(ctx)
	if err != nil {
		return err
	}
	defer s.release(p)
	err = p.gone(p.strategy.Open(ctx, corpus))
	if err != nil && ctx.Err() == nil {
		s.failed(p, err, errors.Is(err, wire.ErrGone))
	}
	return err
}

func (s *slot) search(ctx context.Context, req *sdk.Request) (*sdk.Result, error) {
	budget := s.host.options.CallTimeout
	callCtx, cancel := context.WithTimeout(ctx, budget)
	defer cancel()
	p, err := s.acquire(callCtx)
	if err != nil {
		return nil, err
	}
	defer s.release(p)
	began := time.Now()
	res, err := p.strategy.Search(callCtx, req)
	if err == nil {
		err = checkResult(p.description, req, res)
	}
	if err == nil {
		s.answered(time.Since(began))
		return res, nil
	}
	if ctx.Err() != nil {
		return nil, ctx.Err() // the caller's own end says nothing of the strategy
	}
	hung := callCtx.Err() != nil
	if hung {
		err = fmt.Errorf("no answer within %v: %w", budget, err)
	}
	err = p.gone(err)
	s.failed(p, err, hung || errors.Is(err, wire.ErrGone))
	return nil, err
}
