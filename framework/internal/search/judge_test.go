package search

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/sagasu-search/sagasu/framework/internal/index"
	"github.com/sagasu-search/sagasu/framework/internal/judge"
	"github.com/sagasu-search/sagasu/framework/internal/toolset"
	"github.com/sagasu-search/sagasu/sdk"
	"github.com/sagasu-search/sagasu/sdk/sdktest"
)

// disputedRows are two files with different deadlines for the same thing, and one that refers elsewhere.
func disputedRows() []sdktest.Section {
	return []sdktest.Section{
		{Manual: "m", Path: "a.md", Line: 1, Heading: "Returns", Body: "You can return an item within 30 days of delivery."},
		{Manual: "m", Path: "b.md", Line: 5, Heading: "Returns", Body: "You can return an item within 14 days of delivery."},
		{Manual: "m", Path: "c.md", Line: 1, Heading: "Returns of gifts", Body: "For the return of a gift item, see section 4.2."},
		{Manual: "m", Path: "c.md", Line: 9, Heading: "4.2 Gifts", Body: "Bring the card."},
	}
}

// rows returns all rows of a kind, as a client reads them.
func rows(t *testing.T, e *Engine, trace, kind string) (int, []map[string]any) {
	t.Helper()
	h, err := e.Hits(t.Context(), HitsRequest{TraceID: trace, Kind: kind, Limit: 1000})
	if err != nil {
		t.Fatal(err)
	}
	data, err := json.Marshal(h.Items)
	if err != nil {
		t.Fatal(err)
	}
	var out []map[string]any
	if err := json.Unmarshal(data, &out); err != nil {
		t.Fatal(err)
	}
	return h.Total, out
}

func TestConflictsAreServed(t *testing.T) {
	e := engine(t, disputedRows(), fakes{list: []words{exact}})
	answer, err := find(t, e, request("return an item within how many days"))
	if err != nil {
		t.Fatal(err)
	}
	total, conflicts := rows(t, e, answer.TraceID, "conflicts")
	if answer.Summary.ConflictCount != 1 || total != 1 || answer.Summary.IntegrationStatus != "needs_followup" {
		t.Fatalf("%+v, %d rows", answer.Summary, total)
	}
	var places []string
	for _, side := range []string{"a", "b"} {
		s := conflicts[0][side].(map[string]any)
		ref := s["ref"].(map[string]any)
		places = append(places, ref["path"].(string))
		if s["line"] != ref["start_line"].(float64)+1 || !strings.Contains(s["text"].(string), "days") {
			t.Errorf("side %s: %v", side, s)
		}
	}
	slices.Sort(places)
	if diff := cmp.Diff([]string{"a.md", "b.md"}, places); diff != "" {
		t.Error(diff)
	}
	_, candidates := rows(t, e, answer.TraceID, "candidates")
	for _, c := range candidates {
		path := c["ref"].(map[string]any)["path"]
		with, _ := c["conflict_with"].([]any)
		if want := path == "a.md" || path == "b.md"; (len(with) == 1) != want {
			t.Errorf("%s conflicts with %v", path, with)
		}
		if path == "c.md" && c["ref"].(map[string]any)["start_line"] == 1.0 && c["gap_hint"] != "section 4.2" {
			t.Errorf("hint of c.md: %v", c["gap_hint"])
		}
	}
	for _, a := range answer.NextActions[:2] {
		if a.Type != "manual_read" || a.Reason != "resolve_conflicts" {
			t.Errorf("proposal %+v", a)
		}
	}
}

func TestPartsOfTheGraphAreServedAndPaged(t *testing.T) {
	e := engine(t, disputedRows(), fakes{list: []words{exact}})
	req := request("return an item within how many days")
	plain, err := find(t, e, req)
	if err != nil || plain.ClaimGraph != nil {
		t.Fatalf("a claim graph that nobody asked for: %+v, %v", plain, err)
	}
	req.ClaimGraph = true
	answer, err := find(t, e, req)
	if err != nil {
		t.Fatal(err)
	}
	g := answer.ClaimGraph
	for kind, want := range map[string]int{"claims": len(g.Claims), "evidences": len(g.Evidences), "edges": len(g.Edges)} {
		total, all := rows(t, e, answer.TraceID, kind)
		if total != want || len(all) != want || want == 0 {
			t.Errorf("%s: %d rows, total %d, want %d", kind, len(all), total, want)
		}
	}
	page, err := e.Hits(t.Context(), HitsRequest{TraceID: answer.TraceID, Kind: "evidences", Offset: 1, Limit: 1})
	if err != nil || len(page.Items) != 1 || page.Items[0].Part.(judge.Witness).ID != g.Evidences[1].ID {
		t.Errorf("page %+v, %v", page, err)
	}
	var followed []toolset.Ref
	for _, edge := range g.Edges {
		if edge.Target != nil {
			followed = append(followed, *edge.Target)
		}
	}
	want := toolset.Ref{Target: "manual", ManualID: "m", Path: "c.md", StartLine: 9}
	if !slices.Contains(followed, want) {
		t.Errorf("resolved pointers %+v, want %+v", followed, want)
	}
}

