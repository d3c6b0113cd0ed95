package search

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/RoaringBitmap/roaring/v2"
	"github.com/hashicorp/go-hclog"

	"github.com/sagasu-search/sagasu/framework/internal/host"
	"github.com/sagasu-search/sagasu/framework/internal/index"
	"github.com/sagasu-search/sagasu/framework/internal/judge"
	"github.com/sagasu-search/sagasu/framework/internal/judge/section"
	"github.com/sagasu-search/sagasu/framework/internal/store"
	"github.com/sagasu-search/sagasu/framework/internal/toolset"
	"github.com/sagasu-search/sagasu/sdk"
	"github.com/sagasu-search/sagasu/sdk/sdktest"
	"github.com/sagasu-search/sagasu/sdk/text"
	"github.com/sagasu-search/sagasu/sdk/x/refer"
)

// words matches the sections that contain any word of the query; more words score higher. If examined is not 0, it
// examines only that many sections.
type words struct {
	name     string
	stage    sdk.Stage
	signals  []string
	examined int
	sure     float64
	weight   float64 // 0 means 1
	terms    int     // number of further terms that each candidate names
	all      bool    // a match must contain every word, unless the query is widened
	only     string  // look for this word, whatever the query
	marks    string  // match this word, whatever the query, but list no candidates
	shy      string  // find nothing if a section of the scope contains this word
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
	for it := scope.Iterator(); f.shy != "" && it.HasNext(); {
		if strings.Contains(req.Corpus.Normalized(it.Next(), 1), f.shy) {
			return res
		}
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

// fakes is a host of fake strategies.
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

// engine returns an engine that searches rows with the given strategies.
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
	e.build, e.Settings.AnswerWeight = plainly, 0
	t.Cleanup(e.Close)
	return e
}

// plainly judges by rules that a test can predict: a section with a term of the query answers; a term that no section
// has is a gap, and so are missing steps if the query asks for a procedure; sections with different numbers of days
// contradict each other; and pointers in texts should be followed.
func plainly(ctx context.Context, in judge.Input) (*judge.Graph, error) {
	g, err := judge.Build(ctx, in)
	if err != nil || len(in.Evidences) == 0 {
		return g, err
	}
	g.Answer, g.Stands, g.Claims, g.Edges, g.Conflicts, g.Gaps, g.Tensions = nil, true, nil, nil, nil, nil, nil
	steps := false
	held := func(term string, from int) int {
		return slices.IndexFunc(in.Evidences[from:], func(e section.Section) bool { return strings.Contains(text.Fold(e.Heading+" "+e.Text), term) })
	}
	claim := func(i int, status string, relation judge.Relation, to int) {
		c := judge.Claim{ID: fmt.Sprint("c", len(g.Claims)+1), Facet: in.Query.Intent, Text: strings.Clone(in.Evidences[i].Text), Status: status, EvidenceID: g.Evidences[i].ID}
		g.Claims = append(g.Claims, c)
		g.Edges = append(g.Edges, judge.Edge{From: c.ID, To: g.Evidences[to].ID, Relation: relation})
	}
	for _, term := range in.Query.Terms {
		if i := held(term.Text, 0); term.Kind == sdk.TermNegative || term.Text == "every" {
			continue
		} else if i < 0 {
			g.Gaps = append(g.Gaps, judge.Gap{Facet: in.Query.Intent, Missing: []string{term.Text}, Need: "amount", About: []string{"text"}})
		} else if g.Answer == nil {
			e := in.Evidences[i]
			g.Answer = &judge.Answer{ManualID: strings.Clone(e.ManualID), Path: strings.Clone(e.Path), Line: e.StartLine, Text: "it does"}
			claim(i, judge.Supported, judge.Supports, i)
		}
	}
	days := regexp.MustCompile(`\d+ days`)
	for i, e := range in.Evidences {
		steps = steps || i == 0 && strings.Contains(e.Text, "\n1. ")
		for j := range i {
			if a, b := days.FindString(in.Evidences[j].Text), days.FindString(e.Text); a != "" && b != "" && a != b {
				side := func(n int) judge.Side {
					return judge.Side{EvidenceID: g.Evidences[n].ID, Ref: g.Evidences[n].Ref, Line: in.Evidences[n].TextLine, Text: strings.Clone(in.Evidences[n].Text)}
				}
				claim(j, judge.Conflicted, judge.Contradicts, i)
				g.Conflicts = append(g.Conflicts, judge.Conflict{Kind: "number", ClaimID: g.Claims[len(g.Claims)-1].ID, A: side(j), B: side(i)})
			}
		}
		for _, p := range refer.Pointers(e.Text, text.Fold(e.Text)) {
			if target, ok := in.Resolve(i, p); ok {
				claim(i, judge.Unresolved, judge.RequiresFollowup, i)
				p, target := p.Clone(), toolset.Ref{Target: target.Target, ManualID: strings.Clone(target.ManualID), Path: strings.Clone(target.Path), StartLine: target.StartLine}
				g.Edges[len(g.Edges)-1].Pointer, g.Edges[len(g.Edges)-1].Target = &p, &target
			}
		}
	}
	switch in.Query.Intent {
	case sdk.IntentProcedure:
		if g.Alike = []sdk.Intent{sdk.IntentUnknown}; !steps {
			g.Alike = nil
			g.Gaps = append(g.Gaps, judge.Gap{Facet: in.Query.Intent, Missing: []string{"procedure"}, Need: "procedure"})
		}
	case sdk.IntentDefinition:
		g.Alike = []sdk.Intent{sdk.IntentUnknown}
	case sdk.IntentUnknown:
		if g.Alike = []sdk.Intent{sdk.IntentDefinition}; steps {
			g.Alike = append(g.Alike, sdk.IntentProcedure)
		}
	}
	return g, nil
}

// request returns a search request with ordinary limits.
func request(query string) Request {
	return Request{Query: query, ExpandScope: true, MaxCandidates: 200, TimeMS: 60_000}
}

// begun returns a search of everything, before its first phase.
func begun(t testing.TB, e *Engine, req Request) (*run, notes) {
	t.Helper()
	view, err := e.View(t.Context(), time.Second)
	if err != nil {
		t.Fatal(err)
	}
	return e.begin(t.Context(), newPlan(req, e.Settings), Scope{}, view)
}

// manyRows returns n sections in two manuals, every third of which contains "disk".
func manyRows(n int) []sdktest.Section {
	var out []sdktest.Section
	for i := range n {
		body := fmt.Sprint("plain text ", i)
		if i%3 == 0 {
			body = fmt.Sprint("disk text ", i)
		}
		out = append(out, sdktest.Section{
			Manual: fmt.Sprintf("m%d", 2*i/n), Path: fmt.Sprintf("f%02d.md", i/5), Line: 10*(i%5) + 1,
			Heading: fmt.Sprintf("Section %d", i), Body: body,
		})
	}
	return out
}
