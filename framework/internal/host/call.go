package host

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/sagasu-search/sagasu/sdk"
	"github.com/sagasu-search/sagasu/sdk/snapshot"
	"github.com/sagasu-search/sagasu/sdk/x/border"
	"github.com/sagasu-search/sagasu/sdk/x/guard"
	"github.com/sagasu-search/sagasu/sdk/x/wire"
)

// Search calls the strategy called name and checks its answer. It takes no longer than ctx and
// Options.CallTimeout allow, and gives up earlier if the strategy has just failed to answer. Errors
// are a [Failure] around [ErrUnknown], [ErrClosed], [ErrStarting], [ErrBackoff], [ErrSuspended], a
// [*border.BreachError], those of wire.Client, or why the process did not start.
func (h *Host) Search(ctx context.Context, name string, req *sdk.Request) (res *sdk.Result, err error) {
	err = h.on(name, "", func(s *supervisor) error { res, err = s.searchPrepared(ctx, req); return err })
	return res, err
}

// Gather calls the gatherer called name and checks its answer. Time and errors are as for [Host.Search].
func (h *Host) Gather(ctx context.Context, name string, req *sdk.GatherRequest) (found *sdk.Gathered, err error) {
	err = h.on(name, sdk.StageGather, func(s *supervisor) error { found, err = s.gather(ctx, req); return err })
	return found, err
}

// OpenOne lets the strategy called name prepare for a snapshot. It may take until ctx ends. If the
// strategy is already prepared, this is just a call.
func (h *Host) OpenOne(ctx context.Context, name string, corpus *snapshot.Snapshot) error {
	return h.on(name, "", func(s *supervisor) error { return s.open(ctx, corpus) })
}

// on calls the strategy called name. Its error is a [Failure] in a stage.
func (h *Host) on(name string, stage sdk.Stage, call func(*supervisor) error) error {
	err := ErrUnknown
	if s := h.byName[name]; s != nil {
		err = call(s)
	}
	if err != nil {
		return Failure{Name: name, Stage: stage, Err: err}
	}
	return nil
}

const (
	pollEvery = 200 * time.Millisecond // how often [Host.Complete] polls
	stall     = 10 * time.Minute       // how long a strategy may make no progress
)

