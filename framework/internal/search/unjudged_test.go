package search

import (
	"bytes"
	"context"
	"slices"
	"strings"
	"testing"

	"github.com/hashicorp/go-hclog"

	"github.com/sagasu-search/sagasu/framework/internal/judge"
)

// A judgement that panics costs only the advice: candidates keep their order, a warning says what is missing, and the
// log says why.
func TestAJudgementThatPanicsCostsAWarning(t *testing.T) {
	for _, expand := range []bool{false, true} {
		e := engine(t, disputedRows(), fakes{list: []words{exact}})
		var log bytes.Buffer
		e.Logger = hclog.New(&hclog.LoggerOptions{Output: &log})
		req := request("return an item within how many days")
		req.ExpandScope, req.ClaimGraph, req.InlineHits = expand, true, 3
		judged, err := find(t, e, req)
		if err != nil || len(judged.Warnings) > 0 {
			t.Fatalf("%+v, %v", judged, err)
		}
		e.build = func(context.Context, judge.Input) (*judge.Graph, error) { panic("a broken rule") }
		answer, err := find(t, e, req)
		if err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(answer.Warnings, []string{unjudged}) {
			t.Errorf("warnings %q", answer.Warnings)
		}
		sum := answer.Summary
		if sum.Candidates != judged.Summary.Candidates || sum.IntegrationStatus != string(judge.NeedsFollowUp) {
			t.Errorf("%+v", sum)
		}
		if len(answer.NextActions) == 0 || len(answer.InlineHits) != 3 {
			t.Errorf("%+v", answer)
		}
		if !strings.Contains(log.String(), "a broken rule") {
			t.Errorf("the log does not tell the cause: %s", &log)
		}
		total, top := rows(t, e, answer.TraceID, "integrated_top")
		if total != answer.Summary.Candidates || len(top) != total {
			t.Errorf("%d of %d rows, %d candidates", len(top), total, answer.Summary.Candidates)
		}
		for _, kind := range []string{"candidates", "claims", "evidences", "edges", "conflicts", "gaps"} {
			rows(t, e, answer.TraceID, kind)
		}
	}
}
