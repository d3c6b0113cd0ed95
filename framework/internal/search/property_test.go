package search

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"

	"pgregory.net/rapid"

	"github.com/sagasu-search/sagasu/framework/internal/toolset"
	"github.com/sagasu-search/sagasu/sdk"
	"github.com/sagasu-search/sagasu/sdk/sdktest"
)

// sentencesOf are the sentences of random sections: contradicting facts, pointers, exceptions and filler.
var sentencesOf = []string{
	"You can return an item within 30 days of delivery.", "You can return an item within 14 days of delivery.",
	"返品は30日以内に受け付けます。", "返品は14日以内に受け付けます。", "返品の手数料は別表1を参照してください。", "セール品は返品の対象外です。",
	"See section 4.2 for returns.", "For a refund see [fees](f01.md#section-3).", "Items on sale are excluded from returns.", "plain text", "disk",
}

// drawRows returns random sections of up to two manuals.
func drawRows(t *rapid.T) []sdktest.Section {
	var out []sdktest.Section
	n := rapid.IntRange(1, 40).Draw(t, "sections")
	for i := range n {
		body := rapid.SliceOfN(rapid.SampledFrom(sentencesOf), 0, 3).Draw(t, "body")
		heading := rapid.SampledFrom([]string{"Returns", "4.2 Returns", "別表1 手数料", "返品", fmt.Sprintf("Section %d", i)}).Draw(t, "heading")
		out = append(out, sdktest.Section{
			Manual: fmt.Sprintf("m%d", 2*i/n), Path: fmt.Sprintf("f%02d.md", i/5), Line: 10*(i%5) + 1,
			Heading: heading, Body: strings.Join(body, "\n"),
		})
	}
	return out
}

var queries = []string{"disk", "plain", "disk missing", "nothing", "return an item within how many days", "返品は何日以内", "返品 手数料 いくら",
	"returns that are not covered", "返品の対象外", `"on sale" returns`, "-disk", "plain -text"}

func drawRequest(t *rapid.T) Request {
	req := request(rapid.SampledFrom(queries).Draw(t, "query"))
	req.MaxCandidates = rapid.SampledFrom([]int{1, 2, 4, 200}).Draw(t, "cap")
	req.ManualID = rapid.SampledFrom([]string{"", "m0"}).Draw(t, "manual")
	req.ExpandScope = rapid.Bool().Draw(t, "expand")
	return req
}

func drawEngine(t testing.TB, rt *rapid.T) *Engine {
	strategy := exact
	strategy.all = rapid.Bool().Draw(rt, "strict")
	strategy.examined = rapid.SampledFrom([]int{0, 3, 10, 50}).Draw(rt, "examined per call")
	list := []words{strategy, warner}
	if rapid.Bool().Draw(rt, "fill") {
		list = append(list, words{name: "toc", stage: sdk.StageFill, signals: []string{sdk.SignalHeading}})
	}
	return engine(t, drawRows(rt), fakes{list: list})
}

// TestRepeatsCoverTheScope follows only_unscanned until nothing is left: every
// section must be exactly once a candidate or examined without a match.
func TestRepeatsCoverTheScope(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		e, req := drawEngine(t, rt), drawRequest(rt)
		var scope map[string]bool // what may still be searched
		total, candidates, examined := 0, 0, 0
		for step := 0; ; step++ {
			answer, err := find(t, e, req)
			if err != nil {
				rt.Fatal(err)
			}
			found, left := placesOf(rt, e, answer, "candidates"), placesOf(rt, e, answer, "unscanned")
			for p := range found {
				if scope != nil && !scope[p] || left[p] {
					rt.Fatalf("step %d: %s is a candidate again", step, p)
				}
			}
			for p := range left {
				if scope != nil && !scope[p] {
					rt.Fatalf("step %d: %s is left out again", step, p)
				}
			}
			if step == 0 {
				tr, _ := e.traces.get(t.Context(), answer.TraceID)
				total = tr.Size.Sections
				for _, m := range tr.Manuals {
					total += m.Sections
				}
			}
			candidates += len(found)
			examined += answer.Summary.ScannedNodes - answer.Summary.Matched
			if (answer.Summary.CutoffReason == "") != (len(left) == 0) {
				rt.Fatalf("cut off by %q with %d left", answer.Summary.CutoffReason, len(left))
			}
			if len(left) == 0 || step > 200 {
				break
			}
			scope, req.OnlyUnscanned = left, answer.TraceID
		}
		if candidates+examined != total {
			rt.Fatalf("%d candidates and %d examined without a match of %d sections", candidates, examined, total)
		}
	})
}

// placesOf returns the sections of all rows of a kind, with all sections of a whole manual.
func placesOf(rt *rapid.T, e *Engine, answer *Answer, kind string) map[string]bool {
	h, err := e.Hits(context.Background(), HitsRequest{TraceID: answer.TraceID, Kind: kind, Limit: 1000})
	if err != nil {
		rt.Fatal(err)
	}
	out := map[string]bool{}
	for _, row := range h.Items {
		if row.Sections > 0 {
			view, err := e.View(context.Background(), 0)
			if err != nil {
				rt.Fatal(err)
			}
			for it := view.Snapshot.Keyword(groupKey + row.Ref.ManualID).Iterator(); it.HasNext(); {
				sec, _ := view.Snapshot.Section(it.Next())
				out[fmt.Sprintf("%s/%s#%d", sec.Group, sec.Path, sec.Start)] = true
			}
			continue
		}
		out[fmt.Sprintf("%s%s/%s#%d", h.ManualID, row.Ref.ManualID, row.Ref.Path, row.Ref.StartLine)] = true
	}
	return out
}

