// Status: decides whether the answer is complete, and if not, why.

package search

import (
	"cmp"
	"math"
	"slices"

	"github.com/sagasu-search/sagasu/framework/internal/judge"
	"github.com/sagasu-search/sagasu/framework/internal/toolset"
)

// Reasons why an answer is not ready (docs/reference/status.md).
const (
	statusNothing  = "nothing_answers"
	statusGap      = "gap"
	statusConflict = "conflict"
	statusCap      = ReasonCap // the cut sections may have what is missing
	statusTime     = reasonTime
	statusStrategy = "strategy_missing"
	statusAll      = "asks_for_all" // and the answer does not show all
)

// reasons returns the reasons why the result is not enough, or none if it is. inManual is the number of
// candidates in the named manual.
func (t *Trace) reasons(inManual int) []string {
	var out []string
	for _, r := range []struct {
		holds  bool
		reason string
	}{
		{inManual == 0 || !t.Graph.Answered(), statusNothing},
		{len(t.Graph.Gaps) > 0, statusGap},
		{len(t.Graph.Conflicts) > 0, statusConflict},
		{slices.Contains(t.Lacks, statusTime), statusTime},
		{slices.Contains(t.Lacks, statusStrategy), statusStrategy},
	} {
		if r.holds {
			out = append(out, r.reason)
		}
	}
	return out
}

// conclude sets the status, the proposals and the passages. all says that the query asks for
// everything of a kind: then the answer is ready only if it shows everything. It fails if the
// answer costs more than MaxTokens.
func (a *Answer) conclude(s judge.Situation, t *Trace, all bool, sources []source) error {
	reasons, tensions, most := t.reasons(s.Candidates), a.Tensions, cmp.Or(t.Request.MaxTokens, math.MaxInt)
	cut := ""
	settle := func(shown bool, sources []source) int {
		because := reasons
		if s.All = all && !shown; s.All {
			because = append(slices.Clip(reasons), statusAll)
		}
		a.settle(s, t, because)
		a.Tensions, a.TruncatedReason = tensions, cut
		return a.show(sources, most)
	}
	least := settle(false, sources)
	if all && a.showsAll(t) { // try the status "ready"; revert if its longer reply no longer shows all
		if least = settle(true, sources); !a.showsAll(t) {
			least = settle(false, sources)
		}
	}
	if least > most && a.AnsweredBy != nil {
		if a.AnsweredBy, cut = nil, reasonTokens; len(reasons) == 0 {
			reasons = []string{statusNothing} // the remaining reply has no answer
		}
		least = min(least, settle(false, nil))
	}
	if least > most {
		return toolset.TooFew(most, least)
	}
	return nil
}

// settle sets the status and the proposals.
func (a *Answer) settle(s judge.Situation, t *Trace, reasons []string) {
	if len(reasons) > 0 && t.Left[ReasonCap] > 0 {
		reasons = append(slices.Clip(reasons), statusCap)
	}
	switch {
	case len(t.Candidates) == 0:
		s.Status = judge.Blocked
	case len(reasons) > 0:
		s.Status = judge.NeedsFollowUp
	default:
		s.Status = judge.Ready
	}
	a.Summary.IntegrationStatus, a.Summary.StatusReasons = string(s.Status), reasons
	a.NextActions = judge.Next(s)
	if s.Status == judge.Ready && t.lacking > 0 {
		a.NextActions = append(a.NextActions, toolset.Action{
			Type: "manual_find", Reason: "insufficient_candidates",
			Params: map[string]any{"query": s.Query, "only_unscanned_from_trace_id": t.ID},
		})
	}
}

// showsAll reports whether there are likely sections and the passages show all of them.
func (a *Answer) showsAll(t *Trace) bool {
	return t.LikelyCut == 0 && t.likely() > 0 && !slices.ContainsFunc(t.Candidates, func(c Candidate) bool {
		return c.likely() && !slices.ContainsFunc(a.Passages, func(p Passage) bool {
			return p.isOf(c.ManualID, c.Path, c.Line)
		})
	})
}
