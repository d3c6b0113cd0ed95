package collection_test

import (
	"context"
	"errors"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/hashicorp/go-hclog"

	"github.com/sagasu-search/sagasu/framework/internal/collection"
	"github.com/sagasu-search/sagasu/framework/internal/collection/testdata/engine"
	"github.com/sagasu-search/sagasu/framework/internal/host"
	"github.com/sagasu-search/sagasu/sdk"
	"github.com/sagasu-search/sagasu/sdk/snapshot"
)

// expander expands every query, or fails.
type expander struct {
	sdk.Strategy
	asked atomic.Pointer[sdk.Request]
	err   error
}

func (*expander) Describe() sdk.Description {
	return sdk.Description{
		Name: "expander", Version: "1", Stage: sdk.StageRetrieve, Signals: []string{sdk.SignalLoose}, Weight: 1, Expands: true,
	}
}

func (x *expander) Search(_ context.Context, req *sdk.Request) (*sdk.Result, error) {
	x.asked.Store(req)
	return &sdk.Result{Expansion: []sdk.GatherTerm{{Text: "warranti", Weight: .5}, {Text: "交換", Weight: .5}}, Finished: true}, x.err
}

// expanding returns a collection whose queries x expands, and the engine that holds it.
func expanding(t *testing.T, x *expander) (*collection.Collection, *engine.Engine) {
	t.Helper()
	_, e, dir := opened(t)
	c, err := collection.Open(collection.Options{
		Dir: dir, Strategies: host.InProcess(e, x), Strategy: "engine", Kind: snapshot.KindManual, Logger: hclog.NewNullLogger(),
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close() })
	return c, e
}

// TestExpansionsAreGathered looks at the terms that the engine is asked for.
func TestExpansionsAreGathered(t *testing.T) {
	for name, fails := range map[string]error{"expanded": nil, "failed": errors.New("no dictionary")} {
		x := &expander{err: fails}
		c, e := expanding(t, x)
		var terms []sdk.GatherTerm
		e.Before = func(_ context.Context, req *sdk.GatherRequest) error {
			if req.Stored {
				t.Error("what is stored is asked for, and no strategy wants it")
			}
			if len(req.Terms) > 0 {
				terms = req.Terms
			}
			return nil
		}
		held := viewed(t, c, asked("交換")).Snapshot.DocFreq("warranti") > 0
		if req := x.asked.Load(); req == nil || !req.Expand || req.Corpus.Live().GetCardinality() < 50 {
			t.Errorf("%s: it was asked for %+v", name, req)
		}
		weights := map[string]float64{}
		for _, term := range terms {
			weights[term.Text] += term.Weight
		}
		if held != (fails == nil) || (weights["warranti"] == .5) != held || weights["交換"] < 1 {
			t.Errorf("%s: gathered by %v", name, weights)
		}
	}
}

// TestExpansionsKnowTheNewestSample lets a query that finds nothing learn that the collection is another one now.
func TestExpansionsKnowTheNewestSample(t *testing.T) {
	x := &expander{err: errors.New("no words")}
	c, e := expanding(t, x)
	samples := 0
	e.Before = func(_ context.Context, req *sdk.GatherRequest) error {
		if req.Sample {
			samples++
		}
		return nil
	}
	for i, generation := range []string{"1", "1", "2", "2"} {
		e.Generation = generation
		if v := viewed(t, c, asked("zyxwvut")); !v.Snapshot.Live().IsEmpty() {
			t.Fatal("something is found")
		}
		if want := 1 + i/2; samples != want {
			t.Errorf("search %d: %d samples, want %d", i, samples, want)
		}
	}
}

func TestGrammarIsAskedForOnce(t *testing.T) {
	c, e, _ := opened(t)
	var asks []string
	e.Before = func(_ context.Context, req *sdk.GatherRequest) error {
		if req.Sample {
			return nil
		}
		var terms []string
		for _, t := range req.Terms {
			terms = append(terms, t.Text)
		}
		asks = append(asks, strings.Join(terms, " "))
		return nil
	}
	for range 2 {
		v := viewed(t, c, asked("保証してから"))
		if v.Snapshot.DocFreq("から") != e.Snapshot.DocFreq("から") {
			t.Errorf("から is in %d sections", v.Snapshot.DocFreq("から"))
		}
	}
	if len(asks) != 3 || asks[1] != asks[2] || strings.Contains(asks[1], "から") || !strings.Contains(asks[0], "から") {
		t.Errorf("asked for %q", asks)
	}
}
