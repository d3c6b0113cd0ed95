package search

import (
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/hashicorp/go-hclog"

	"github.com/sagasu-search/sagasu/framework/internal/store"
	"github.com/sagasu-search/sagasu/framework/internal/toolset"
	"github.com/sagasu-search/sagasu/sdk/x/guard"
)

// tracesInMemory is how many traces stay in memory: a client pages what it has
// just found, and should not wait for a file.
const tracesInMemory = 16

// traceStore keeps traces: the newest in memory, all in a directory, where other processes
// find them. A trace is written after its answer has gone out; close waits for that.
type traceStore struct {
	dir     *store.Dir
	session string
	logger  hclog.Logger

	mu      sync.Mutex
	newest  []*Trace          // oldest first
	pending map[string]*Trace // not yet in the store, by their id
	writes  guard.Group
}

// newID returns the id of a new trace.
func (ts *traceStore) newID() string { return ts.session + "-" + randomID(8) }

// put takes a trace; complete finishes it after the answer has gone out.
func (ts *traceStore) put(t *Trace, complete func() error) {
	ts.mu.Lock()
	if ts.pending == nil {
		ts.pending = map[string]*Trace{}
	}
	ts.pending[t.ID] = t
	ts.newest = append(ts.newest, t)
	if len(ts.newest) > min(tracesInMemory, ts.dir.Keep()) {
		ts.newest = slices.Delete(ts.newest, 0, 1)
	}
	ts.mu.Unlock()
	ts.writes.Go(func() error {
		err := guard.Call(func() error { return errors.Join(complete(), ts.write(t)) })
		if err != nil {
			ts.logger.Error("a trace could not be kept", "trace", t.ID, "error", err)
			guard.LogStack(ts.logger, err)
		}
		ts.mu.Lock()
		delete(ts.pending, t.ID)
		ts.mu.Unlock()
		return nil
	})
}

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
