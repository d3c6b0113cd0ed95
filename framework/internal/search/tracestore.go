package search

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/hashicorp/go-hclog"

	"github.com/sagasu-search/sagasu/framework/internal/rootfs"
	"github.com/sagasu-search/sagasu/framework/internal/store"
	"github.com/sagasu-search/sagasu/framework/internal/toolset"
	"github.com/sagasu-search/sagasu/sdk/x/guard"
)

// tracesInMemory is how many traces stay in memory: a client pages what it has
// just found, and should not wait for a file.
const tracesInMemory = 16

// traceStore keeps traces: the newest in memory, all in a directory, where other processes
// find them. A trace is written after its answer has gone out, unless first is set; close waits for that.
type traceStore struct {
	dir     *store.Dir
	session string
	logger  hclog.Logger
	first   bool // whether an answer waits for its trace

	mu      sync.Mutex
	newest  []*Trace          // oldest first
	pending map[string]*Trace // not yet in the store, by their id
	writes  guard.Group
	largest int   // bytes of the largest trace so far
	lost    error // why the last trace could not be kept, nil when it was
}

// newID returns the id of a new trace.
func (ts *traceStore) newID() string { return ts.session + "-" + randomID(8) }

// put takes a trace, which complete finishes. An answer that has to wait for its trace waits at most
// storeWait.
func (ts *traceStore) put(t *Trace, complete func() error) {
	ts.mu.Lock()
	if ts.pending == nil {
		ts.pending = map[string]*Trace{}
	}
	ts.pending[t.ID] = t
	ts.newest = append(ts.newest, t)
	if len(ts.newest) > ts.inMemory() {
		ts.newest = slices.Delete(ts.newest, 0, 1)
	}
	ts.mu.Unlock()
	stored := make(chan struct{})
	ts.writes.Go(func() error {
		defer close(stored)
		err := guard.Call(func() error { return errors.Join(complete(), ts.write(t)) })
		if err != nil {
			ts.logger.Error("a trace could not be kept", "trace", t.ID, "error", err)
			guard.LogStack(ts.logger, err)
		}
		ts.mu.Lock()
		ts.lost = err
		delete(ts.pending, t.ID)
		ts.mu.Unlock()
		return nil
	})
	if ts.first {
		select {
		case <-stored:
		case <-time.After(storeWait):
		}
	}
}

const (
	// usualTrace is the size in bytes that a trace seldom exceeds.
	usualTrace = 64 << 10
	// probeWait is how long an answer waits for a disk that does not answer.
	probeWait = 100 * time.Millisecond
	// storeWait is how long an answer waits until its trace is stored, where it does.
	storeWait = time.Second
)

// probe begins to find out whether the trace of the search under way can be kept, since that is
// written only after the answer. The function that it returns waits for that, at most so long, and
// returns what the answer has to warn of, "" for nothing.
func (ts *traceStore) probe() (warning func(wait time.Duration) string) {
	ts.mu.Lock()
	size, lost := max(ts.largest, usualTrace), ts.lost
	ts.mu.Unlock()
	probed := make(chan error, 1)
	ts.writes.Go(func() error { probed <- ts.dir.Probe(size); return nil })
	return func(wait time.Duration) string {
		err := lost
		select {
		case now := <-probed:
			if now != nil {
				err = now
			}
		case <-time.After(wait):
		}
		if err == nil {
			return ""
		}
		return fmt.Sprintf("the trace could not be kept in %s: %v; only this process lists what was found, "+
			"for its last %d searches", ts.dir.Path(), rootfs.Cause(err), ts.inMemory())
	}
}

// inMemory is how many traces stay in memory.
func (ts *traceStore) inMemory() int { return min(tracesInMemory, ts.dir.Keep()) }

// write stores a trace. One that is served like a stored one but for its id becomes another
// name of that.
func (ts *traceStore) write(t *Trace) error {
	if t.same != "" && ts.dir.Link(ts.session, t.ID, t.same) == nil {
		return nil
	}
	data, err := json.Marshal(t)
	if err != nil {
		return err
	}
	ts.mu.Lock()
	ts.largest = max(ts.largest, len(data))
	ts.mu.Unlock()
	return ts.dir.Put(ts.session, t.ID, data)
}

// get finds a trace of any session.
func (ts *traceStore) get(id string) (*Trace, error) {
	ts.mu.Lock()
	i := slices.IndexFunc(ts.newest, func(t *Trace) bool { return t.ID == id && time.Since(t.Created) <= ts.dir.TTL() })
	t := ts.pending[id]
	if i >= 0 {
		t = ts.newest[i]
	}
	ts.mu.Unlock()
	if t != nil {
		return t, nil
	}
	return ts.read(id)
}

func (ts *traceStore) read(id string) (*Trace, error) {
	session, _, _ := strings.Cut(id, "-")
	data, err := ts.dir.Get(session, id)
	if errors.Is(err, store.ErrNotFound) {
		return nil, noTrace(id)
	}
	if err != nil {
		return nil, err
	}
	t, err := parseTrace(data)
	if err != nil { // damaged, or of another version
		ts.logger.Warn("a trace cannot be read", "trace", id, "error", err)
		return nil, noTrace(id)
	}
	t.ID = id // the file may have several names
	return t, nil
}

func noTrace(id string) error {
	return toolset.Errorf(toolset.NotFound, "there is no trace %q, or it has expired; call manual_find again", id).
		With("parameter", "trace_id").With("got", id)
}

// close waits until every trace is written; what failed is logged.
func (ts *traceStore) close() { _ = ts.writes.Wait() }
