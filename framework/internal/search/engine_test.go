package search

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/sagasu-search/sagasu/framework/internal/host"
	"github.com/sagasu-search/sagasu/framework/internal/toolset"
	"github.com/sagasu-search/sagasu/sdk"
	"github.com/sagasu-search/sagasu/sdk/sdktest"
)

func TestFindRanksFirstAndCutsAfterwards(t *testing.T) {
	e := engine(t, manyRows(30), fakes{list: []words{exact}})
	req := request("disk")
	req.MaxCandidates = 3
	answer, err := find(t, e, req)
	if err != nil {
		t.Fatal(err)
	}
	want := Summary{ScannedFiles: 6, ScannedNodes: 30, Candidates: 3, Matched: 10, Likely: 10, FileBiasRatio: 0.667, IntegrationStatus: "ready", CutoffReason: "candidate_cap"}
	if diff := cmp.Diff(want, answer.Summary); diff != "" {
		t.Error(diff)
	}
	cut, err := e.Hits(context.Background(), HitsRequest{TraceID: answer.TraceID, Kind: "unscanned", Limit: 100})
	if err != nil || cut.Total != 7 || cut.Items[0].Reason != "candidate_cap" {
		t.Errorf("unscanned %+v, %v", cut, err)
	}
}

func TestFindHonoursTheScope(t *testing.T) {
	e := engine(t, manyRows(30), fakes{list: []words{exact}})
	req := request("disk")
	req.ManualID, req.ExpandScope = "m1", false
	answer, err := find(t, e, req)
	if err != nil {
		t.Fatal(err)
	}
	if answer.Summary.ScannedNodes != 15 || answer.Summary.Candidates != 5 || answer.Summary.CutoffReason != "stage_cap" {
		t.Errorf("summary %+v", answer.Summary)
	}
	hits, _ := e.Hits(context.Background(), HitsRequest{TraceID: answer.TraceID, Kind: "candidates", Limit: 3})
	if hits.ManualID != "m1" || hits.Items[0].Ref.ManualID != "" || hits.Total != 5 || len(hits.Items) != 3 {
		t.Errorf("a shared manual is named once: %+v", hits)
	}
	left, _ := e.Hits(context.Background(), HitsRequest{TraceID: answer.TraceID, Kind: "unscanned", Limit: 9})
	want := []Row{{Ref: &HitRef{Ref: toolset.Ref{Target: "manual", ManualID: "m0"}}, Reason: "stage_cap", Sections: 15}}
	if diff := cmp.Diff(want, left.Items); diff != "" {
		t.Error(diff)
	}
}

func TestOnlyExactSignalsAdmit(t *testing.T) {
	foreign := words{name: "foreign", stage: sdk.StageRetrieve, signals: []string{"vibes"}}
	e := engine(t, manyRows(9), fakes{list: []words{foreign}})
	answer, err := find(t, e, request("disk"))
	if err != nil || answer.Summary.Candidates != 0 || answer.Summary.IntegrationStatus != "blocked" {
		t.Errorf("%+v, %v", answer, err)
	}
}

func TestFillOnlyWhenFewMatched(t *testing.T) {
	fill := words{name: "toc", stage: sdk.StageFill, signals: []string{sdk.SignalHeading}}
	rows := []sdktest.Section{{Heading: "A", Body: "disk failure"}, {Heading: "B", Body: "failure"}}
	narrow := words{name: "exact", stage: sdk.StageRetrieve, signals: []string{sdk.SignalNormalized}, examined: 1}
	e := engine(t, rows, fakes{list: []words{narrow, fill}})
	answer, err := find(t, e, request("failure"))
	if err != nil || answer.Summary.Candidates != 2 {
		t.Errorf("the fill was not used: %+v, %v", answer, err)
	}
	e = engine(t, manyRows(30), fakes{list: []words{exact, fill}})
	answer, _ = find(t, e, request("disk"))
	hits, _ := e.Hits(context.Background(), HitsRequest{TraceID: answer.TraceID, Kind: "candidates", Limit: 1, Explain: true})
	for _, c := range hits.Items[0].Explain {
		if c.Source == "toc" {
			t.Error("the fill ran although enough matched")
		}
	}
}