// Complete lets the retrieving strategy called name prepare for a snapshot, and waits until it can search all
// sections. A strategy that prepares in the background reports its progress in Examined and Finished of a search
// without a query. progress is called with the number of sections done. Complete fails when the strategy fails or
// makes no progress for ten minutes.
func (h *Host) Complete(
	ctx context.Context, name string, corpus *snapshot.Snapshot, progress func(done, total int),
) error {
	if err := h.OpenOne(ctx, name, corpus); err != nil {
		return err
	}
	tick := time.NewTicker(pollEvery)
	defer tick.Stop()
	total := int(corpus.Live().GetCardinality())
	for most, at := -1, time.Now(); ; {
		res, err := h.Search(ctx, name, &sdk.Request{Corpus: corpus, Limit: 1})
		if err != nil {
			return err
		}
		progress(res.Examined, total)
		switch {
		case res.Finished || res.Examined >= total:
			return nil
		case res.Examined > most:
			most, at = res.Examined, time.Now()
		case time.Since(at) > stall:
			return Failure{Name: name, Err: fmt.Errorf("it comes no further than %d of %d sections", most, total)}
		}
		select {
		case <-tick.C:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

func (s *supervisor) open(ctx context.Context, corpus *snapshot.Snapshot) error {
	p, err := s.acquire(ctx, true)
	if err != nil {
		return err
	}
	defer s.release(p)
	err = p.gone(p.strategy.Open(ctx, corpus))
	switch {
	case err == nil:
		s.opened(p, corpus.Name())
	case ctx.Err() == nil:
		s.failed(p, err, max(failure, severityOf(err))) // it did not prepare, for whatever reason
	}
	return err
}

func (s *supervisor) search(ctx context.Context, req *sdk.Request) (res *sdk.Result, err error) {
	err = s.call(ctx, req.Corpus, func(ctx context.Context, p *process) (err error) {
		if res, err = p.strategy.Search(ctx, req); err == nil {
			err = border.CheckResult(p.description, req, res)
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	return res, nil
}

func (s *supervisor) gather(ctx context.Context, req *sdk.GatherRequest) (found *sdk.Gathered, err error) {
	err = s.call(ctx, nil, func(ctx context.Context, p *process) (err error) {
		if found, err = p.strategy.Gather(ctx, req); err == nil {
			err = border.CheckGathered(req, found)
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	return found, nil
}

// call calls a process, on a corpus if there is one, and records how it did. If a shared process ended, which is no
// sign against this strategy, it retries in a separate process.
func (s *supervisor) call(
	ctx context.Context, corpus *snapshot.Snapshot, ask func(context.Context, *process) error,
) error {
	timeout := s.callTimeout()
	callCtx, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	for {
		p, err := s.acquire(callCtx, false)
		if err != nil {
			return err
		}
		err = s.callOn(ctx, callCtx, timeout, p, corpus, ask)
		s.release(p)
		if p.shared == nil || !errors.Is(err, wire.ErrGone) {
			return err
		}
	}
}

// callOn is like call, but on a given process. callCtx is ctx with the timeout.
func (s *supervisor) callOn(
	ctx, callCtx context.Context, timeout time.Duration, p *process, corpus *snapshot.Snapshot,
	ask func(context.Context, *process) error,
) error {
	if p.shared != nil { // a shared process that hangs must not cost each member its full time
		defer time.AfterFunc(timeout/reducedShare, func() { s.ping(p) }).Stop()
	}
	if corpus != nil && s.opening(p, corpus.Name()) {
		s.ping(p)
		return wire.ErrOpening
	}
	began := time.Now()
	err := ask(callCtx, p)
	if errors.Is(err, context.DeadlineExceeded) {
		meetDeadline(callCtx, began)
	}
	switch {
	case err == nil:
		s.answered(p, time.Since(began))
		return nil
	case ctx.Err() != nil:
		s.abandoned(ctx.Err(), p, time.Since(began))
		return ctx.Err()
	case callCtx.Err() != nil:
		err = fmt.Errorf("no answer within %v: %w", timeout, err)
		s.failed(p, err, s.lateness(p))
		return err
	case errors.Is(err, wire.ErrOpening):
		s.awaitOpening(p, corpus)
		return err
	}
	err = p.gone(err)
	s.failed(p, err, severityOf(err))
	return err
}

// lateness returns the severity of a call that was not answered in time. A shared process is often just busy with
// other calls: it is replaced only if it does not answer the ping that every long call makes.
func (s *supervisor) lateness(p *process) severity {
	if p.shared != nil {
		return failure
	}
	return hang
}

// meetDeadline waits for the deadline of a call if it is nearly reached. The other end of the
// transport may have ended the call a moment before, by its own clock, which does not mean that the
// strategy stopped in time.
func meetDeadline(ctx context.Context, began time.Time) {
	deadline, _ := ctx.Deadline()
	if time.Until(deadline) < deadline.Sub(began)/50 {
		<-ctx.Done()
	}
}

// severity is how bad a failed call is for a process.
type severity int

const (
	harmless severity = iota // the strategy returned an error, which may be about the query
	failure                  // it counts as a failure, but the process is kept
	fatal                    // the process is replaced
	hang                     // the process is replaced, and calls get less time until one is answered
)

// severityOf judges the error of a call that ended in time.
func severityOf(err error) severity {
	_, breached := errors.AsType[*border.BreachError](err)
	_, panicked := errors.AsType[*guard.PanicError](err)
	switch {
	case errors.Is(err, wire.ErrGone):
		return fatal
	case breached, panicked, errors.Is(err, wire.ErrTooLarge), errors.Is(err, wire.ErrMalformed):
		return failure
	}
	return harmless
}
