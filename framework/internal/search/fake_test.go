package search

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/RoaringBitmap/roaring/v2"
	"github.com/hashicorp/go-hclog"

	"github.com/sagasu-search/sagasu/framework/internal/host"
	"github.com/sagasu-search/sagasu/framework/internal/index"
	"github.com/sagasu-search/sagasu/framework/internal/store"
	"github.com/sagasu-search/sagasu/sdk"
	"github.com/sagasu-search/sagasu/sdk/sdktest"
)

// words matches the sections that hold any word of the query; the more, the
// better. It looks at examined sections only, when that is not 0.
type words struct {
	name     string
	stage    sdk.Stage
	signals  []string
	examined int
	sure     float64
	weight   float64 // 0 means 1
	terms    int     // names so many further terms of each candidate
	all      bool    // every word must be there, unless the query is widened
	only     string  // look for this word, whatever the query
	marks    string  // match this word, whatever the query, and propose nothing
}

func (f words) wanted(req *sdk.Request) []string {
	if f.marks+f.only != "" {
		return []string{f.marks + f.only}
	}
	return strings.Fields(req.Query.Text)
}

func (f words) describe() sdk.Description {
	return sdk.Description{Name: f.name, Version: "1", Stage: f.stage, Signals: f.signals, Weight: cmp.Or(f.weight, 1)}
}

func (f words) search(req *sdk.Request) *sdk.Result {
	res := &sdk.Result{Matched: roaring.New(), Finished: true, Confidence: f.sure}
	scope := req.Scope
	if scope == nil {
		scope = req.Corpus.Live()
	}
	for it := scope.Iterator(); it.HasNext(); {
		id := it.Next()
		if f.examined > 0 && res.Examined == f.examined {
			res.Finished = false
			break
		}
		res.Examined++
		var terms []string
		for _, w := range f.wanted(req) {
			if strings.Contains(req.Corpus.Normalized(id, 1), w) {
				terms = append(terms, w)
			}
		}
		held := len(terms)
		for i := range f.terms {
			terms = append(terms, fmt.Sprintf("more%d", i))
		}
		strict := f.all && req.Query.MatchThreshold >= DefaultSettings().MatchThreshold
		if held == 0 || strict && held < len(strings.Fields(req.Query.Text)) {
			continue
		}
		res.Matched.Add(id)
		if len(res.Candidates) < req.Limit && f.marks == "" {
			res.Candidates = append(res.Candidates, sdk.Candidate{
				Section: id, Score: float64(held), Coverage: 0.5, Signals: f.signals, Terms: terms,
			})
		}
	}
	return res
}

// fakes stands for the host.
type fakes struct {
	list    []words
	fail    map[string]error
	unready []host.Failure
}

func (f fakes) Strategies(context.Context) ([]sdk.Description, []host.Failure) {
	var out []sdk.Description
	for _, s := range f.list {
		out = append(out, s.describe())
	}
	return out, f.unready
}

func (f fakes) Search(_ context.Context, name string, req *sdk.Request) (*sdk.Result, error) {
	if err := f.fail[name]; err != nil {
		return nil, err
	}
	for _, s := range f.list {
		if s.name == name {
			return s.search(req), nil
		}
	}
	return nil, errors.New("no such strategy")
}

var exact = words{name: "exact", stage: sdk.StageRetrieve, signals: []string{sdk.SignalNormalized}}

// engine runs over rows with the given strategies.
func engine(t testing.TB, rows []sdktest.Section, strategies Strategies) *Engine {
	t.Helper()
	snap := sdktest.Snapshot(t, rows...)
	traces := store.Open(t.TempDir(), 100, time.Hour)
	e := New(Options{
		View: func(context.Context, time.Duration) (index.View, error) {
			return index.View{Snapshot: snap, Since: time.Now(), Release: func() {}}, nil
		},
		Strategies: strategies, Traces: traces, Settings: DefaultSettings(), Logger: hclog.NewNullLogger(),
	})
	t.Cleanup(e.Close)
	return e
}

// request is a find with ordinary budgets.
func request(query string) Request {
	return Request{Query: query, ExpandScope: true, MaxCandidates: 200, TimeMS: 60_000}
}

// begun is a search of everything before its first phase.
func begun(t testing.TB, e *Engine, req Request) (*run, notes) {
	t.Helper()
	view, err := e.View(t.Context(), time.Second)
	if err != nil {
		t.Fatal(err)
	}
	return e.begin(t.Context(), newPlan(req, e.Settings), Scope{}, view)
}

// manyRows gives n sections, in two manuals, every third of which holds "disk".
func manyRows(n int) []sdktest.Section {
	var out []sdktest.Section
	for i := range n {
		body := "plain text"
		if i%3 == 0 {
			body = "disk text"
		}
		out = append(out, sdktest.Section{
			Manual: fmt.Sprintf("m%d", 2*i/n), Path: fmt.Sprintf("f%02d.md", i/5), Line: 10*(i%5) + 1,
			Heading: fmt.Sprintf("Section %d", i), Body: body,
		})
	}
	return out
}
