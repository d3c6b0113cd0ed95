package host

import (
	"context"
	"errors"
	"math"
	"strings"
	"testing"

	"github.com/RoaringBitmap/roaring/v2"

	"github.com/sagasu-search/sagasu/sdk"
)

// breaches are the rules and the queries by which an actor breaks them.
var breaches = map[string]string{
	"nan": RuleScore, "inf": RuleScore, "negative": RuleScore,
	"coverage": RuleCoverage, "coverage-nan": RuleCoverage,
	"dead": RuleScope, "outside": RuleScope, "twice": RuleDuplicate,
	"flood": RuleLimit, "signal": RuleSignals, "matched": RuleMatched, "examined": RuleExamined,
	"sure": RuleConfidence, "sure-nan": RuleConfidence,
	"chatter": RuleWarnings, "paint": RuleWarnings, "novel": RuleWarnings,
}

// breaching is a result for sections 0 to 4 of 10 that breaks a rule.
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
	case "matched":
		res.Matched = roaring.BitmapOf(0, 7)
	case "examined":
		res.Examined = 6
	case "sure":
		res.Confidence = 1.5
	case "sure-nan":
		res.Confidence = math.NaN()
	case "chatter":
		res.Warnings = make([]string, maxWarnings+1)
	case "paint":
		res.Warnings = []string{"\x1b[2J"}
	case "novel":
		res.Warnings = []string{strings.Repeat("x", maxWarning+1)}
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
				b, ok := errors.AsType[*BreachError](err)
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

func TestRerankerAddsNothing(t *testing.T) {
	_, snap := start(t, options(t))
	req := request(snap, "")
	req.Pool = []sdk.Candidate{{Section: 2}, {Section: 3}}
	d := sdk.Description{Stage: sdk.StageRerank}
	for section, rule := range map[uint32]string{2: "", 4: RulePool} {
		err := checkResult(d, req, &sdk.Result{Candidates: []sdk.Candidate{{Section: section}}})
		b, _ := errors.AsType[*BreachError](err)
		if (b == nil) != (rule == "") || b != nil && b.Rule != rule {
			t.Errorf("section %d: %v, want %q", section, err, rule)
		}
	}
}

func TestCheckDescription(t *testing.T) {
	good := sdk.Description{Name: "x", Stage: sdk.StageFill}
	if err := checkDescription("x", good); err != nil {
		t.Error(err)
	}
	for what, change := range map[string]func(*sdk.Description){
		"name":   func(d *sdk.Description) { d.Name = "y" },
		"stage":  func(d *sdk.Description) { d.Stage = "later" },
		"weight": func(d *sdk.Description) { d.Weight = math.NaN() },
		"minus":  func(d *sdk.Description) { d.Weight = -1 },
		"novel":  func(d *sdk.Description) { d.Version = strings.Repeat("x", maxVersion+1) },
		"paint":  func(d *sdk.Description) { d.Version = "1\x1b[2J" },
		"many":   func(d *sdk.Description) { d.Signals = make([]string, maxSignals+1) },
		"signal": func(d *sdk.Description) { d.Signals = []string{"no signal"} },
	} {
		bad := good
		change(&bad)
		if err := checkDescription("x", bad); err == nil {
			t.Errorf("a bad %s passed", what)
		}
	}
}