func TestIntegratedTopIsTheLastOrder(t *testing.T) {
	e := engine(t, manyRows(90), fakes{list: []words{exact}})
	answer, err := find(t, e, request("disk"))
	if err != nil {
		t.Fatal(err)
	}
	tr, _ := e.traces.get(t.Context(), answer.TraceID)
	total, top := rows(t, e, answer.TraceID, "integrated_top")
	if total != integratedTop || len(tr.Candidates) != 30 {
		t.Fatalf("%d of %d", total, len(tr.Candidates))
	}
	for i, row := range top {
		c := tr.Candidates[i]
		if ref := row["ref"].(map[string]any); ref["path"] != c.Path || ref["start_line"] != float64(c.Line) {
			t.Errorf("row %d is %v, want %s:%d", i, ref, c.Path, c.Line)
		}
	}
}

// interrupted ends a search while a strategy is running.
type interrupted struct {
	fakes
	at  string
	end context.CancelFunc
}

func (i interrupted) Search(ctx context.Context, name string, req *sdk.Request) (*sdk.Result, error) {
	if name == i.at {
		i.end()
	}
	return i.fakes.Search(ctx, name, req)
}

func TestACancelledSearchIsNotJudged(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	last := words{name: "last", stage: sdk.StageRerank}
	e := engine(t, disputedRows(), interrupted{fakes{list: []words{exact, last}}, "last", cancel})
	if answer, err := e.Find(ctx, request("return an item within how many days")); !errors.Is(err, context.Canceled) {
		t.Errorf("%+v, %v", answer, err)
	}
}

// If judging is late, the candidates are served in their order, and the answer says that they were not judged.
func TestALateJudgementIsLeft(t *testing.T) {
	e := engine(t, disputedRows(), fakes{list: []words{exact}})
	r, before := begun(t, e, request("return an item within how many days"))
	late, cancel := context.WithCancel(t.Context())
	cancel()
	tr, _ := e.newTrace("a-b", r, rankAndJudge(t.Context(), late, r, retrieve(t.Context(), r, Scope{}, before)))
	answer, err := e.answer(t.Context(), r.plan, "", index.View{Snapshot: r.snap}, tr)
	if err != nil {
		t.Fatal(err)
	}
	sum := answer.Summary
	if sum.Candidates != 3 || len(tr.integrated()) != 3 || sum.ConflictCount != 0 || sum.IntegrationStatus != "needs_followup" {
		t.Errorf("%+v, %d judged", sum, len(tr.integrated()))
	}
	if diff := cmp.Diff([]string{judgedShort}, answer.Warnings); diff != "" {
		t.Error(diff)
	}
	if len(answer.NextActions) == 0 || answer.NextActions[0].Type != "manual_read" {
		t.Errorf("proposals %+v", answer.NextActions)
	}
}

// A word that only a section below the judged ones contains is not missing.
func TestWhatAnyFoundSectionHoldsIsNotMissing(t *testing.T) {
	rows := manyRows(3 * (judge.MostEvidences + 1))
	rows = append(rows, sdktest.Section{Manual: "m9", Path: "last.md", Line: 1, Heading: "Last", Body: "A quokka is fed."})
	e := engine(t, rows, fakes{list: []words{exact}})
	e.build = judge.Build
	for query, want := range map[string][]string{"disk quokka": nil, "disk wombat": {"wombat"}} {
		answer, err := e.Find(t.Context(), request(query))
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, answer.MissingTerms); diff != "" || answer.Summary.Candidates <= judge.MostEvidences {
			t.Errorf("%s: %d candidates, missing terms -want +got:\n%s", query, answer.Summary.Candidates, diff)
		}
	}
}
