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

// halt is how long a search may go on when nobody waits for it any more; longer under the
// race detector.
const halt = 100 * time.Millisecond * slowdown

// attempts is how often it may take longer, since a busy machine makes everybody late.
const attempts = 5

// cancel cancels a search on a larger corpus, at once and in the middle.
func (e *Exam) cancel(ctx context.Context) error {
	for _, after := range []time.Duration{0, 50 * time.Millisecond} {
		over, err := e.overrun(ctx, func(ctx context.Context) (context.Context, context.CancelFunc) {
			ctx, cancel := context.WithCancel(ctx)
			time.AfterFunc(after, cancel)
			return ctx, cancel
		})
		if err != nil {
			return err
		}
		if over > halt {
			return fmt.Errorf("cancelled after %v it went on for %v", after, over.Round(time.Millisecond))
		}
	}
	return nil
}

// deadline gives a search on a larger corpus too little time.
func (e *Exam) deadline(ctx context.Context) error {
	const allowed = 100 * time.Millisecond
	over, err := e.overrun(ctx, func(ctx context.Context) (context.Context, context.CancelFunc) {
		return context.WithTimeout(ctx, allowed)
	})
	if err != nil {
		return err
	}
	if over > halt {
		return fmt.Errorf("with %v to answer it went on for %v more", allowed, over.Round(time.Millisecond))
	}
	return nil
}

// overrun is the least time by which a search outlasted its context. Over the border a
// call returns when its context ends whatever the strategy does, so what is measured is
// how much longer the strategy then takes to close, which it does when its calls have ended,
// than one that was not called.
func (e *Exam) overrun(ctx context.Context, limit func(context.Context) (context.Context, context.CancelFunc)) (time.Duration, error) {
	least, idle := e.subject.Patience, e.subject.Patience
	for range attempts {
		took, err := e.halted(ctx, limit)
		if err != nil {
			return 0, err
		}
		if least = min(least, took); least <= halt {
			return least, nil
		}
		if took, err = e.halted(ctx, nil); err != nil {
			return 0, err
		}
		if idle = min(idle, took); least-idle <= halt {
			break
		}
	}
	return least - idle, nil
}

// halted starts the strategy, lets it search in the context that limit makes, nil for
// not at all, and measures from the end of that context until it has closed.
func (e *Exam) halted(ctx context.Context, limit func(context.Context) (context.Context, context.CancelFunc)) (time.Duration, error) {
	corpus, err := e.many()
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
		ended = e.burden(ctx, s, corpus, limit)
	}
	if err := s.Close(); err != nil {
		return 0, fmt.Errorf("afterwards it did not close: %w", err)
	}
	return time.Since(ended), nil
}

// burden lets s search in a context of limited life and tells when that ended, or the
// search if that was earlier.
func (e *Exam) burden(ctx context.Context, s Strategy, corpus *snapshot.Snapshot, limit func(context.Context) (context.Context, context.CancelFunc)) time.Time {
	req := e.heavy(corpus)
	ctx, cancel := limit(ctx)
	defer cancel()
	ended := make(chan time.Time, 1)
	stop := context.AfterFunc(ctx, func() { ended <- time.Now() })
	_, _ = s.Search(ctx, req) // whatever it is, nobody waits for it
	if stop() {
		return time.Now()
	}
	return <-ended
}

// heavy asks for much.
func (e *Exam) heavy(corpus *snapshot.Snapshot) *sdk.Request {
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

// many is the larger corpus, published on first need.
func (e *Exam) many() (*snapshot.Snapshot, error) {
	if e.big == nil {
		var err error
		if e.big, err = e.publish(e.kind, many); err != nil {
			return nil, err
		}
	}
	return e.big, nil
}
