package search

import (
	"context"
	"encoding/json"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/sagasu-search/sagasu/framework/internal/search/semcache"
	"github.com/sagasu-search/sagasu/framework/internal/store"
	"github.com/sagasu-search/sagasu/framework/internal/toolset"
	"github.com/sagasu-search/sagasu/sdk/sdktest"
)

// servers returns a function that makes servers which share a folder. Each has a snapshot and cache counts of its own.
func servers(t *testing.T, dir string) func(rows []sdktest.Section) (*Engine, func(semcache.Mode) int) {
	open := store.In(dir)
	return func(rows []sdktest.Section) (*Engine, func(semcache.Mode) int) {
		o := engine(t, rows, fakes{list: []words{exact}}).Options
		o.Traces, o.Answers, o.StoreFirst = open("traces", 100, time.Hour), open("answers", 10, time.Hour), true
		o.Cache = &Cache{Default: true, Options: semcache.Options{TTL: time.Hour, Keep: 10, Guard: off}}
		e := New(o)
		e.build = plainly
		t.Cleanup(e.Close)
		return e, func(m semcache.Mode) int { return e.CacheCounts()[m] }
	}
}

func TestAServerAnswersFromWhatAnotherFound(t *testing.T) {
	dir := t.TempDir()
	start := servers(t, dir)
	rows := append(manyRows(30), sdktest.Section{Path: "z.json", Heading: "z", Body: `{"text": "disk"}`})
	ask := func(e *Engine, query string) *Answer {
		t.Helper()
		req := request(query)
		req.ClaimGraph, req.Passages = true, 2
		answer, err := find(t, e, req)
		if err != nil {
			t.Fatal(err)
		}
		e.traces.close() // an answer is shared after it is returned
		return answer
	}
	a, _ := start(rows)
	first := ask(a, "disk")
	b, counts := start(rows)
	again := ask(b, "disk")
	if counts(semcache.Exact) != 1 || again.TraceID == first.TraceID {
		t.Errorf("%v, trace %s after %s", b.CacheCounts(), again.TraceID, first.TraceID)
	}
	plain := func(a *Answer) string {
		out, err := json.MarshalIndent(a, "", " ")
		if err != nil {
			t.Fatal(err)
		}
		return strings.ReplaceAll(string(out), a.TraceID, "TRACE")
	}
	if diff := cmp.Diff(plain(first), plain(again)); diff != "" {
		t.Errorf("the answer on another server:\n%s", diff)
	}
	if _ = ask(b, "Disk, please"); counts(semcache.Semantic) != 1 {
		t.Errorf("other words on another server: %v", b.CacheCounts())
	}
	c, counts := start(rows)
	if _ = ask(c, "Disk, please"); counts(semcache.Semantic) != 1 {
		t.Errorf("other words on a third server: %v", c.CacheCounts())
	}
	for name, other := range map[string][]sdktest.Section{"an edit": manyRows(31), "nothing": nil} {
		if name == "nothing" { // the traces are lost
			if err := os.RemoveAll(dir + "/traces"); err != nil {
				t.Fatal(err)
			}
			other = rows
		}
		d, counts := start(other)
		if _ = ask(d, "disk"); counts(semcache.Miss) != 1 {
			t.Errorf("after %s: %v", name, d.CacheCounts())
		}
	}
}

// failingStore is a store that fails.
type failingStore struct{ store.Store }

func (failingStore) Put(context.Context, string, string, []byte) error {
	return context.DeadlineExceeded
}
func (failingStore) Get(context.Context, string, string) ([]byte, error) {
	return nil, context.DeadlineExceeded
}

func TestWhatWasAskedIsProposedForALostTrace(t *testing.T) {
	for name, lose := range map[string]func(*Engine){
		"gone":        func(e *Engine) { os.RemoveAll(e.traces.store.String()) },
		"out of hand": func(e *Engine) { e.traces.store = failingStore{e.traces.store} },
	} {
		e := engine(t, manyRows(9), fakes{list: []words{exact}})
		req := request("disk")
		req.ManualID = "m0"
		answer, err := find(t, e, req)
		if err != nil {
			t.Fatal(err)
		}
		e.traces.close()
		e.traces.newest = nil
		lose(e)
		for id, want := range map[string]any{
			answer.TraceID: []toolset.Action{{Type: "manual_find", Params: map[string]any{"query": "disk", "manual_id": "m0"}}}, "0-1": nil,
		} {
			_, err = e.Hits(t.Context(), HitsRequest{TraceID: id, Kind: "candidates", Limit: 9})
			if f := toolset.Explain(err); f.Code != toolset.NotFound || cmp.Diff(want, f.Details["next_actions"]) != "" {
				t.Errorf("%s: %+v, %v", name, f, err)
			}
		}
	}
}

// An answer that waits for its trace reports whether it was stored, and never waits longer than its limit.
func TestAnAnswerThatWaitsForItsTraceTellsItsLoss(t *testing.T) {
	o := engine(t, manyRows(9), fakes{list: []words{exact}}).Options
	o.StoreFirst, o.Traces = true, failingStore{o.Traces}
	e := New(o)
	defer e.Close()
	for range 2 {
		if answer, err := e.Find(t.Context(), request("disk")); err != nil || len(answer.Warnings) != 1 {
			t.Errorf("%+v, %v", answer, err)
		}
	}
}
