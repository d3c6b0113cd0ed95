package server

import (
	"context"
	"sync"
	"time"

	"github.com/mark3labs/mcp-go/mcp"
)

// progress reports the progress of a long call to a waiting client. done grows; total is 0 while it is unknown.
type progress func(done, total int, message string)

// audience holds the calls under way whose clients asked for progress.
type audience struct {
	mu      sync.Mutex
	next    int
	waiting map[int]progress
}

// join adds a listener. The returned function removes it.
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

// Announce reports the progress of work that calls may be waiting for, such as the first index, to every call under way
// whose client asked for progress. It may be called often; total is 0 while it is unknown.
func (s *Server) Announce(done, total int, message string) {
	s.audience.mu.Lock()
	defer s.audience.mu.Unlock()
	for _, report := range s.audience.waiting {
		report(done, total, message)
	}
}

// progressPause is the minimum time between two notifications of one call.
const progressPause = 100 * time.Millisecond

// reported is the progress sent to the client of a call: it grows, and is not sent more often than anybody can read,
// except that the last step is always sent.
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
