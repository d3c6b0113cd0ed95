package search

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/sagasu-search/sagasu/sdk"
	"github.com/sagasu-search/sagasu/sdk/sdktest"
)

// picky matches only sections that contain every word, unless the query is widened.
var picky = words{name: "exact", stage: sdk.StageRetrieve, signals: []string{sdk.SignalNormalized}, all: true}

// found lists the candidates of an answer as manual/path, best first.
func found(t *testing.T, e *Engine, answer *Answer) []string {
	t.Helper()
	h, err := e.Hits(t.Context(), HitsRequest{TraceID: answer.TraceID, Kind: "candidates", Limit: 1000})
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, row := range h.Items {
		out = append(out, h.ManualID+row.Ref.ManualID+"/"+row.Ref.Path)
	}
	return out
}

// shelf is two manuals on disks.
var shelf = []sdktest.Section{
	{Manual: "m", Path: "a.md", Line: 1, Heading: "A", Body: "disk failure"},
	{Manual: "m", Path: "b.md", Line: 1, Heading: "B", Body: "disk"},
	{Manual: "m", Path: "c.md", Line: 1, Heading: "C", Body: "plain"},
	{Manual: "n", Path: "d.md", Line: 1, Heading: "D", Body: "disk failure again"},
	{Manual: "n", Path: "e.md", Line: 1, Heading: "E", Body: "failure"},
}

func TestExpansion(t *testing.T) {
	for name, tc := range map[string]struct {
		manual string
		expand bool
		want   []string
	}{
		"everywhere":            {"", true, []string{"m/a.md", "n/d.md", "m/b.md", "n/e.md"}},
		"one manual, then more": {"m", true, []string{"m/a.md", "n/d.md", "m/b.md"}},
		"not wanted":            {"m", false, []string{"m/a.md"}},
	} {
		t.Run(name, func(t *testing.T) {
			e := engine(t, shelf, fakes{list: []words{picky}})
			req := request("disk failure")
			req.ManualID, req.ExpandScope = tc.manual, tc.expand
			answer, err := find(t, e, req)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tc.want, found(t, e, answer)); diff != "" {
				t.Error(diff)
			}
			wide := tc.manual == "" || tc.expand
			if (answer.Summary.ScannedNodes == len(shelf)) != wide || (answer.Summary.CutoffReason == "") != wide {
				t.Errorf("scope: %+v", answer.Summary)
			}
		})
	}
}

