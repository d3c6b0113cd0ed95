package bench

import (
	"time"
)

// Bars of beginnings and of edits.
const (
	startBar = 0.4 // s, to the first answer where there is an index
	editBar  = 0.2 // s, until a changed file is found
)

// firstTime is how long a first search may take before it answers from a part, in
// milliseconds.
const firstTime = 300

// firstIndex starts servers where there is no index yet, the last one at home.
func (r *run) firstIndex() error {
	var partial, whole Times
	parts := 0
	for round := range r.Rounds {
		r.tell("first index", round, r.Rounds)
		h := r.home
		if round < r.Rounds-1 {
			var err error
			if h, err = NewHome(r.dir, r.Manuals); err != nil {
				return err
			}
		}
		first, last, part, err := r.beginning(h)
		if err != nil {
			return err
		}
		partial, whole = append(partial, first), append(whole, last)
		if part {
			parts++
		}
	}
	p := r.report.part("a first index, from the start of the server")
	note := "complete already"
	if parts > 0 {
		note = "from the files indexed by then, with a warning"
	}
	p.seconds("first answer, time_ms 300", partial.Median()).note(note)
	p.seconds("first complete answer", whole.Median())
	return nil
}

// beginning starts a server and searches until the answer is complete.
func (r *run) beginning(h *Home) (first, whole time.Duration, partial bool, err error) {
	begin := time.Now()
	s, err := startServer(r.ctx, r.Binary, h)
	if err != nil {
		return 0, 0, false, err
	}
	defer s.close() // its answers were read
	for {
		var f found
		if _, err := s.timed("manual_find", map[string]any{
			"query": r.Queries[0].Query, "use_cache": false, "budget": map[string]any{"time_ms": firstTime},
		}, &f); err != nil {
			return 0, 0, false, err
		}
		if first == 0 {
			first, partial = time.Since(begin), f.partial()
		}
		if !f.partial() {
			return first, time.Since(begin), partial, nil
		}
	}
}

// indexTime is how long a search waits for a whole index, in milliseconds.
const indexTime = 3_600_000

// complete searches until nothing is missing and returns the number of sections.
func (s *server) complete(query string) (sections int, err error) {
	for {
		var f found
		if _, err := s.timed("manual_find", map[string]any{
			"query": query, "use_cache": false, "budget": map[string]any{"time_ms": indexTime},
		}, &f); err != nil {
			return 0, err
		}
		if !f.partial() {
			return f.Summary.ScannedNodes, nil
		}
	}
}

// starting starts servers where there is an index.
func (r *run) starting() error {
	var times Times
	rounds := max(r.Rounds, leastOpenings)
	for round := range rounds {
		r.tell("start", round, rounds)
		begin := time.Now()
		s, err := startServer(r.ctx, r.Binary, r.home)
		if err != nil {
			return err
		}
		if _, err = s.timed("manual_find", map[string]any{"query": r.Queries[round%len(r.Queries)].Query,
			"use_cache": false}, new(found)); err == nil {
			times = append(times, time.Since(begin))
		}
		s.close() // its answer was read
		if err != nil {
			return err
		}
	}
	p := r.report.part("start of the server to its first answer, indexed")
	p.seconds("median", times.Median()).atMost(startBar)
	p.seconds("longest", times.Quantile(1))
	return nil
}
