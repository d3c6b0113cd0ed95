package conformance

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/sagasu-search/sagasu/sdk"
	"github.com/sagasu-search/sagasu/sdk/snapshot"
	"github.com/sagasu-search/sagasu/sdk/x/border"
)

// The rules of the border that a result can break, by subject.
var (
	rulesScore   = []string{border.RuleScore, border.RuleCoverage, border.RuleConfidence}
	rulesSection = []string{border.RuleScope, border.RulePool}
	rulesUnique  = []string{border.RuleDuplicate}
	rulesLimit   = []string{border.RuleLimit}
	rulesSignals = []string{border.RuleSignals, border.RuleTerms}
	rulesQuotes  = []string{border.RuleJudge, border.RuleVerdict, border.RuleQuote}
	rulesGather  = []string{border.RuleGatherer}
	rulesAnswer  = []string{border.RuleResult, noAnswer}

	rulesNamed = slices.Concat(
		rulesScore, rulesSection, rulesUnique, rulesLimit, rulesSignals, rulesQuotes, rulesGather,
		rulesAnswer)
)

// noAnswer is the rule that a query without a result breaks.
const noAnswer = "a query gets a result"

// outcome is the result of a trial. err says what is wrong, or is nil.
type outcome struct {
	trial
	res *sdk.Result
	err error
}

// failed reports a query without a result.
type failed struct{ error }

// Unwrap returns the reason.
func (f failed) Unwrap() error { return f.error }

// run sends a request to s and checks the result.
func (e *Suite) run(ctx context.Context, s Strategy, t trial) outcome {
	res, refused, err := e.search(ctx, s, t.req)
	if err = errors.Join(refused, err); err != nil {
		return outcome{t, nil, failed{err}}
	}
	return outcome{t, res, border.CheckResult(e.described, t.req, res)}
}

// runTrials runs all trials on a corpus.
func (e *Suite) runTrials(ctx context.Context, s Strategy, corpus *snapshot.Snapshot) []outcome {
	return e.runAll(ctx, s, e.trials(corpus))
}

// runAll runs trials one after the other.
func (e *Suite) runAll(ctx context.Context, s Strategy, trials []trial) []outcome {
	var out []outcome
	hung := false // once is enough, since the other trials would take as long
	for _, t := range trials {
		o := outcome{t, nil, failed{fmt.Errorf("not asked, after another query got %w", errHung)}}
		if !hung {
			o = e.run(ctx, s, t)
		}
		hung = hung || errors.Is(o.err, errHung)
		out = append(out, o)
	}
	return out
}

// baseline returns the outcomes of all trials on the small corpus, which run only once.
func (e *Suite) baseline(ctx context.Context) ([]outcome, error) {
	if e.results != nil {
		return e.results, nil
	}
	s, err := e.strategy(ctx)
	if err != nil {
		e.unanswered = true
		return nil, err
	}
	began := time.Now()
	err = e.open(ctx, s, e.small)
	if e.opening = time.Since(began); err != nil {
		e.unanswered = true
		return nil, err
	}
	e.results = e.runTrials(ctx, s, e.small)
	failed := func(o outcome) bool { return ruleOf(o.err) == noAnswer }
	if slices.ContainsFunc(e.results, failed) {
		_ = e.stop() // whatever its state, the next check starts another instance
	}
	e.unanswered = !slices.ContainsFunc(e.results, func(o outcome) bool { return !failed(o) })
	return e.results, nil
}

// Unanswered reports whether no ordinary query got a result. Then all other rules would report the same after a timeout
// each, and there is nothing to examine.
func (e *Suite) Unanswered() bool { return e.unanswered }

// Opening returns how long the strategy took to open a small corpus.
func (e *Suite) Opening() time.Duration { return e.opening }

// AddsNothing reports whether the strategy declares admitting signals but proposed only sections without them.
func (e *Suite) AddsNothing() bool {
	proposed := false
	for _, o := range e.results {
		if o.res == nil {
			continue
		}
		if o.res.Matched != nil || slices.ContainsFunc(o.res.Candidates, func(c sdk.Candidate) bool {
			return slices.ContainsFunc(c.Signals, e.described.AdmitsBy)
		}) {
			return false
		}
		proposed = proposed || len(o.res.Candidates) > 0
	}
	return proposed && e.described.Admits()
}

// broken returns a check that no result breaks one of the given rules.
func broken(rules []string) func(*Suite, context.Context) error {
	return breaking(func(rule string) bool { return slices.Contains(rules, rule) })
}

// extent is the check that no result breaks a rule that no other check covers.
var extent = breaking(func(rule string) bool { return rule != "" && !slices.Contains(rulesNamed, rule) })

// breaking returns a check that no result breaks a rule for which counts is true.
func breaking(counts func(rule string) bool) func(*Suite, context.Context) error {
	return func(e *Suite, ctx context.Context) error {
		outcomes, err := e.baseline(ctx)
		if err != nil {
			return err
		}
		for _, o := range outcomes {
			if counts(ruleOf(o.err)) {
				return fmt.Errorf("%s: %w", o.what, o.err)
			}
		}
		return nil
	}
}

// ruleOf returns the rule that was broken according to an error, or "".
func ruleOf(err error) string {
	if breach, ok := errors.AsType[*border.BreachError](err); ok {
		return breach.Rule
	}
	if _, ok := errors.AsType[failed](err); ok {
		return noAnswer
	}
	return ""
}

// newError returns err unless ordinary queries break the same rule, which another check reports.
func (e *Suite) newError(err error) error {
	rule := ruleOf(err)
	if rule != "" && slices.ContainsFunc(e.results, func(o outcome) bool { return ruleOf(o.err) == rule }) {
		return nil
	}
	return err
}

// order checks that scores descend.
func (e *Suite) order(ctx context.Context) error {
	outcomes, err := e.baseline(ctx)
	if err != nil {
		return err
	}
	for _, o := range outcomes {
		if o.res == nil {
			continue
		}
		for i := 1; i < len(o.res.Candidates); i++ {
			if before, now := o.res.Candidates[i-1], o.res.Candidates[i]; now.Score > before.Score {
				return fmt.Errorf("%s: section %d of score %v comes after section %d of score %v",
					o.what, now.Section, now.Score, before.Section, before.Score)
			}
		}
	}
	return nil
}