// A strategy such as translation holds back if sections in the query's own language answer it.
func TestAnExpansionShowsStrategiesWhatWasFound(t *testing.T) {
	rows := []sdktest.Section{
		{Manual: "m", Path: "a.md", Line: 1, Heading: "A", Body: "disk failure at home"},
		{Manual: "m", Path: "b.md", Line: 1, Heading: "B", Body: "abroad"},
		{Manual: "n", Path: "c.md", Line: 1, Heading: "C", Body: "abroad"},
	}
	abroad := words{name: "abroad", stage: sdk.StageRetrieve, signals: []string{sdk.SignalNormalized}, only: "abroad", weight: 4}
	for name, tc := range map[string]struct {
		shy  string
		want []string
	}{
		"holds back":     {"home", []string{"m/a.md"}},
		"need not do so": {"elsewhere", []string{"m/b.md", "n/c.md", "m/a.md"}},
	} {
		t.Run(name, func(t *testing.T) {
			abroad := abroad
			abroad.shy = tc.shy
			e := engine(t, rows, fakes{list: []words{picky, abroad}})
			req := request("disk failure")
			req.ManualID, req.ExpandScope = "m", true
			answer, err := find(t, e, req)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tc.want, found(t, e, answer)); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestMergedResultsHaveTheConfidenceOfTheFirstThatFoundSomething(t *testing.T) {
	something := []sdk.Candidate{{Section: 1}}
	for name, tc := range map[string]struct {
		a, b sdk.Result
		want float64
	}{
		"first":  {sdk.Result{Candidates: something, Confidence: .5}, sdk.Result{Candidates: something, Confidence: .3}, .5},
		"second": {sdk.Result{}, sdk.Result{Candidates: something, Confidence: .3}, .3},
	} {
		if got := merged(&tc.a, &tc.b).Confidence; got != tc.want {
			t.Errorf("%s: %g, want %g", name, got, tc.want)
		}
	}
}

// Sections of other manuals do not answer a question about the named one.
func TestNothingInTheManualThatWasNamed(t *testing.T) {
	rows := []sdktest.Section{{Manual: "m", Path: "a.md", Line: 1, Heading: "A", Body: "plain"}}
	for i := range 6 {
		rows = append(rows, sdktest.Section{Manual: "n", Path: fmt.Sprintf("%d.md", i), Line: 1, Heading: "theft", Body: "theft"})
	}
	for name, tc := range map[string]struct {
		manual, also string
		ready        bool
	}{
		"none is named":   {"", "plain", true},
		"nothing in it":   {"m", "plain", false},
		"something in it": {"m", "theft", true},
		"all of it is":    {"n", "plain", true},
		"in another case": {"N", "plain", true},
	} {
		t.Run(name, func(t *testing.T) {
			rows[0].Body = tc.also
			e := engine(t, rows, fakes{list: []words{picky}})
			req := request("theft")
			req.ManualID, req.ExpandScope = tc.manual, true
			answer, err := find(t, e, req)
			if err != nil {
				t.Fatal(err)
			}
			status, warned := answer.Summary.IntegrationStatus, slices.ContainsFunc(answer.Warnings, func(w string) bool { return strings.HasPrefix(w, "no candidate lies in m:") })
			if (status == "ready") != tc.ready || warned == tc.ready {
				t.Errorf("%s, %q", status, answer.Warnings)
			}
			if rows := found(t, e, answer); tc.manual == "m" && tc.ready && rows[0] != "m/a.md" {
				t.Errorf("%v begins elsewhere", rows)
			}
		})
	}
}

func TestWhatExpansionAddsRanksBelowUnlessItScores(t *testing.T) {
	e := engine(t, shelf, fakes{list: []words{picky}})
	req := request("disk failure")
	answer, err := find(t, e, req)
	if err != nil {
		t.Fatal(err)
	}
	h, err := e.Hits(t.Context(), HitsRequest{TraceID: answer.TraceID, Kind: "candidates", Limit: 9, Explain: true})
	if err != nil {
		t.Fatal(err)
	}
	for i, row := range h.Items {
		for _, x := range row.Explain {
			if want := map[bool]float64{true: 2, false: discount}[i < 2]; x.Source == "exact" && x.Raw != want {
				t.Errorf("%s scores %g, want %g", row.Ref.Path, x.Raw, want)
			}
		}
	}
}

func TestExceptionsAreLookedForInTheFilesHit(t *testing.T) {
	rows := []sdktest.Section{
		{Path: "a.md", Line: 1, Heading: "Cover", Body: "cover of disk exceptions"},
		{Path: "a.md", Line: 11, Heading: "Other", Body: "plain"},
		{Path: "a.md", Line: 21, Heading: "Limits", Body: "unless the disk is old"},
		{Path: "b.md", Line: 1, Heading: "Limits", Body: "unless the disk is new"},
	}
	marker := words{name: "exceptions", stage: sdk.StageRetrieve, signals: []string{sdk.SignalExceptions}, marks: "unless"}
	e := engine(t, rows, fakes{list: []words{picky, marker}})
	r, before := begun(t, e, request("cover of disk exceptions 除外"))
	in := retrieve(t.Context(), r, Scope{}, before)
	in.matched.Add(0)
	in = searchExceptions(t.Context(), r, in, []uint32{0})
	if got := in.matched.ToArray(); !slices.Equal(got, []uint32{0, 2}) {
		t.Errorf("matched %v, want the section of the same file", got)
	}
}

// tiring makes every strategy fail after a number of calls.
type tiring struct {
	fakes
	mu    sync.Mutex
	calls int
	err   error
}

func (f *tiring) Search(ctx context.Context, name string, req *sdk.Request) (*sdk.Result, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.calls--; f.calls < 0 {
		return nil, f.err
	}
	return f.fakes.Search(ctx, name, req)
}

func TestALaterStageThatFailsLosesNothing(t *testing.T) {
	list := []words{picky, {name: "toc", stage: sdk.StageFill, signals: []string{sdk.SignalHeading}}, {name: "re", stage: sdk.StageRerank, signals: []string{"re"}}}
	for name, err := range map[string]error{"failed": errors.New("broken"), "late": context.DeadlineExceeded} {
		e := engine(t, shelf, &tiring{fakes: fakes{list: list}, calls: 1, err: err})
		req := request("disk failure")
		req.ManualID = "m"
		answer, err := find(t, e, req)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if got := found(t, e, answer); !slices.Equal(got, []string{"m/a.md"}) {
			t.Errorf("%s: candidates %v", name, got)
		}
		all := strings.Join(answer.Warnings, "\n")
		for _, s := range list {
			if named := regexp.MustCompile(`\b` + s.name + `\b`); len(named.FindAllString(all, -1)) != 1 {
				t.Errorf("%s: %s is not named once in %q", name, s.name, all)
			}
		}
	}
}

func TestOtherManualsThatTimeLeftOutAreUnscanned(t *testing.T) {
	e := engine(t, shelf, &tiring{fakes: fakes{list: []words{picky}}, calls: 1, err: context.DeadlineExceeded})
	req := request("disk failure")
	req.ManualID = "m"
	answer, err := find(t, e, req)
	if err != nil || answer.Summary.CutoffReason != reasonTime || answer.Summary.ScannedNodes != 3 {
		t.Fatalf("%+v, %v", answer.Summary, err)
	}
	_, left := rows(t, e, answer.TraceID, "unscanned")
	if len(left) != 2 || left[0]["ref"].(map[string]any)["manual_id"] != "n" {
		t.Errorf("unscanned %v", left)
	}
}

func TestWidened(t *testing.T) {
	e := engine(t, []sdktest.Section{{Body: "authentication token"}, {Body: "authenticate here"}}, fakes{})
	q := expandedQuery(snapshotOf(t, e), Plan(`"disk array" authenticatoin -tape zzzzzzz`, 0.05))
	var kinds []string
	for _, term := range q.Terms {
		kinds = append(kinds, string(term.Kind)+" "+term.Text)
	}
	want := []string{"soft disk array", "negative tape", "soft authenticatoin", "soft authenticate", "soft authentication", "soft zzzzzzz"}
	slices.Sort(kinds)
	slices.Sort(want)
	if diff := cmp.Diff(want, kinds); diff != "" {
		t.Error(diff)
	}
	if !strings.Contains(q.Text, "authentication") {
		t.Errorf("text %q", q.Text)
	}
}

func TestAHardLimitIsNamed(t *testing.T) {
	rows := make([]sdktest.Section, maxCandidates+7)
	for i := range rows {
		rows[i] = sdktest.Section{Path: "a.md", Line: 10*i + 1, Body: "disk"}
	}
	e := engine(t, rows, fakes{list: []words{exact}})
	req := request("disk")
	req.MaxCandidates = 1 << 40
	answer, err := find(t, e, req)
	if err != nil || answer.Summary.Candidates != maxCandidates || answer.Summary.CutoffReason != reasonHard {
		t.Fatalf("%+v, %v", answer.Summary, err)
	}
	left, err := e.Hits(t.Context(), HitsRequest{TraceID: answer.TraceID, Kind: "unscanned", Limit: 100})
	if err != nil || left.Total != 7 || left.Items[0].Reason != reasonHard {
		t.Errorf("unscanned %+v, %v", left, err)
	}
	req.OnlyUnscanned = answer.TraceID
	if answer, err = find(t, e, req); err != nil || answer.Summary.Candidates != 7 || answer.Summary.CutoffReason != "" || len(answer.Warnings) > 0 {
		t.Errorf("the rest: %+v, %q, %v", answer.Summary, answer.Warnings, err)
	}
	req.OnlyUnscanned = answer.TraceID
	answer, err = find(t, e, req)
	if diff := cmp.Diff([]string{"that search left nothing unscanned"}, answer.Warnings); diff != "" || err != nil {
		t.Errorf("nothing left: %v %s", err, diff)
	}
}

// A filling strategy is called again when a search continues in other manuals. What it returned before counts once.
func TestASectionIsInAListOnce(t *testing.T) {
	rows := []sdktest.Section{
		{Manual: "m0", Path: "a.md", Heading: "A", Body: "failure"},
		{Manual: "m0", Path: "a.md", Line: 9, Heading: "B", Body: "failure of a disk"},
		{Manual: "m1", Path: "b.md", Heading: "C", Body: "failure"},
	}
	fill := words{name: "toc", stage: sdk.StageFill, signals: []string{sdk.SignalHeading}}
	narrow := exact
	narrow.only = "disk"
	e := engine(t, rows, fakes{list: []words{narrow, fill}})
	req := request("failure")
	req.ManualID = "m0"
	answer, err := find(t, e, req)
	if err != nil {
		t.Fatal(err)
	}
	hits, err := e.Hits(t.Context(), HitsRequest{TraceID: answer.TraceID, Kind: "candidates", Limit: 9, Explain: true})
	var ranks []int
	for _, row := range hits.Items {
		for _, c := range row.Explain {
			if c.Source == "toc" {
				ranks = append(ranks, c.Rank)
			}
		}
	}
	slices.Sort(ranks)
	if want := []int{1, 2, 3}; err != nil || !slices.Equal(ranks, want) {
		t.Errorf("ranks %v, %v, want %v", ranks, err, want)
	}
}
