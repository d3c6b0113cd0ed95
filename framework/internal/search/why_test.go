package search

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	gocmp "github.com/google/go-cmp/cmp"

	"github.com/sagasu-search/sagasu/framework/internal/fusion"
	"github.com/sagasu-search/sagasu/framework/internal/host"
	"github.com/sagasu-search/sagasu/framework/internal/index"
	"github.com/sagasu-search/sagasu/framework/internal/toolset"
	"github.com/sagasu-search/sagasu/plugins/normalized"
	"github.com/sagasu-search/sagasu/sdk"
	"github.com/sagasu-search/sagasu/sdk/sdktest"
	"github.com/sagasu-search/sagasu/sdk/snapshot"
	"github.com/sagasu-search/sagasu/sdk/x/sample"
)

// shelves are sections that fare differently in a search for "disk errors".
func shelves() []sdktest.Section {
	return []sdktest.Section{
		{Manual: "cli", Path: "a.md", Line: 1, Heading: "Exit", Body: "disk errors end the program"},
		{Manual: "nas", Path: "a.md", Line: 1, Heading: "Errors", Body: "When the disk errors, the disk errors are listed. Disk errors are few."},
		{Manual: "nas", Path: "a.md", Line: 5, Heading: "Lamps", Body: "The lamp of a disk is green. Its errors make it red."},
		{Manual: "nas", Path: "a.md", Line: 9, Heading: "Fans", Body: "A disk gets warm, and fans cool what the room does not. They turn, and stop at night, when it is cold."},
		{Manual: "nas", Path: "b.md", Line: 1, Heading: "Tapes", Body: "A tape is wound by hand."},
		{Manual: "nas", Path: "b.md", Line: 5, Heading: "Notes", Names: "lists of disk errors"},
	}
}

// lexically searches rows with the base strategy.
func lexically(t testing.TB, rows []sdktest.Section) *Engine {
	t.Helper()
	local := host.InProcess(normalized.New())
	t.Cleanup(func() { local.Close() })
	return engine(t, rows, local)
}

// lastFirst puts the last sections of an order first.
func lastFirst() reranker {
	var pool []sdk.Candidate
	return reranker{fakes: fakes{list: []words{exact}}, weight: 1, pool: &pool, score: func(section uint32) float64 { return float64(section) }}
}

func why(t testing.TB, e *Engine, req Request, shown int, sections ...string) *Why {
	t.Helper()
	w, err := explain(t, e, WhyRequest{Request: req, Sections: sections, Shown: shown})
	if err != nil {
		t.Fatal(err)
	}
	return w
}

// explain is like Why, but fails the test if the result refers to text of the snapshot.
func explain(t testing.TB, e *Engine, req WhyRequest) (*Why, error) {
	t.Helper()
	snap := snapshotOf(t, e)
	w, err := e.Why(context.Background(), req)
	for _, view := range sample.Views(snap, w, err) {
		t.Errorf("%q leaves a view: %s", req.Sections, view)
	}
	return w, err
}

func TestNoExplanationOutlivesItsSnapshot(t *testing.T) {
	for query, rows := range tellingRows {
		e := engine(t, rows, borrower{})
		req := request(query)
		req.MaxCandidates, req.Passages, req.MaxTokens = 2, 3, 1200
		var all []string
		for _, row := range rows {
			all = append(all, fmt.Sprintf("%s/%s:%d", cmp.Or(row.Manual, "m"), row.Path, row.Line))
		}
		w := why(t, e, req, 1, all[:min(MostWhy, len(all))]...)
		f, err := e.Refit(t.Context(), RefitRequest{TraceID: w.TraceID})
		if err != nil {
			t.Fatal(err)
		}
		for _, view := range sample.Views(snapshotOf(t, e), f) {
			t.Errorf("%q: a new order leaves a view: %s", query, view)
		}
	}
}

