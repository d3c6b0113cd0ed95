package search

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/hashicorp/go-hclog"

	"github.com/sagasu-search/sagasu/framework/internal/rootfs"
	"github.com/sagasu-search/sagasu/framework/internal/store"
	"github.com/sagasu-search/sagasu/framework/internal/toolset"
	"github.com/sagasu-search/sagasu/sdk/x/guard"
)

const (
	// tracesInMemory is the maximum number of traces kept in memory.
	tracesInMemory = 16
	// tracesAtHand is how many of them are kept there even if they are stored: a client that pages through its latest
	// results should not wait for a file.
	tracesAtHand = 4
)

// traceStore keeps traces: the newest and those that cannot be stored in memory, all in a store, where other processes
// find them. A trace is written after its answer has gone out, unless first is set; close waits for that.
type traceStore struct {
	store   store.Store
	session string
	tool    string // the tool that makes the traces
	logger  hclog.Logger
	first   bool // whether an answer waits for its trace

	mu      sync.Mutex
	newest  []heldTrace       // oldest first
	asked   []traced          // by the newest searches of this process, oldest first
	pending map[string]*Trace // not yet stored, by id
	writes  guard.Group
	largest int       // bytes of the largest trace so far
	lost    error     // why the last trace could not be stored, or nil
	stored  time.Time // when a trace was stored last
}

// heldTrace is a trace in memory.
type heldTrace struct {
	*Trace
	stored bool // in the store, too
}

// traced is a request with the id of the trace that answers it.
type traced struct {
	id      string
	request Request
}

// mostAsked is the maximum number of remembered requests.
const mostAsked = 1000

// newID returns the id of a new trace.
func (ts *traceStore) newID() string { return ts.session + "-" + randomID(8) }

const (
	// usualTrace is the size in bytes that a trace seldom exceeds.
	usualTrace = 64 << 10
	// probeEvery is how long a successful store counts as proof that the next trace can be stored.
	probeEvery = time.Second
	// probeWait is how long an answer waits for a disk that does not respond.
	probeWait = 100 * time.Millisecond
	// storeWait is how long an answer waits for its trace to be stored, if it waits at all.
	storeWait = time.Second
)

// probe starts to check whether the trace of the current search can be stored, if the trace is written only
// after the answer. The channel receives the outcome.
func (ts *traceStore) probe(ctx context.Context) <-chan error {
	if ts.first {
		return nil
	}
	ts.mu.Lock()
	size, shown := max(ts.largest, usualTrace), ts.lost == nil && time.Since(ts.stored) < probeEvery
	ts.mu.Unlock()
	probed := make(chan error, 1)
	if shown {
		probed <- nil
		return probed
	}
	ctx = context.WithoutCancel(ctx)
	ts.writes.Go(func() error { probed <- ts.store.Probe(ctx, size); return nil })
	return probed
}

// sessionOf returns the session of a trace's id.
func sessionOf(id string) string {
	session, _, _ := strings.Cut(id, "-")
	return session
}

type keptTrace struct{}

// Keeping returns a context that keeps the trace of a search made with it: [Engine.Hits] and [Engine.Snippets] find it
// there, however many other searches have followed.
func Keeping(ctx context.Context) context.Context {
	return context.WithValue(ctx, keptTrace{}, new(atomic.Pointer[Trace]))
}

// put stores a trace after complete has finished it. It waits for the probe, or until the trace is stored, for a
// limited time, and returns a warning for the answer, or "".
func (ts *traceStore) put(
	ctx context.Context, t *Trace, probed <-chan error, wait time.Duration, complete func() error,
) (warning string) {
	if kept, ok := ctx.Value(keptTrace{}).(*atomic.Pointer[Trace]); ok {
		kept.Store(t)
	}
	ts.mu.Lock()
	ts.pending[t.ID] = t
	ts.hold(heldTrace{t, false})
	if ts.asked = append(ts.asked, traced{t.ID, t.Request}); len(ts.asked) > mostAsked {
		ts.asked = slices.Delete(ts.asked, 0, 1)
	}
	lost := ts.lost
	ts.mu.Unlock()
	stored := make(chan error, 1)
	ctx = context.WithoutCancel(ctx)
	ts.writes.Go(func() error {
		err := guard.Call(func() error { return errors.Join(complete(), ts.write(ctx, t)) })
		if err != nil {
			ts.logger.Error("a trace could not be kept", "trace", t.ID, "error", err)
			guard.LogStack(ts.logger, err)
		}
		ts.mu.Lock()
		if ts.lost = err; err == nil {
			ts.stored = time.Now()
		}
		if i := ts.held(t.ID); i >= 0 {
			ts.newest[i].stored = err == nil
		}
		delete(ts.pending, t.ID)
		ts.mu.Unlock()
		stored <- err
		return nil
	})
	if ts.first {
		probed, lost = stored, errors.New("it is not written yet")
	}
	select {
	case err := <-probed:
		if ts.first || err != nil {
			lost = err
		}
	case <-time.After(wait):
	}
	if lost == nil {
		return ""
	}
	return fmt.Sprintf("the trace could not be kept in %s: %v; only this process lists what was found, "+
		"for its last %d searches", ts.store, rootfs.Cause(lost), ts.inMemory())
}

