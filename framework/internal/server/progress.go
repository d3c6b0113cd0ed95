package server

import (
	"context"
	"sync"
	"time"

	"github.com/mark3labs/mcp-go/mcp"
)

// progress reports to a waiting client how far a long call has come. done grows;
// total is 0 while it is not known.
type progress func(done, total int, message string)

// audience are the calls under way whose clients asked for progress.
type audience struct {
	mu      sync.Mutex
	next    int
	waiting map[int]progress
}

// join adds a listener; the returned function takes it out again.
func (a *audience) join(p progress) (leave func()) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.waiting == nil {
		a.waiting = map[int]progress{}
	}
	id := a.next
	a.next++
	a.waiting[id] = p
	return func() {
		a.mu.Lock()
		defer a.mu.Unlock()
		delete(a.waiting, id)
	}
}

// Announce reports to every call under way, whose client asked for progress, how
// far the work is that it may be waiting for, such as the first index. It may
// be called often; total is 0 while it is not known.
func (s *Server) Announce(done, total int, message string) {
	s.audience.mu.Lock()
	defer s.audience.mu.Unlock()
	for _, report := range s.audience.waiting {
		report(done, total, message)
	}
}

// progressPause is the least time between two notifications of one call.
const progressPause = 100 * time.Millisecond

// reported is progress that is sent to the client of a call: growing, and not more often than anybody
// can read, but always the last step.
func reported(ctx context.Context, token mcp.ProgressToken, notify func(context.Context, string, map[string]any),
) progress {
	var mu sync.Mutex
	var last time.Time
	told := -1
	return func(done, total int, message string) {
		mu.Lock()
		defer mu.Unlock()
		if done <= told || done != total && time.Since(last) < progressPause {
			return
		}
		told, last = done, time.Now()
		params := map[string]any{"progressToken": token, "progress": done, "message": message}
		if total > 0 {
			params["total"] = total
		}
		notify(ctx, "notifications/progress", params)
	}
}
