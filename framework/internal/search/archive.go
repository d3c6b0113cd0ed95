package search

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/hashicorp/go-hclog"

	"github.com/sagasu-search/sagasu/framework/internal/store"
	"github.com/sagasu-search/sagasu/framework/internal/toolset"
)

// remembered is how many traces stay in memory: a client pages what it has
// just found, and should not wait for a file.
const remembered = 16

// archive keeps traces: the newest in memory, all in the store, where other
// processes find them. Writing is done behind the answer and ends with close.
type archive struct {
	store   *store.Dir
	session string
	logger  hclog.Logger

	mu      sync.Mutex
	newest  []*trace          // oldest first
	pending map[string]*trace // not yet in the store, by their id
	writes  sync.WaitGroup
	buffers sync.Pool // of *[]byte: a trace takes some 100 KB
}

// put takes a trace and finishes it behind the answer with complete.
func (a *archive) put(t *trace, complete func() error) {
	a.mu.Lock()
	if a.pending == nil {
		a.pending = map[string]*trace{}
	}
	a.pending[t.ID] = t
	a.newest = append(a.newest, t)
	if len(a.newest) > min(remembered, a.store.Keep()) {
		a.newest = slices.Delete(a.newest, 0, 1)
	}
	a.mu.Unlock()
	a.writes.Go(func() {
		if err := errors.Join(complete(), a.write(t)); err != nil {
			a.logger.Error("a trace could not be kept", "trace", t.ID, "error", err)
		}
		a.mu.Lock()
		delete(a.pending, t.ID)
		a.mu.Unlock()
	})
}

// write stores a trace. One that differs from a stored one in nothing that is served
// but its id becomes another name of that.
func (a *archive) write(t *trace) error {
	if t.same != "" && a.store.Link(a.session, t.ID, t.same) == nil {
		return nil
	}
	buffer := a.buffers.Get().(*[]byte)
	defer a.buffers.Put(buffer)
	data, err := t.append((*buffer)[:0])
	if err != nil {
		return err
	}
	*buffer = data
	return a.store.Put(a.session, t.ID, data)
}

// get finds a trace of any session.
func (a *archive) get(id string) (*trace, error) {
	a.mu.Lock()
	i := slices.IndexFunc(a.newest, func(t *trace) bool { return t.ID == id && time.Since(t.Created) <= a.store.TTL() })
	t := a.pending[id]
	if i >= 0 {
		t = a.newest[i]
	}
	a.mu.Unlock()
	if t != nil {
		return t, nil
	}
	return a.read(id)
}

func (a *archive) read(id string) (*trace, error) {
	session, _, _ := strings.Cut(id, "-")
	data, err := a.store.Get(session, id)
	if errors.Is(err, store.ErrNotFound) {
		return nil, lost(id)
	}
	if err != nil {
		return nil, err
	}
	t, err := parseTrace(data)
	if errors.Is(err, errFormat) {
		return nil, lost(id)
	}
	if err != nil {
		return nil, fmt.Errorf("decode trace %s: %w", id, err)
	}
	t.ID = id // the file may have several names
	return t, nil
}

func lost(id string) error {
	return toolset.Errorf(toolset.NotFound, "there is no trace %q, or it has expired; call manual_find again", id).
		With("parameter", "trace_id").With("got", id)
}

// close waits until every trace is written.
func (a *archive) close() { a.writes.Wait() }