// patience returns how long an answer waits for its trace or for the probe. A cached answer had no time for a
// probe, and its trace takes hardly any space.
func (ts *traceStore) patience(remembered bool) time.Duration {
	switch {
	case ts.first:
		return storeWait
	case remembered:
		return 0
	}
	return probeWait
}

// inMemory returns how many traces stay in memory if they cannot be stored.
func (ts *traceStore) inMemory() int { return min(tracesInMemory, ts.store.Keep()) }

// keep replaces the trace with the same id in memory, or adds the trace as the newest.
func (ts *traceStore) keep(t *Trace) {
	ts.mu.Lock()
	defer ts.mu.Unlock()
	if i := ts.held(t.ID); i >= 0 {
		ts.newest[i].Trace = t
		return
	}
	ts.hold(heldTrace{t, true})
}

// held returns the index of a trace in memory, or -1. The store must be locked.
func (ts *traceStore) held(id string) int {
	return slices.IndexFunc(ts.newest, func(t heldTrace) bool { return t.ID == id })
}

// hold adds a trace as the newest. The store must be locked.
func (ts *traceStore) hold(t heldTrace) {
	ts.newest = append(ts.newest, t)
	if len(ts.newest) > ts.inMemory() {
		ts.newest = slices.Delete(ts.newest, 0, 1)
	}
	if i := len(ts.newest) - 1 - tracesAtHand; i >= 0 && ts.newest[i].stored {
		ts.newest = slices.Delete(ts.newest, i, i+1)
	}
}

// write stores a trace. If it differs from a stored trace only in its id, the id becomes another
// name of that trace.
func (ts *traceStore) write(ctx context.Context, t *Trace) error {
	if t.same != "" && ts.store.Link(ctx, ts.session, t.ID, sessionOf(t.same), t.same) == nil {
		return nil
	}
	return t.stored(func(data []byte) error {
		ts.mu.Lock()
		ts.largest = max(ts.largest, len(data))
		ts.mu.Unlock()
		return ts.store.Put(ctx, ts.session, t.ID, data)
	})
}

// get finds a trace of any session.
func (ts *traceStore) get(ctx context.Context, id string) (*Trace, error) {
	if kept, ok := ctx.Value(keptTrace{}).(*atomic.Pointer[Trace]); ok {
		if t := kept.Load(); t != nil && t.ID == id {
			return t, nil
		}
	}
	ts.mu.Lock()
	t := ts.pending[id]
	if i := ts.held(id); i >= 0 && time.Since(ts.newest[i].Created) <= ts.store.TTL() {
		t = ts.newest[i].Trace
	}
	ts.mu.Unlock()
	if t != nil {
		return t, nil
	}
	return ts.read(ctx, id)
}

func (ts *traceStore) read(ctx context.Context, id string) (*Trace, error) {
	data, err := ts.store.Get(ctx, sessionOf(id), id)
	if errors.Is(err, store.ErrNotFound) {
		return nil, ts.noTrace(id, "there is no trace %q of %s, or it has expired", id, ts.tool)
	}
	if err != nil {
		ts.logger.Warn("a trace cannot be read", "trace", id, "error", err)
		return nil, ts.noTrace(id, "the trace %q cannot be read in %s now: %w", id, ts.store, rootfs.Cause(err))
	}
	t, err := parseTrace(data)
	if err != nil { // damaged, or of another version
		ts.logger.Warn("a trace cannot be read", "trace", id, "error", err)
		return nil, ts.noTrace(id, "there is no trace %q that this version can read", id)
	}
	t.ID = id // the entry may have several names
	return t, nil
}

// noTrace returns the error for a missing trace. If its request is known, the error proposes to repeat it.
func (ts *traceStore) noTrace(id, why string, args ...any) error {
	err := toolset.Errorf(toolset.NotFound, why+"; call "+ts.tool+" again", args...).
		With("parameter", "trace_id").With("got", id)
	ts.mu.Lock()
	defer ts.mu.Unlock()
	i := slices.IndexFunc(ts.asked, func(q traced) bool { return q.id == id })
	if i < 0 {
		return err
	}
	request, params := ts.asked[i].request, map[string]any{}
	if len(request.Queries) > 0 {
		params["queries"] = request.Queries
	} else {
		params["query"] = request.Query
	}
	if request.ManualID != "" {
		params["manual_id"] = request.ManualID
	}
	return err.With("next_actions", []toolset.Action{{Type: ts.tool, Params: params}})
}

// close waits until every trace is written. Failures are logged.
func (ts *traceStore) close() { _ = ts.writes.Wait() }
