package search

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/sagasu-search/sagasu/framework/internal/host"
	"github.com/sagasu-search/sagasu/framework/internal/toolset"
	"github.com/sagasu-search/sagasu/sdk"
)

func TestTheStatusSaysWhy(t *testing.T) {
	few := func(r *Request) { r.MaxCandidates = 2 }
	second, marks := exact, words{name: "marks", stage: sdk.StageRetrieve, signals: []string{sdk.SignalExceptions}, marks: "disk"}
	second.name = "second"
	slow := second
	slow.examined = 1
	for name, tc := range map[string]struct {
		rows       int
		query      string
		change     func(*Request)
		strategies fakes
		status     string
		reasons    []string
	}{
		"ready":                      {30, "disk", nil, fakes{list: []words{exact}}, "ready", nil},
		"one section is enough":      {3, "disk", nil, fakes{list: []words{exact}}, "ready", nil},
		"ready, others cut":          {30, "disk", few, fakes{list: []words{exact}}, "ready", nil},
		"nothing":                    {30, "tapestry", nil, fakes{list: []words{exact}}, "blocked", []string{statusNothing}},
		"a gap, others cut":          {30, "disk tapestry", few, fakes{list: []words{exact}}, "needs_followup", []string{statusGap, statusCap}},
		"a strategy failed":          {30, "disk", nil, fakes{list: []words{exact, second}, fail: map[string]error{"second": errors.New("x")}}, "needs_followup", []string{statusStrategy}},
		"a strategy is not there":    {30, "disk", nil, fakes{list: []words{exact}, unready: []host.Failure{{Name: "second"}}}, "needs_followup", []string{statusStrategy}},
		"a reranker is not there":    {30, "disk", nil, fakes{list: []words{exact}, unready: []host.Failure{{Name: "rr", Stage: sdk.StageRerank}}}, "ready", nil},
		"a strategy was late":        {30, "disk", nil, fakes{list: []words{exact, second}, fail: map[string]error{"second": context.DeadlineExceeded}}, "needs_followup", []string{statusTime}},
		"a strategy did not finish":  {30, "disk", nil, fakes{list: []words{exact, slow}}, "needs_followup", []string{statusTime}},
		"one that admits none":       {30, "disk", nil, fakes{list: []words{exact, marks}, fail: map[string]error{"marks": errors.New("x")}}, "ready", nil},
		"all of many":                {30, "every disk", nil, fakes{list: []words{exact}}, "needs_followup", []string{statusAll}},
		"all of many, some passages": {30, "every disk", func(r *Request) { r.Passages = 9 }, fakes{list: []words{exact}}, "needs_followup", []string{statusAll}},
		"all, and all is shown":      {30, "every disk", func(r *Request) { r.Passages = 10 }, fakes{list: []words{exact}}, "ready", nil},
		"all, too much to be shown":  {30, "every disk", func(r *Request) { r.Passages, r.MaxTokens = 10, 400 }, fakes{list: []words{exact}}, "needs_followup", []string{statusAll}},
		"all, most cut":              {30, "every disk", func(r *Request) { r.Passages, r.MaxCandidates = 10, 2 }, fakes{list: []words{exact}}, "needs_followup", []string{statusAll, statusCap}},
	} {
		t.Run(name, func(t *testing.T) {
			e := engine(t, manyRows(tc.rows), tc.strategies)
			req := request(tc.query)
			req.ExpandScope = false
			if tc.change != nil {
				tc.change(&req)
			}
			answer, err := find(t, e, req)
			if err != nil {
				t.Fatal(err)
			}
			got := answer.Summary
			if diff := cmp.Diff(tc.reasons, got.StatusReasons); diff != "" || got.IntegrationStatus != tc.status {
				t.Errorf("%s\n%s", got.IntegrationStatus, diff)
			}
			lists := slices.ContainsFunc(answer.NextActions, func(a toolset.Action) bool {
				return a.Type == "manual_hits" && a.Params["kind"] == "matched" && a.Params["format"] == "lines"
			})
			if want := slices.Contains(tc.reasons, statusAll); lists != want || want && answer.NextActions[0].Type != "manual_hits" {
				t.Errorf("proposals %+v", answer.NextActions)
			}
		})
	}
}

// A reply without room for any text is not ready, and its proposals read the text.
func TestReadyShowsText(t *testing.T) {
	if testing.Short() {
		t.Skip("searches some thousand times")
	}
	bare := 0
	for _, query := range []string{"disk two years", "every disk", "disk"} {
		e := engine(t, diskShelf(), fakes{list: []words{exact}})
		req := request(query)
		req.ExpandScope, req.Passages, req.MaxTokens = false, 3, 500
		for ; ; req.MaxTokens-- {
			answer, err := find(t, e, req)
			if err != nil {
				least := fmt.Sprintf("%d or more for this reply", req.MaxTokens+1)
				if bad, ok := errors.AsType[*toolset.Error](err); !ok || bad.Details["expected"] != least {
					t.Errorf("%s in %d tokens: %v", query, req.MaxTokens, err)
				}
				break
			}
			if answer.AnsweredBy != nil || len(answer.Passages) > 0 {
				continue
			}
			bare++
			reads := slices.ContainsFunc(answer.NextActions, func(a toolset.Action) bool { return a.Type == "manual_read" })
			if s := answer.Summary; s.IntegrationStatus == "ready" || !reads || answer.TruncatedReason != reasonTokens || s.StatusReasons[0] != statusNothing {
				t.Errorf("%s in %d tokens: %+v", query, req.MaxTokens, answer)
			}
		}
	}
	if bare == 0 {
		t.Error("every reply showed text")
	}
}
