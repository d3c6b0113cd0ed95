package bench

import (
	"fmt"
	"runtime"
	"time"
)

const (
	findBar       = 5    // ms, median over MCP
	borderBar     = 1.2  // ms, median
	borderP95Bar  = 2.5  // ms
	growthBar     = 4    // × for ten times the sections, up to the main corpus
	beyondBar     = 8    // × for ten times the sections, beyond it
	beyondP95Bar  = 60   // ms
	editBar       = 0.04 // s, until a changed file is found, median
	editP95Bar    = 0.2  // s
	memoryBar     = 90   // MB, of all processes
	cacheBar      = 1    // ms
	memoryQueries = 200
	mostEdits     = 20 // fewer if fewer queries are asked
)

// served returns a measurement with a server of its own.
func served(measure func(*run, *server) error) func(*run) error {
	return func(r *run) error {
		s, _, err := r.serve(r.Binary, r.home)
		if err != nil {
			return err
		}
		defer s.close() // its answers have been read
		return measure(r, s)
	}
}

// find asks the server with manual_find, and each peer for its best ten, in turn.
func (r *run) find(s *server) error {
	times, err := r.besidePeers("manual_find over MCP", s.uncached)
	if err != nil {
		return err
	}
	p := r.report.part("manual_find over MCP stdio, all strategies in their processes; peers: one query in process")
	p.median("manual_find", times[0]).atMost(findBar)
	p95 := p.p95("manual_find", times[0])
	for i, e := range r.engines {
		if e.Name == bleve {
			p95.atMost(milliseconds(times[i+1].p95())).Note = "the bar is Bleve's, in process, in the same minutes"
		}
	}
	for i, e := range r.engines {
		p.median(e.Name, times[i+1])
		p.p95(e.Name, times[i+1])
	}
	return nil
}

// border runs the same search with strategies in this process and in processes of their own.
func (r *run) border() error {
	pipelines, err := r.Ours.Pipelines(r.ctx, r.home)
	if err != nil {
		return err
	}
	defer pipelines.Close() // nothing in it is kept
	times, err := r.inTurn("the border",
		func(query string) (time.Duration, error) { return pipelines.Local(r.ctx, query) },
		func(query string) (time.Duration, error) { return pipelines.Remote(r.ctx, query) },
	)
	if err != nil {
		return err
	}
	local, remote := times[0], times[1]
	p := r.report.part("the border: the same search without MCP")
	p.median("strategies in this process", local)
	p.p95("strategies in this process", local)
	p.median("strategies in their processes", remote)
	p.p95("strategies in their processes", remote)
	p.median("more per query", remote.less(local)).atMost(borderBar)
	p.ms("more at p95", remote.p95()-local.p95()).atMost(borderP95Bar)
	return nil
}

// growth asks every corpus the same queries in turn and compares each with the main one.
func (r *run) growth() error {
	if len(r.Growth) == 0 {
		r.report.Notes = append(r.report.Notes, "not measured: growth; make larger and smaller corpora with "+
			"sagasu-bench --grow and name them with --growth")
		return nil
	}
	var asks []ask
	var sizes []int
	for i, g := range append([]Grown{{Name: "the manuals"}}, r.Growth...) {
		r.Progress.Show("indexing "+g.Name, i, len(r.Growth))
		h := r.home
		if i > 0 {
			var err error
			if h, err = newHome(r.dir, g.Manuals); err != nil {
				return err
			}
		}
		s, sections, err := r.serve(r.Binary, h)
		if err != nil {
			return fmt.Errorf("%s: %w", g.Name, err)
		}
		defer s.close() // its answers have been read
		asks, sizes = append(asks, s.uncached), append(sizes, sections)
	}
	times, err := r.inTurn("growth", asks...)
	if err != nil {
		return err
	}
	p := r.report.part("growth: manual_find over MCP stdio, the same queries")
	for i, size := range sizes {
		p.median(fmt.Sprintf("%d sections", size), times[i])
		p95 := p.p95(fmt.Sprintf("%d sections", size), times[i])
		if i == 0 {
			continue
		}
		small, large, bar := i, 0, growthBar
		if size > sizes[0] {
			small, large, bar = 0, i, beyondBar
			p95.atMost(beyondP95Bar)
		}
		p.add(fmt.Sprintf("%d → %d sections, median", sizes[small], sizes[large]),
			float64(times[large].median())/float64(times[small].median()), "×").atMost(float64(bar))
	}
	return nil
}

// edits changes a file of a manual and searches for the change until it is found.
func (r *run) edits(s *server) error {
	var waits times
	edits := min(mostEdits, r.Limit)
	for n := range edits {
		r.Progress.Show("edits", n, edits)
		took, err := r.edit(s, n)
		if err != nil {
			return err
		}
		waits = append(waits, took)
		time.Sleep(pauseBetween)
	}
	p := r.report.part("a changed file, from its saving to the end of the first answer that has it")
	p.seconds("median", waits.median()).atMost(editBar)
	p.seconds("p95", waits.p95()).atMost(editP95Bar)
	return nil
}

const (
	// foundWithin is the maximum wait for an edit.
	foundWithin = 30 * time.Second
	// pauseBetween separates edits, since people do not save twenty times a second.
	pauseBetween = 300 * time.Millisecond
)

func (r *run) edit(s *server, n int) (time.Duration, error) {
	word := fmt.Sprintf("zqx%dvw%d", n, time.Now().UnixNano())
	if err := r.home.writeProbe("edited.md", "# Probe\n\nThe password of this edit is "+word+".\n"); err != nil {
		return 0, err
	}
	saved := time.Now()
	for time.Since(saved) < foundWithin {
		var f found
		if _, err := s.call("manual_find", findArguments{Query: `"` + word + `"`, ManualID: probeID}, &f); err != nil {
			return 0, err
		}
		if f.Summary.Matched > 0 {
			return time.Since(saved), nil
		}
	}
	return 0, fmt.Errorf("an edit was not found within %v", foundWithin)
}

// memory asks a new server 200 queries and sums the memory of its processes.
func (r *run) memory(s *server) error {
	if runtime.GOOS != "linux" {
		r.report.Notes = append(r.report.Notes, "not measured: memory; known on Linux only")
		return nil
	}
	for n := range memoryQueries {
		r.Progress.Show("memory", n, memoryQueries)
		if _, err := s.uncached(r.Queries[n%len(r.Queries)].Query); err != nil {
			return err
		}
	}
	bytes, err := PrivateDirty(s.cmd.Process.Pid)
	if err != nil {
		return err
	}
	p := r.report.part("memory after 200 queries")
	p.add("Private_Dirty of the server and its strategies", float64(bytes)/1e6, "MB").atMost(memoryBar)
	if r.Rest == 0 {
		return nil
	}
	select {
	case <-time.After(r.Rest):
	case <-r.ctx.Done():
		return r.ctx.Err()
	}
	if bytes, err = PrivateDirty(s.cmd.Process.Pid); err != nil {
		return err
	}
	p.add(fmt.Sprintf("the same after %v of rest", r.Rest), float64(bytes)/1e6, "MB").atMost(memoryBar)
	return nil
}

// cache asks each query twice with the cache on and times the second.
func (r *run) cache(s *server) error {
	times, err := r.inTurn("cache", func(query string) (time.Duration, error) {
		if _, err := s.find(query, true); err != nil {
			return 0, err
		}
		return s.find(query, true)
	})
	if err != nil {
		return err
	}
	p := r.report.part("the same query again, from the cache, over MCP")
	p.median("manual_find", times[0]).atMost(cacheBar)
	p.p95("manual_find", times[0])
	return nil
}
