package bench

import (
	"cmp"
	"fmt"
	"os/exec"
	"path/filepath"
	"time"
)

const (
	startBar    = 0.15 // s, of the server to the first answer with an existing index
	findBarCLI  = 0.06 // s, of sagasu find with an existing index
	leastStarts = 5
)

// starts measures repeatedly, with an existing index, a start that answers a query.
func (r *run) starts(step string, one ask) (out times, err error) {
	s, _, err := r.serve(r.Binary, r.home) // to build the index
	if err != nil {
		return nil, err
	}
	_ = s.close() // its answers have been read
	rounds := max(r.Rounds, leastStarts)
	for round := range rounds {
		r.Progress.Show(step, round, rounds)
		took, err := one(r.Queries[round%len(r.Queries)].Query)
		if err != nil {
			return nil, err
		}
		out = append(out, took)
	}
	return out, nil
}

// start measures starts of the server with an existing index.
func (r *run) start() error {
	starts, err := r.starts("start", func(query string) (time.Duration, error) {
		began := time.Now()
		s, err := startServer(r.ctx, r.Binary, r.home)
		if err != nil {
			return 0, err
		}
		_, err = s.call("manual_find", findArguments{Query: query, Expand: true}, &found{})
		return time.Since(began), cmp.Or(err, s.close())
	})
	if err != nil {
		return err
	}
	p := r.report.part("start of the server to its first answer, indexed")
	p.seconds("median", starts.median()).atMost(startBar)
	return nil
}

// command times sagasu find, which starts what it needs and ends.
func (r *run) command() error {
	waits, err := r.starts("sagasu find", func(query string) (time.Duration, error) {
		cmd := exec.CommandContext(r.ctx, r.Binary, "find", query)
		cmd.Env, cmd.Dir = r.home.environ(), filepath.Join(r.home.Dir, "workspace")
		began := time.Now()
		out, err := cmd.Output()
		took := time.Since(began)
		if err != nil && len(out) == 0 { // a search may find nothing
			return 0, fmt.Errorf("sagasu find: %w", err)
		}
		return took, nil
	})
	if err != nil {
		return err
	}
	p := r.report.part("sagasu find on the command line, indexed")
	p.seconds("median", waits.median()).atMost(findBarCLI)
	return nil
}
