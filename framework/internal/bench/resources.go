package bench

import (
	"errors"
	"time"
)

const (
	memoryBar     = 150 // MB, of all processes
	memoryQueries = 200
	cacheBar      = 1 // ms
	cacheQueries  = 100
)

// memory asks 200 queries of a new server and adds up what its processes hold.
func (r *run) memory() error {
	s, err := startServer(r.ctx, r.Binary, r.home)
	if err != nil {
		return err
	}
	defer s.close() // its answers were read
	for n := range memoryQueries {
		r.tell("memory", n, memoryQueries)
		if _, _, err := s.find(r.Queries[n%len(r.Queries)].Query); err != nil {
			return err
		}
	}
	bytes, err := PrivateDirty(s.cmd.Process.Pid)
	if errors.Is(err, errors.ErrUnsupported) {
		r.report.leave("memory: known on Linux only")
		return nil
	}
	if err != nil {
		return err
	}
	r.report.part("memory after 200 queries").add("Private_Dirty of the server and its strategies", float64(bytes)/1e6,
		Megabytes).atMost(memoryBar)
	return nil
}

// caching asks each query twice with the cache on and times the second.
func (r *run) caching() error {
	s, err := startServer(r.ctx, r.Binary, r.home)
	if err != nil {
		return err
	}
	defer s.close() // its answers were read
	var times Times
	n := min(cacheQueries, len(r.Queries))
	for i, q := range r.Queries[:n] {
		r.tell("cache", i, n)
		took, err := twice(s, q.Query)
		if err != nil {
			return err
		}
		times = append(times, took)
	}
	median, _ := r.report.part("the same query again, from the cache, over MCP").spread("manual_find", times)
	median.atMost(cacheBar)
	return nil
}

// twice returns the time of the second of two equal searches.
func twice(s *server, query string) (took time.Duration, err error) {
	for range 2 {
		var f found
		if took, err = s.timed("manual_find", map[string]any{"query": query}, &f); err == nil {
			_, err = s.hits(f.TraceID, 1)
		}
		if err != nil {
			return 0, err
		}
	}
	return took, nil
}
