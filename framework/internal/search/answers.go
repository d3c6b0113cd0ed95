package search

import (
	"context"
	"encoding/json"
	"errors"
	"time"

	"github.com/sagasu-search/sagasu/framework/internal/search/semcache"
	"github.com/sagasu-search/sagasu/framework/internal/store"
	"github.com/sagasu-search/sagasu/sdk"
	"github.com/sagasu-search/sagasu/sdk/snapshot"
)

// answered is what servers tell each other of a search: which trace has its answer, and to which queries. What
// asks the same in the same scope finds it by one name, so an edit, another index or other settings find nothing.
type answered struct {
	Trace   string        `json:"trace"`
	Exact   []byte        `json:"exact"`
	Intent  sdk.Intent    `json:"intent"`
	Alike   []sdk.Intent  `json:"alike"`
	Latency time.Duration `json:"latency"`
}

// answers is the session of what servers tell each other.
const answers = "answers"

// tell lets other servers answer from a trace.
func (e *Engine) tell(l lookup, t *Trace, took time.Duration) {
	data, err := json.Marshal(answered{t.ID, l.key.Exact[:], l.key.Intent, t.Graph.Alike, took})
	if err == nil {
		err = e.Answers.Put(context.Background(), answers, l.key.Name(l.scope), data)
	}
	if err != nil {
		e.Logger.Debug("other servers do not hear of an answer", "error", err)
	}
}

// fetcher returns what puts into the cache what another server has told of the search, nil where none does.
func (e *Engine) fetcher(ctx context.Context, l lookup, snap *snapshot.Snapshot) func() bool {
	if e.Answers == nil {
		return nil
	}
	return func() bool {
		err := e.fetch(ctx, l, snap)
		if err != nil && !errors.Is(err, store.ErrNotFound) {
			e.Logger.Debug("no answer of another server", "error", err)
		}
		return err == nil
	}
}

func (e *Engine) fetch(ctx context.Context, l lookup, snap *snapshot.Snapshot) error {
	data, err := e.Answers.Get(ctx, answers, l.key.Name(l.scope))
	if err != nil {
		return err
	}
	var a answered
	if err := json.Unmarshal(data, &a); err != nil {
		return err
	}
	t, err := e.traces.read(ctx, a.Trace)
	if err != nil {
		return err
	}
	t.Scanned = t.Size // what is remembered is complete
	for i := range t.Candidates {
		c := &t.Candidates[i]
		if id, ok := locate(snap, c.ManualID, c.Path, c.Line); ok {
			c.Section, _ = snap.Section(id)
			*c = c.outlive(snap)
		}
	}
	key := semcache.Key{Meaning: l.key.Meaning, Intent: a.Intent}
	copy(key.Exact[:], a.Exact)
	entry := entryOf(t, a.Latency)
	entry.Alike = a.Alike
	e.cache.Put(l.scope, key, entry)
	return nil
}
