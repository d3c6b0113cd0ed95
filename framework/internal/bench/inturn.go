package bench

import (
	"fmt"
	"time"

	"github.com/sagasu-search/sagasu/framework/internal/eval"
)

// warmup is how many queries are asked before anything is timed.
const warmup = 20

// ask asks one query and says how long that took.
type ask func(q *eval.Query) (time.Duration, error)

// inTurn asks every query of each of several things in turn, in changing order,
// and gives the times of each. The first queries are asked once before.
func (r *run) inTurn(step string, asks ...ask) ([]Times, error) {
	times := make([]Times, len(asks))
	before := min(warmup, len(r.Queries))
	for n := range before + len(r.Queries) {
		if err := r.ctx.Err(); err != nil {
			return nil, err
		}
		i := n - before
		q := &r.Queries[n%before]
		if i >= 0 {
			q = &r.Queries[i]
		}
		for j := range asks {
			at := (j + n) % len(asks)
			took, err := asks[at](q)
			if err != nil {
				return nil, fmt.Errorf("%s, query %s: %w", step, q.ID, err)
			}
			if i >= 0 {
				times[at] = append(times[at], took)
			}
		}
		r.tell(step, max(i+1, 0), len(r.Queries))
	}
	return times, nil
}
