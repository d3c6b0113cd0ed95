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

// answered is the record of a search that servers share: the trace with the answer, and the queries that it answers.
// Its name is a hash of the query, the scope, the index and the settings, so that a change of any of them misses.
type answered struct {
	Trace   string        `json:"trace"`
	Exact   []byte        `json:"exact"`
	Intent  sdk.Intent    `json:"intent"`
	Alike   []sdk.Intent  `json:"alike"`
	Latency time.Duration `json:"latency"`
}

// answers is the session under which servers share these records.
const answers = "answers"

// tell shares a trace, so that other servers can answer from it.
func (e *Engine) tell(l lookup, t *Trace, took time.Duration) {
	data, err := json.Marshal(answered{t.ID, l.key.Exact[:], l.key.Intent, t.Graph.Alike, took})
	if err == nil {
		err = e.Answers.Put(context.Background(), answers, l.key.Name(l.scope), data)
	}
	if err != nil {
		e.Logger.Debug("other servers do not hear of an answer", "error", err)
	}
}

// fetcher returns a function that puts another server's answer to the search into the cache, or nil if no
// server shared one.
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