func TestProposalsWorkWhenSentBack(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		e, req := drawEngine(t, rt), drawRequest(rt)
		answer, err := find(t, e, req)
		if err != nil {
			rt.Fatal(err)
		}
		for _, a := range answer.NextActions {
			if err := sendBack(e, a); err != nil {
				rt.Fatalf("%+v: %v", a, err)
			}
		}
	})
}

// sendBack makes the call that an action proposes, unchanged.
func sendBack(e *Engine, a toolset.Action) error {
	ctx := context.Background()
	switch a.Type {
	case "manual_find":
		req := request(a.Params["query"].(string))
		req.ManualID, _ = a.Params["manual_id"].(string)
		req.OnlyUnscanned, _ = a.Params["only_unscanned_from_trace_id"].(string)
		_, err := e.Find(ctx, req)
		return err
	case "manual_hits":
		format, _ := a.Params["format"].(string)
		_, err := e.Hits(ctx, HitsRequest{TraceID: a.Params["trace_id"].(string), Kind: a.Params["kind"].(string), Format: format, Limit: 50})
		return err
	case "manual_read":
		ref := a.Params["ref"].(map[string]any)
		view, err := e.View(ctx, 0)
		if err != nil {
			return err
		}
		defer view.Release()
		if _, ok := Locate(view.Snapshot, ref["manual_id"].(string), ref["path"].(string), ref["start_line"].(int)); !ok {
			return errors.New("the section is not there")
		}
		return nil
	}
	return errors.New("an unknown tool")
}

func TestEveryReasonIsProposedAndWorks(t *testing.T) {
	var oneFile []sdktest.Section
	for i := range 8 {
		oneFile = append(oneFile, sdktest.Section{Path: "a.md", Line: 10*i + 1, Body: "disk"})
	}
	few := func(r *Request) { r.MaxCandidates = 2 }
	for name, tc := range map[string]struct {
		rows         []sdktest.Section
		query        string
		change       func(*Request)
		kind, reason string
	}{
		"ready":              {manyRows(30), "disk", nil, "manual_read", "manual_completed"},
		"all":                {manyRows(30), "list every disk", nil, "manual_hits", "manual_completed"},
		"one-sided":          {oneFile, "disk tapestry", func(r *Request) { r.MaxCandidates = 5 }, "manual_find", "reduce_file_bias"},
		"gap":                {manyRows(30), "disk tapestry", nil, "manual_read", "fill_gaps"},
		"conflict":           {disputedRows(), "return an item within 30 days", nil, "manual_read", "resolve_conflicts"},
		"conflict, expanded": {append(disputedRows(), manyRows(9)...), "return an item within 30 days", nil, "manual_read", "resolve_conflicts"},
		"few, others cut":    {manyRows(30), "disk tapestry", few, "manual_find", "insufficient_candidates"},
		"none in one manual": {manyRows(9), "tape", func(r *Request) { r.ManualID, r.ExpandScope = "m0", false }, "manual_find", "insufficient_candidates"},
		"none, not expanded": {manyRows(9), "tape", func(r *Request) { r.ExpandScope = false }, "manual_find", "insufficient_candidates"},
	} {
		t.Run(name, func(t *testing.T) {
			e := engine(t, tc.rows, fakes{list: []words{exact}})
			req := request(tc.query)
			if tc.change != nil {
				tc.change(&req)
			}
			answer, err := find(t, e, req)
			if err != nil {
				t.Fatal(err)
			}
			proposed := false
			for _, a := range answer.NextActions {
				if err := sendBack(e, a); err != nil {
					t.Errorf("%+v: %v", a, err)
				}
				proposed = proposed || a.Type == tc.kind && a.Reason == tc.reason
			}
			if !proposed {
				t.Errorf("proposals %+v", answer.NextActions)
			}
		})
	}
}

// TestConcurrentSearches searches, pages and repeats concurrently: every answer must be consistent.
func TestConcurrentSearches(t *testing.T) {
	e := engine(t, append(disputedRows(), manyRows(40)...), fakes{list: []words{exact, warner}})
	var calls sync.WaitGroup
	for i := range 40 {
		calls.Go(func() {
			req := request(queries[i%len(queries)])
			req.MaxCandidates, req.ClaimGraph = 1+i%7, true
			answer, err := e.Find(t.Context(), req)
			if err != nil {
				t.Error(err)
				return
			}
			for kind, want := range map[string]int{
				"candidates": answer.Summary.Candidates, "conflicts": answer.Summary.ConflictCount, "gaps": answer.Summary.GapCount,
				"claims": len(answer.ClaimGraph.Claims), "unscanned": answer.Summary.Matched - answer.Summary.Candidates,
			} {
				h, err := e.Hits(t.Context(), HitsRequest{TraceID: answer.TraceID, Kind: kind, Limit: 5})
				if err != nil {
					t.Errorf("%s: %v", kind, err)
				} else if h.Total != want {
					t.Errorf("%s: %d rows, want %d", kind, h.Total, want)
				}
			}
			req.OnlyUnscanned = answer.TraceID
			if _, err := e.Find(t.Context(), req); err != nil {
				t.Error(err)
			}
		})
	}
	calls.Wait()
}
