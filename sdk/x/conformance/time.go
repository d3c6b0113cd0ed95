package conformance

import (
	"context"
	"time"
)

// Time measures n ordinary searches of the small corpus, one after the other. Those that
// fail are left out.
func (e *Exam) Time(ctx context.Context, n int) []time.Duration {
	s, err := e.strategy(ctx)
	if err != nil {
		return nil
	}
	var out []time.Duration
	for i := range n {
		req := e.request(e.small, plain[i%len(plain)], nil, 10)
		began := time.Now()
		_, refused, err := e.search(ctx, s, req)
		if err != nil {
			return out
		}
		if refused == nil {
			out = append(out, time.Since(began))
		}
	}
	return out
}

// Running is the strategy that runs between two checks, nil for none.
func (e *Exam) Running() Strategy { return e.running }
