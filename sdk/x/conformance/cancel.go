package conformance

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/sagasu-search/sagasu/sdk"
	"github.com/sagasu-search/sagasu/sdk/snapshot"
)

// maxOverrun is how long a search may continue after its context ended. It is longer under the race detector.
const maxOverrun = 100 * time.Millisecond * slowdown

// attempts is how often a search may overrun before the check fails, since a busy machine delays
// everything.
const attempts = 5

// cancel cancels a search on a larger corpus, at once and in the middle.
func (e *Suite) cancel(ctx context.Context) error {
	var took time.Duration
	_, err := e.closeTime(ctx, func(ctx context.Context) (context.Context, context.CancelFunc) {
		began := time.Now()
		return ctx, func() { took = time.Since(began) }
	})
	if err != nil {
		return err
	}
	for _, after := range []time.Duration{0, took / 2} {
		over, err := e.overrun(ctx, func(ctx context.Context) (context.Context, context.CancelFunc) {
			ctx, cancel := context.WithCancel(ctx)
			time.AfterFunc(after, cancel)
			return ctx, cancel
		})
		if err == nil && over > maxOverrun {
			err = fmt.Errorf("cancelled after %v it went on for %v", after, over.Round(time.Millisecond))
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// deadline gives a search on a larger corpus too little time.
func (e *Suite) deadline(ctx context.Context) error {
	const allowed = maxOverrun
	over, err := e.overrun(ctx, func(ctx context.Context) (context.Context, context.CancelFunc) {
		return context.WithTimeout(ctx, allowed)
	})
	if err == nil && over > maxOverrun {
		err = fmt.Errorf("with %v to answer it went on for %v more", allowed, over.Round(time.Millisecond))
	}
	return err
}

// limiter limits the life of a context.
type limiter func(context.Context) (context.Context, context.CancelFunc)

// overrun returns the minimum time by which a search outlasted its context.
func (e *Suite) overrun(ctx context.Context, limit limiter) (time.Duration, error) {
	return overrun(e.subject.Timeout, func() (time.Duration, error) { return e.closeTime(ctx, limit) },
		func() (time.Duration, error) { return e.closeTime(ctx, nil) })
}

// overrun returns the minimum time by which a call outlasted its context. Over gRPC a call returns when its context
// ends, whatever the plugin does. So this measures how much longer the plugin takes to close, which waits for its
// calls, than a plugin without a call.
func overrun(most time.Duration, called, uncalled func() (time.Duration, error)) (time.Duration, error) {
	least, idle := most, most
	for range attempts {
		took, err := called()
		if err != nil {
			return 0, err
		}
		if least = min(least, took); least <= maxOverrun {
			return least, nil
		}
		if took, err = uncalled(); err != nil {
			return 0, err
		}
		if idle = min(idle, took); least-idle <= maxOverrun {
			break
		}
	}
	return least - idle, nil
}

// closeTime starts the strategy, lets it search in the context that limit makes (nil for no search), and measures from
// the end of that context until the strategy has closed.
func (e *Suite) closeTime(ctx context.Context, limit limiter) (time.Duration, error) {
	corpus, err := e.bigCorpus()
	if err != nil {
		return 0, err
	}
	s, err := e.start(ctx)
	if err != nil {
		return 0, err
	}
	if err := e.open(ctx, s, corpus); err != nil {
		return 0, errors.Join(err, s.Close())
	}
	ended := time.Now()
	if limit != nil {
		ended = e.searchUntil(ctx, s, corpus, limit)
	}
	if err := s.Close(); err != nil {
		return 0, fmt.Errorf("afterwards it did not close: %w", err)
	}
	return time.Since(ended), nil
}

// searchUntil runs a search in a limited context and returns when the context or the search ended,
// whichever was earlier.
func (e *Suite) searchUntil(ctx context.Context, s Strategy, corpus *snapshot.Snapshot, limit limiter) time.Time {
	req := e.heavyRequest(corpus)
	ctx, cancel := limit(ctx)
	defer cancel()
	ended := make(chan time.Time, 1)
	stop := context.AfterFunc(ctx, func() { ended <- time.Now() })
	_, _ = s.Search(ctx, req) // the result does not matter
	if stop() {
		return time.Now()
	}
	return <-ended
}

// heavyRequest returns a request that takes long.
func (e *Suite) heavyRequest(corpus *snapshot.Snapshot) *sdk.Request {
	var all strings.Builder
	for _, t := range topics {
		all.WriteString(t[0] + " " + t[1] + " ")
	}
	req := e.request(corpus, question{"everything", all.String()}, nil, 1000)
	if req.Pool != nil {
		req.Pool = pool(corpus, nil, 1000)
	}
	return req
}

// bigCorpus returns the larger corpus. It publishes it at the first use.
func (e *Suite) bigCorpus() (*snapshot.Snapshot, error) {
	if e.big == nil {
		var err error
		if e.big, err = e.publish(e.kind, many); err != nil {
			return nil, err
		}
	}
	return e.big, nil
}
