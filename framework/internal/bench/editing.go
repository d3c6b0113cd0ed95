package bench

import (
	"cmp"
	"context"
	"fmt"
	"time"
)

// mostEdits is how many changes are timed, fewer where fewer queries are asked.
const mostEdits = 20

// pauseBetween lets an edit come to rest before the next: people do not save
// twenty times a second.
const pauseBetween = 300 * time.Millisecond

// editing changes a file of a manual and searches for it until it is found.
func (r *run) editing() error {
	s, err := startServer(r.ctx, r.Binary, r.home)
	if err != nil {
		return err
	}
	defer s.close() // its answers were read
	if _, err := s.complete(r.Queries[0].Query); err != nil {
		return err
	}
	var times Times
	edits := min(mostEdits, r.Limit)
	for n := range edits {
		r.tell("edits", n, edits)
		took, err := r.edit(s, n)
		if err != nil {
			return err
		}
		times = append(times, took)
		if err := pause(r.ctx, pauseBetween); err != nil {
			return err
		}
	}
	p := r.report.part("a changed file, from its saving to the end of the first answer that has it")
	p.seconds("median", times.Median())
	p.seconds("p95", times.P95()).atMost(editBar)
	return nil
}

// foundWithin bounds the wait for an edit.
const foundWithin = 30 * time.Second

func (r *run) edit(s *server, n int) (time.Duration, error) {
	word := fmt.Sprintf("zqx%dvw%d", n, time.Now().UnixNano())
	if err := r.home.WriteProbe("edited.md", "# Probe\n\nThe password of this edit is "+word+".\n"); err != nil {
		return 0, err
	}
	saved := time.Now()
	for time.Since(saved) < foundWithin {
		var f found
		if _, err := s.timed("manual_find", map[string]any{"query": `"` + word + `"`, "manual_id": probeID,
			"use_cache": false, "expand_scope": false}, &f); err != nil {
			return 0, err
		}
		if f.Summary.Matched > 0 {
			return time.Since(saved), nil
		}
	}
	return 0, cmp.Or(r.ctx.Err(), fmt.Errorf("an edit was not found within %v", foundWithin))
}

func pause(ctx context.Context, d time.Duration) error {
	select {
	case <-time.After(d):
	case <-ctx.Done():
	}
	return ctx.Err()
}
