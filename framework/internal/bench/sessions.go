package bench

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
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
	answers, times := make([][]answer, sessionCount), make([]Times, sessionCount)
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
	differ, warned := differing(answers)
	p.add("answers that differ between servers, without a warning", float64(differ), Score).atMost(0)
	p.add("answers with a warning", float64(warned), Score).note(firstWarning(answers))
	return nil
}

// session asks n queries and returns the rows and the time of each answer.
func (r *run) session(ctx context.Context, s *server, n int) (answers []answer, times Times, err error) {
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
		answers, times = append(answers, answer{row, f.Warnings}), append(times, took)
	}
	return answers, times, nil
}

// answer is the result of a search: its first rows as they came, and its warnings.
type answer struct {
	rows     []byte
	warnings []string
}

// differing counts the answers with a warning, and among the others those that
// are not the first server's.
func differing(answers [][]answer) (differ, warned int) {
	for i := range answers[0] {
		var first *answer
		for _, of := range answers {
			a := &of[i]
			switch {
			case len(a.warnings) > 0:
				warned++
			case first == nil:
				first = a
			case !slices.Equal(a.rows, first.rows):
				differ++
			}
		}
	}
	return differ, warned
}

// firstWarning is one for the reader, "" where there is none.
func firstWarning(answers [][]answer) string {
	for _, a := range slices.Concat(answers...) {
		if len(a.warnings) > 0 {
			return strings.Join(a.warnings, "; ")
		}
	}
	return ""
}
