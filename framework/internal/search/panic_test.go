package search

import (
	"bytes"
	"context"
	"slices"
	"strings"
	"testing"

	"github.com/hashicorp/go-hclog"

	"github.com/sagasu-search/sagasu/sdk"
)

// breaking panics in the named strategy.
type breaking struct {
	fakes
	name string
}

func (b breaking) Search(ctx context.Context, name string, req *sdk.Request) (*sdk.Result, error) {
	if name == b.name {
		panic("a broken strategy")
	}
	return b.fakes.Search(ctx, name, req)
}

// A panic in a call of a strategy costs its part of the answer and adds a warning.
func TestAStrategyThatPanicsCostsAWarning(t *testing.T) {
	other := exact
	other.name = "other"
	for _, level := range []hclog.Level{hclog.Info, hclog.Debug} {
		e := engine(t, disputedRows(), breaking{fakes{list: []words{exact, other}}, "other"})
		var log bytes.Buffer
		e.Logger = hclog.New(&hclog.LoggerOptions{Output: &log, Level: level})
		answer, err := e.Find(t.Context(), request("return an item within how many days"))
		if err != nil || answer.Summary.Candidates == 0 {
			t.Fatalf("%+v, %v", answer, err)
		}
		if !slices.Equal(answer.Warnings, []string{"strategy other did not contribute: it failed, the log says why"}) {
			t.Errorf("warnings %q", answer.Warnings)
		}
		if !strings.Contains(log.String(), "a broken strategy") {
			t.Errorf("the log does not tell the cause: %s", &log)
		}
		if located := strings.Contains(log.String(), "panic_test.go"); located != (level == hclog.Debug) {
			t.Errorf("the log at %v tells where: %t", level, located)
		}
	}
}

// A trace that cannot be completed is lost, which is logged; the answer stays.
func TestATraceThatPanicsIsLogged(t *testing.T) {
	e := engine(t, disputedRows(), fakes{list: []words{exact}})
	var log bytes.Buffer
	e.traces.logger = hclog.New(&hclog.LoggerOptions{Output: &log, Level: hclog.Debug})
	e.traces.put(t.Context(), &Trace{ID: e.traces.newID()}, nil, 0, func() error { panic("a broken trace") })
	e.traces.close()
	if said := log.String(); !strings.Contains(said, "a trace could not be kept") || !strings.Contains(said, "panic_test.go") {
		t.Errorf("logged %s", said)
	}
	if len(e.traces.pending) > 0 {
		t.Error("it is still waited for")
	}
}