func TestEveryStageIsNamed(t *testing.T) {
	plain := func(t *testing.T) *Engine { return lexically(t, shelves()) }
	many := func(t *testing.T) *Engine { return engine(t, manyRows(360), fakes{list: []words{exact}}) }
	for name, tc := range map[string]struct {
		engine  func(*testing.T) *Engine
		query   string
		change  func(*Request)
		shown   int
		section string
		stage   Stage
		says    string
	}{
		"first": {plain, "disk errors", nil, 2, "Errors", StageShown, "It is shown at rank 1 of 3."},
		"below": {plain, "disk errors", nil, 2, "nas/a.md#L9", StageBelow, "It is ranked 3 of 3, below the 2 shown: its score is "},
		"no term": {plain, "disk errors", nil, 2, "nas/b.md:1", StageUnmatched,
			"No strategy matched it: it holds 0 of 2 terms of the query and lacks disk, errors; that covers 0.000 of the query, and 0.050 is needed."},
		"a term of no section": {plain, "tape zeppelin", nil, 2, "nas/a.md#L5", StageUnmatched,
			"No strategy matched it: it holds 0 of 2 terms of the query and lacks tape, zeppelin (no section has zeppelin)"},
		"an excluded word": {plain, "disk errors -lamp", nil, 2, "Lamps", StageExcluded, `It holds "lamp", which the query excludes.`},
		"another manual": {plain, "disk errors", func(r *Request) { r.ExpandScope = false }, 2, "cli/a.md", StageOutOfScope,
			"It lies in the manual cli; only nas was searched."},
		"titles above": {plain, "disk errors", nil, 2, "nas/b.md#L5", StageNoText,
			"It has no text of its own, and its title holds no word of the query."},
		"out of time": {func(t *testing.T) *Engine {
			slow := exact
			slow.examined = 3
			return engine(t, manyRows(30), fakes{list: []words{slow}})
		}, "disk", nil, 10, "Section 9", StageUnexamined, "No strategy had looked at it when the time of the search ended."},
		"behind the lists": {many, "disk", func(r *Request) { r.MaxCandidates = 50 }, 10, "Section 330", StageUnlisted,
			"It matched, but is in no strategy's list: exact ranks it 111, and its list ends at 100."},
		"behind the candidates": {many, "disk", func(r *Request) { r.MaxCandidates = 50 }, 10, "Section 180", StageCut,
			"It is ranked 61 of 100, below the 50 candidates that are kept: its score is 1.175, 0.000 less than that of the last one shown."},
		"reranked": {func(t *testing.T) *Engine { return engine(t, manyRows(30), lastFirst()) }, "disk", nil, 4, "Section 0", StageReranked,
			"Fusion ranked it 1, among the 4 shown; late put it at rank 10 of 10: its score is 0.000, 0.783 less than that of the last one shown, the most of it from late (-1.175 against -0.392)."},
		"no room": {plain, "disk errors", func(r *Request) { r.Passages, r.MaxTokens = 3, 260 }, 10, "Fans", StagePassageCut, "It is shown at rank 3 of 3, but max_tokens 260 "},
		"skipped": {plain, "disk errors", nil, 2, "nas/big.md", StageSkipped, "nas/big.md cannot be searched: larger than 32 MiB."},
		"new":     {plain, "disk errors", nil, 2, "late.md", StageNotIndexed, "nas/late.md is not in the index: it is being indexed."},
		"no text": {plain, "disk errors", nil, 2, "nas/notes.txt", StageNotIndexed, "nas/notes.txt is not in the index: it is no manual."},
	} {
		t.Run(name, func(t *testing.T) {
			e := tc.engine(t)
			view := e.View
			e.View = func(ctx context.Context, wait time.Duration) (index.View, error) {
				v, err := view(ctx, wait)
				v.Skipped = []toolset.Skip{{ManualID: "nas", Path: "big.md", Reason: "larger than 32 MiB"}}
				if strings.HasPrefix(tc.section, "late") {
					v.Lacking = []snapshot.File{{Group: "nas", Path: "late.md"}}
				}
				return v, err
			}
			req := request(tc.query)
			req.ExpandScope = false
			if name != "out of time" && tc.section[:3] != "Sec" {
				req.ManualID = "nas"
			}
			if tc.change != nil {
				tc.change(&req)
			}
			w, err := explain(t, e, WhyRequest{Request: req, Sections: []string{tc.section}, Shown: tc.shown,
				Unlisted: func(_ context.Context, manual, path string) string {
					return map[string]string{"nas/notes.txt": "it is no manual"}[manual+"/"+path]
				}})
			if err != nil {
				t.Fatal(err)
			}
			s := w.Standings[0]
			if s.Stage != tc.stage || !strings.HasPrefix(s.Sentence, tc.says) {
				t.Errorf("%s: %s", s.Stage, s.Sentence)
			}
			checkFigures(t, w, s)
		})
	}
}