// No strategy of any stage brings back what the query excludes, by word or phrase, in text or heading.
func TestExclusionsBindEveryStage(t *testing.T) {
	fill := words{name: "toc", stage: sdk.StageFill, signals: []string{sdk.SignalHeading}}
	rows := []sdktest.Section{
		{Heading: "A", Body: "disk failure"}, {Heading: "B", Body: "failure"}, {Heading: "Spare disk", Body: "failure"},
		{Heading: "D", Body: "failure of a raid"},
	}
	e := engine(t, rows, fakes{list: []words{exact, fill}})
	for query, want := range map[string]int{
		"failure": 4, "failure -disk": 2, "failure －disk": 2, `failure -"of a raid"`: 3, "failure -disk -raid": 1,
		"failure -failure": 0, `"failure" -"failure"`: 0,
	} {
		if answer, err := find(t, e, request(query)); err != nil || answer.Summary.Candidates != want {
			t.Errorf("%s: %+v, %v, want %d", query, answer, err, want)
		}
	}
}

func TestUnexaminedSectionsAreTimeBudget(t *testing.T) {
	slow := exact
	slow.examined = 12
	e := engine(t, manyRows(30), fakes{list: []words{slow}})
	answer, err := find(t, e, request("disk"))
	if err != nil || answer.Summary.CutoffReason != "time_budget" || answer.Summary.ScannedNodes != 12 {
		t.Fatalf("%+v, %v", answer, err)
	}
	left, _ := e.Hits(context.Background(), HitsRequest{TraceID: answer.TraceID, Kind: "unscanned", Limit: 100})
	if left.Total != 18 || left.Items[0].Reason != "time_budget" {
		t.Errorf("unscanned %+v", left)
	}
}

func TestManualsAreFoundInAnyComposition(t *testing.T) {
	e := engine(t, []sdktest.Section{{Manual: "カ\u3099イト\u3099", Body: "disk"}}, fakes{list: []words{exact}})
	req := request("disk")
	req.ManualID = "ガイド"
	if answer, err := find(t, e, req); err != nil || answer.Summary.Candidates != 1 {
		t.Errorf("%+v, %v", answer, err)
	}
	req.ManualID = ".."
	if _, err := find(t, e, req); toolset.AsError(err).Code != toolset.InvalidPath {
		t.Errorf("manual ..: %v", err)
	}
}

// A section that one strategy has examined counts as unexamined if another, which could have found more, ran out of
// time.
func TestEveryStrategyExamines(t *testing.T) {
	rows := make([]sdktest.Section, 10)
	for i := range rows {
		rows[i] = sdktest.Section{Manual: "m", Path: "a.md", Body: map[bool]string{true: "disk", false: "fan"}[i < 3]}
	}
	other := words{name: "other", stage: sdk.StageRetrieve, signals: []string{sdk.SignalLoose}}
	marking := words{name: "marking", stage: sdk.StageRetrieve, signals: []string{sdk.SignalExceptions}}
	light, light2, hasty := other, other, other
	light.name, light.weight, light2.name, light2.weight = "light", 0.4, "light2", 0.7
	hasty.name, hasty.weight, hasty.examined = "hasty", 0.3, 1
	late := fmt.Errorf("other: %w", context.DeadlineExceeded)
	for name, tc := range map[string]struct {
		strategies fakes
		left       int
	}{
		"a light one is late":     {fakes{list: []words{exact, light}, fail: map[string]error{"light": late}}, 0},
		"a light one is hasty":    {fakes{list: []words{exact, hasty}}, 0},
		"all light ones are late": {fakes{list: []words{exact, light, light2}, fail: map[string]error{"light": late, "light2": late}}, 7},
		"the heavy one is late":   {fakes{list: []words{exact, light}, fail: map[string]error{"exact": late}}, 7},
		"all answer":              {fakes{list: []words{exact, other}}, 0},
		"one is late":             {fakes{list: []words{exact, other}, fail: map[string]error{"other": late}}, 7},
		"one starts":              {fakes{list: []words{exact, other}, fail: map[string]error{"other": host.ErrStarting}}, 7},
		"one is not known yet":    {fakes{list: []words{exact}, unready: []host.Failure{{Name: "other", Err: host.ErrStarting}}}, 7},
		"a reranker is unknown":   {fakes{list: []words{exact}, unready: []host.Failure{{Name: "other", Stage: sdk.StageRerank, Err: host.ErrStarting}}}, 0},
		"one stops early":         {fakes{list: []words{exact, {name: "other", stage: sdk.StageRetrieve, signals: other.signals, examined: 5}}}, 5},
		"one is broken":           {fakes{list: []words{exact, other}, fail: map[string]error{"other": errors.New("broken")}}, 0},
		"a marking one is late":   {fakes{list: []words{exact, marking}, fail: map[string]error{"marking": late}}, 0},
		"the only one is unready": {fakes{list: []words{exact}, fail: map[string]error{"exact": late}}, 10},
	} {
		t.Run(name, func(t *testing.T) {
			e := engine(t, rows, tc.strategies)
			answer, err := find(t, e, request("disk"))
			if err != nil {
				t.Fatal(err)
			}
			left, err := e.Hits(t.Context(), HitsRequest{TraceID: answer.TraceID, Kind: "unscanned", Limit: 100})
			if err != nil || left.Total != tc.left || (answer.Summary.CutoffReason == reasonTime) != (tc.left > 0) {
				t.Errorf("%d left, %+v, %v", left.Total, answer.Summary, err)
			}
		})
	}
}

