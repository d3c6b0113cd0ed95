package bench

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"time"

	"golang.org/x/sync/errgroup"
)

const (
	sessionCount   = 8
	sessionQueries = 50
	// sessionRows is how many rows of each answer must be the same everywhere.
	sessionRows = 10
)

// concurrent lets eight servers on one index directory answer at once, each with
// processes of its own, and compares what they found.
func (r *run) concurrent() error {
	servers := make([]*server, sessionCount)
	defer func() {
		for _, s := range servers {
			if s != nil {
				s.close() // its answers were read
			}
		}
	}()
	var start errgroup.Group
	for i := range servers {
		start.Go(func() (err error) {
			if servers[i], err = startServer(r.ctx, r.Binary, r.home); err == nil {
				_, err = servers[i].complete(r.Queries[0].Query)
			}
			return err
		})
	}
	if err := start.Wait(); err != nil {
		return err
	}
	n := min(sessionQueries, len(r.Queries))
	answers, times := make([][][]byte, sessionCount), make([]Times, sessionCount)
	all, ctx := errgroup.WithContext(r.ctx)
	begin := time.Now()
	for i, s := range servers {
		all.Go(func() (err error) {
			answers[i], times[i], err = r.session(ctx, s, n)
			return err
		})
	}
	if err := all.Wait(); err != nil {
		return err
	}
	took := time.Since(begin)
	p := r.report.part(fmt.Sprintf("%d servers on one index directory, %d queries each at once", sessionCount, n))
	p.add("answers, each with its first 10 rows", ratio(float64(sessionCount*n), took.Seconds()), PerSecond)
	p.spread("manual_find", slices.Concat(times...))
	p.add("answers that differ between servers", float64(differing(answers)), Score).atMost(0)
	return nil
}

// session asks n queries and gives the rows and the time of each answer.
func (r *run) session(ctx context.Context, s *server, n int) (rows [][]byte, times Times, err error) {
	for _, q := range r.Queries[:n] {
		if err := ctx.Err(); err != nil {
			return nil, nil, err
		}
		var f found
		took, err := s.timed("manual_find", map[string]any{"query": q.Query, "use_cache": false}, &f)
		if err != nil {
			return nil, nil, err
		}
		items, err := s.hits(f.TraceID, sessionRows)
		if err != nil {
			return nil, nil, err
		}
		row, err := json.Marshal(items)
		if err != nil {
			return nil, nil, err
		}
		rows, times = append(rows, row), append(times, took)
	}
	return rows, times, nil
}

// differing counts the answers that are not those of the first server.
func differing(answers [][][]byte) int {
	n := 0
	for _, other := range answers[1:] {
		for i := range other {
			if !slices.Equal(other[i], answers[0][i]) {
				n++
			}
		}
	}
	return n
}