// checkFigures fails the test if the figures of a standing contradict each other.
func checkFigures(t *testing.T, w *Why, s Standing) {
	t.Helper()
	var sum float64
	for _, c := range s.Contributions {
		sum += c.Amount
	}
	switch ranked := s.Rank > 0; {
	case ranked && math.Abs(sum-s.Score) > 1e-9:
		t.Errorf("contributions sum to %g, the score is %g", sum, s.Score)
	case ranked != (s.FusedRank > 0), ranked != (len(s.Contributions) > 0):
		t.Errorf("ranks %d and %d with %d contributions", s.FusedRank, s.Rank, len(s.Contributions))
	case (s.Rank > w.Shown) != (s.LastShown != nil):
		t.Errorf("rank %d of %d shown beside %+v", s.Rank, w.Shown, s.LastShown)
	case s.LastShown != nil && (s.LastShown.Rank != w.Shown || math.Abs(s.Score+s.Lacks-s.LastShown.Score) > 1e-9):
		t.Errorf("%g and %g make %+v", s.Score, s.Lacks, s.LastShown)
	case slices.ContainsFunc(s.Terms, func(u TermUse) bool { return u.Kind == string(sdk.TermNegative) && u.Held }) !=
		(s.Stage == StageExcluded):
		t.Errorf("the stage is %s with the terms %+v", s.Stage, s.Terms)
	case s.Terms == nil:
		t.Error("no terms")
	}
}

func TestExplainingChangesNothing(t *testing.T) {
	e := lexically(t, shelves())
	before, err := find(t, e, request("disk errors"))
	if err != nil {
		t.Fatal(err)
	}
	w := why(t, e, request("disk errors"), 1, "Fans", "Errors")
	rows := func(id string) *Hits {
		h, err := e.Hits(t.Context(), HitsRequest{TraceID: id, Kind: "candidates", Limit: 9, Explain: true})
		if err != nil {
			t.Fatal(err)
		}
		h.TraceID = ""
		return h
	}
	if diff := gocmp.Diff(rows(before.TraceID), rows(w.TraceID)); diff != "" {
		t.Error(diff)
	}
	if w.Matched != before.Summary.Matched || w.Kept != before.Summary.Candidates {
		t.Errorf("%+v, the search %+v", w, before.Summary)
	}
}

func TestAFileStandsForItsBestSection(t *testing.T) {
	w := why(t, lexically(t, shelves()), request("cool fans"), 10, "nas/a.md")
	if s := w.Standings[0]; s.Ref.StartLine != 9 || s.Sections != 3 || s.Rank != 1 {
		t.Errorf("%+v", s)
	}
}

func TestAFileThatDoesNotMatchStandsForWhatCoversMost(t *testing.T) {
	rows := []sdktest.Section{
		{Path: "a.md", Line: 1, Heading: "One", Body: "nothing"}, {Path: "a.md", Line: 5, Heading: "Two", Body: "a lamp"},
		{Path: "b.md", Line: 1, Heading: "Three", Body: "lamp disk copper kettle"},
	}
	e := lexically(t, rows)
	e.Settings.MatchThreshold = 0.9
	req := request("lamp disk copper kettle")
	req.ExpandScope = false
	if s := why(t, e, req, 10, "a.md").Standings[0]; s.Ref.StartLine != 5 || s.Stage != StageUnmatched || s.Coverage <= 0 {
		t.Errorf("%+v", s)
	}
}

func TestHeadingsMayLookLikePlaces(t *testing.T) {
	rows := []sdktest.Section{{Path: "a.md", Line: 1, Heading: "read/write", Body: "disk"}, {Path: "b.md", Line: 1, Heading: "Exit code:3", Body: "disk"}}
	w := why(t, lexically(t, rows), request("disk"), 10, "read/write", "exit code:3")
	if w.Standings[0].Ref.Path != "a.md" || w.Standings[1].Ref.Path != "b.md" {
		t.Errorf("%+v", w.Standings)
	}
}