// tired is a host in which the named strategies answer only after their time has passed, from the nth call on.
type tired struct {
	fakes
	names []string
	from  int32
	calls atomic.Int32
}

func (h *tired) Search(ctx context.Context, name string, req *sdk.Request) (*sdk.Result, error) {
	if slices.Contains(h.names, name) && h.calls.Add(1) >= h.from {
		<-ctx.Done()
		return nil, ctx.Err()
	}
	return h.fakes.Search(ctx, name, req)
}

// When time runs out, the sections that any admitting strategy has not examined are unscanned, and one warning names
// all late strategies.
func TestTheEndOfTheBudgetLeavesWhatAnyStrategyLacks(t *testing.T) {
	rows := make([]sdktest.Section, 10)
	for i := range rows {
		rows[i] = sdktest.Section{Manual: "m", Path: "a.md", Body: map[bool]string{true: "disk", false: "fan"}[i < 3]}
	}
	light := words{name: "light", stage: sdk.StageRetrieve, signals: []string{sdk.SignalLoose}, weight: 0.3}
	marking := words{name: "marking", stage: sdk.StageRetrieve, signals: []string{sdk.SignalExceptions}}
	toc := words{name: "toc", stage: sdk.StageFill, signals: []string{sdk.SignalHeading}}
	for name, tc := range map[string]struct {
		query   string
		names   []string
		from    int32
		left    int
		warning string
	}{
		"a light one":       {"disk", []string{"light"}, 1, 7, "strategy light did not finish in time"},
		"all":               {"disk", []string{"exact", "light", "marking", "toc"}, 1, 10, "strategies exact, light, marking and toc did not finish in time"},
		"a marking one":     {"disk", []string{"marking"}, 1, 0, "strategy marking did not finish in time"},
		"a filling one":     {"nowhere", []string{"toc"}, 1, 10, "strategy toc did not finish in time"},
		"in an expansion":   {"nowhere", []string{"exact"}, 2, 10, "strategy exact did not finish in time"},
		"none while it was": {"disk", nil, 1, 0, ""},
	} {
		t.Run(name, func(t *testing.T) {
			e := engine(t, rows, &tired{fakes: fakes{list: []words{exact, light, marking, toc}}, names: tc.names, from: tc.from})
			req := request(tc.query)
			if tc.names != nil {
				req.TimeMS = 50
			}
			answer, err := find(t, e, req)
			if err != nil {
				t.Fatal(err)
			}
			left, err := e.Hits(t.Context(), HitsRequest{TraceID: answer.TraceID, Kind: "unscanned", Limit: 100})
			if err != nil || left.Total != tc.left || (answer.Summary.CutoffReason == reasonTime) != (tc.left > 0) {
				t.Errorf("%d left, %+v, %v", left.Total, answer.Summary, err)
			}
			said := slices.DeleteFunc(answer.Warnings, func(w string) bool { return !strings.Contains(w, "strateg") })
			if strings.Join(said, "|") != tc.warning {
				t.Errorf("warnings %q, want %q", said, tc.warning)
			}
		})
	}
}

// An empty answer to a query with nothing to search for says so.
func TestAQueryWithoutTermsIsWarnedOf(t *testing.T) {
	e := engine(t, manyRows(3), fakes{list: []words{exact}})
	for query, want := range map[string][]string{
		"？": {noTerms}, "--": {noTerms}, "!!! …": {noTerms},
		"-disk": {onlyExclusions}, "-\"disk text\"": {onlyExclusions}, "保証以外": {onlyExclusions}, "－保証 ？": {onlyExclusions},
		"disk": {}, "disk -text": {}, "nowhere": {}, "７": {}, "の": {},
	} {
		answer, err := find(t, e, request(query))
		if err != nil || !slices.Equal(answer.Warnings, want) {
			t.Errorf("%q: warnings %q, want %q: %v", query, answer.Warnings, want, err)
		}
	}
}
