package host

import (
	"context"
	"errors"
	"math"
	"strings"
	"testing"

	"github.com/RoaringBitmap/roaring/v2"

	"github.com/sagasu-search/sagasu/sdk"
	"github.com/sagasu-search/sagasu/sdk/x/border"
)

// breaches are the rules and the queries by which an actor breaks them.
var breaches = map[string]string{
	"nan": border.RuleScore, "inf": border.RuleScore, "negative": border.RuleScore,
	"coverage": border.RuleCoverage, "coverage-nan": border.RuleCoverage,
	"dead": border.RuleScope, "outside": border.RuleScope, "twice": border.RuleDuplicate,
	"flood": border.RuleLimit, "signal": border.RuleSignals, "matched": border.RuleMatched, "examined": border.RuleExamined,
	"sure": border.RuleConfidence, "sure-nan": border.RuleConfidence,
	"chatter": border.RuleWarnings, "paint": border.RuleWarnings, "unseen": border.RuleWarnings, "novel": border.RuleWarnings,
}

// breaching returns a result for sections 0 to 4 of 10 that breaks a rule.
func breaching(req *sdk.Request, how string) *sdk.Result {
	c := sdk.Candidate{Section: 1, Score: 1}
	res := &sdk.Result{Candidates: []sdk.Candidate{{Section: 0, Score: 2}}}
	switch how {
	case "nan":
		c.Score = math.NaN()
	case "inf":
		c.Score = math.Inf(1)
	case "negative":
		c.Score = -0.1
	case "coverage":
		c.Coverage = 1.01
	case "coverage-nan":
		c.Coverage = math.NaN()
	case "dead":
		c.Section = 4_000_000
	case "outside":
		c.Section = 7
	case "twice":
		c.Section = 0
	case "flood":
		res.Candidates = make([]sdk.Candidate, req.Limit)
	case "signal":
		c.Signals = []string{"undeclared"}
	case "words":
		c.Terms = make([]string, border.MaxTerms+1)
	case "matched":
		res.Matched = roaring.BitmapOf(0, 7)
	case "examined":
		res.Examined = 6
	case "sure":
		res.Confidence = 1.5
	case "sure-nan":
		res.Confidence = math.NaN()
	case "chatter":
		res.Warnings = make([]string, border.MaxWarnings+1)
	case "paint":
		res.Warnings = []string{"\x1b[2J"}
	case "unseen":
		res.Warnings = []string{"a\U000e0062"}
	case "novel":
		res.Warnings = []string{strings.Repeat("x", border.MaxWarning+1)}
	}
	res.Candidates = append(res.Candidates, c)
	return res
}

type searcher interface {
	Search(ctx context.Context, name string, req *sdk.Request) (*sdk.Result, error)
}

func TestBreaches(t *testing.T) {
	o := options(t, "actor")
	o.Suspension = 1 // so many breaches would open the breaker
	h, snap := start(t, o)
	for where, s := range map[string]searcher{"process": h, "local": InProcess(&actor{name: "actor"})} {
		for how, rule := range breaches {
			t.Run(where+"/"+how, func(t *testing.T) {
				req := request(snap, "breach "+how)
				req.Scope = roaring.BitmapOf(0, 1, 2, 3, 4)
				_, err := s.Search(t.Context(), "actor", req)
				b, ok := errors.AsType[*border.BreachError](err)
				if !ok || b.Rule != rule {
					t.Errorf("error %v, want a breach of %q", err, rule)
				}
			})
		}
	}
	if restarts := h.Status()[0].Restarts; restarts != 0 {
		t.Errorf("%d restarts: a breach costs the result, not the process", restarts)
	}
}