func TestTwoSectionsStandSideBySide(t *testing.T) {
	w := why(t, lexically(t, shelves()), request("disk errors"), 10, "Fans", "Lamps")
	a, b := w.Standings[0], w.Standings[1]
	var sum float64
	for i, d := range w.Differences {
		if sum += d.A - d.B; i > 0 && math.Abs(d.A-d.B) > math.Abs(w.Differences[i-1].A-w.Differences[i-1].B) {
			t.Errorf("difference %d is larger than the one before", i)
		}
	}
	if math.Abs(sum-(a.Score-b.Score)) > 1e-9 || len(w.Differences) == 0 {
		t.Errorf("differences %+v of %g and %g", w.Differences, a.Score, b.Score)
	}
	held := func(s Standing) (out []string) {
		for _, term := range s.Terms {
			if term.Held {
				out = append(out, term.Text)
			}
		}
		return out
	}
	if diff := gocmp.Diff([][]string{{"disk"}, {"disk", "errors"}}, [][]string{held(a), held(b)}); diff != "" {
		t.Error(diff)
	}
	if n := a.Terms[0].Sections; n != 5 {
		t.Errorf("%d sections have disk", n)
	}
}

func TestDifferencesJoinWhatBothHave(t *testing.T) {
	got := Differences(
		[]fusion.Contribution{{Source: "a", Rank: 1, Raw: 3, Amount: 1}, {Source: "b", Rank: 2, Raw: 2, Amount: 0.5}, {Source: "b", Amount: 0.25}},
		[]fusion.Contribution{{Source: "b", Rank: 1, Raw: 4, Amount: 0.75}, {Source: "c", Raw: 1, Amount: 0.5}},
	)
	want := []Difference{
		{Source: "a", A: 1, RankA: 1, RawA: 3}, {Source: "c", B: 0.5, RawB: 1},
		{Source: "b", A: 0.75, B: 0.75, RankB: 1, RawB: 4},
	}
	if diff := gocmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestUnknownPlacesAreRefused(t *testing.T) {
	e := lexically(t, slices.Insert(shelves(), 1, sdktest.Section{Manual: "cli", Path: "a.md", Line: 5, Heading: "Tapes", Body: "none"}))
	for name, tc := range map[string]struct {
		sections []string
		shown    int
		manual   string
		code     toolset.Code
		detail   string
		want     any
	}{
		"a path":           {[]string{"nas/c.md"}, 10, "", toolset.NotFound, "did_you_mean", []string{"nas/a.md", "nas/b.md"}},
		"a file elsewhere": {[]string{"manuals/storage/old/b.md#L3"}, 10, "", toolset.NotFound, "did_you_mean", []string{"nas/b.md"}},
		"a heading":        {[]string{"Lampz"}, 10, "", toolset.NotFound, "did_you_mean", []string{"Lamps"}},
		"two files":        {[]string{"a.md"}, 10, "", toolset.NeedsNarrowScope, "candidates", []string{"cli/a.md", "nas/a.md"}},
		"two headings":     {[]string{"tapes"}, 10, "", toolset.NeedsNarrowScope, "candidates", []string{"nas/b.md#L1", "cli/a.md#L5"}},
		"a line behind":    {[]string{"nas/b.md:99"}, 10, "", toolset.InvalidParameter, "total_lines", 6},
		"none":             {nil, 10, "", toolset.InvalidParameter, "expected", "1 to 20 paths or headings"},
		"none shown":       {[]string{"Lamps"}, 0, "", toolset.InvalidParameter, "parameter", "shown"},
		"no such manual":   {[]string{"Lamps"}, 10, "nos", toolset.NotFound, "did_you_mean", []string{"nas"}},
	} {
		req := request("disk errors")
		req.ManualID, req.ExpandScope = tc.manual, false
		_, err := explain(t, e, WhyRequest{Request: req, Sections: tc.sections, Shown: tc.shown})
		failed, ok := errors.AsType[*toolset.Error](err)
		if !ok || failed.Code != tc.code {
			t.Errorf("%s: %v", name, err)
			continue
		}
		got := failed.Details[tc.detail]
		if list, ok := got.([]string); ok {
			got = slices.Clone(list)
			slices.Sort(got.([]string))
			slices.Sort(tc.want.([]string))
		}
		if diff := gocmp.Diff(tc.want, got); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
	w := why(t, e, func() Request { r := request("tape"); r.ManualID = "nas"; return r }(), 10, "Tapes", "a.md#L6")
	if got := fmt.Sprint(w.Standings[0].Ref.Ref, w.Standings[1].Ref.Ref); got != "{ nas b.md 1 0 } { nas a.md 5 0 }" {
		t.Errorf("in the manual that is searched they are %s", got)
	}
}
