package conformance

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/sagasu-search/sagasu/sdk"
	"github.com/sagasu-search/sagasu/sdk/snapshot"
	"github.com/sagasu-search/sagasu/sdk/x/border"
)

// The rules of the border that a result can break, by what they are about.
var (
	rulesScore   = []string{border.RuleScore, border.RuleCoverage, border.RuleConfidence}
	rulesSection = []string{border.RuleScope, border.RulePool}
	rulesUnique  = []string{border.RuleDuplicate}
	rulesLimit   = []string{border.RuleLimit}
	rulesSignals = []string{border.RuleSignals, border.RuleTerms}
	rulesAnswer  = []string{border.RuleResult, noAnswer}

	rulesNamed = slices.Concat(rulesScore, rulesSection, rulesUnique, rulesLimit, rulesSignals, rulesAnswer)
)

// noAnswer is the rule that a query without a result breaks.
const noAnswer = "a query gets a result"

// outcome is what became of a trial. err says what is wrong, nil when nothing is.
type outcome struct {
	trial
	res *sdk.Result
	err error
}

// failed tells of a query that got no result.
type failed struct{ error }

// Unwrap gives the reason.
func (f failed) Unwrap() error { return f.error }

// try asks s and checks its answer.
func (e *Exam) try(ctx context.Context, s Strategy, t trial) outcome {
	res, refused, err := e.search(ctx, s, t.req)
	if err = errors.Join(refused, err); err != nil {
		return outcome{t, nil, failed{err}}
	}
	return outcome{t, res, border.CheckResult(e.described, t.req, res)}
}

// battery tries everything on a corpus.
func (e *Exam) battery(ctx context.Context, s Strategy, corpus *snapshot.Snapshot) []outcome {
	return e.tryAll(ctx, s, e.trials(corpus))
}

// tryAll makes the trials one after the other.
func (e *Exam) tryAll(ctx context.Context, s Strategy, trials []trial) []outcome {
	var out []outcome
	hung := false // once is enough: the rest of the trials would take as long
	for _, t := range trials {
		o := outcome{t, nil, failed{fmt.Errorf("not asked, after another query got %w", errHung)}}
		if !hung {
			o = e.try(ctx, s, t)
		}
		hung = hung || errors.Is(o.err, errHung)
		out = append(out, o)
	}
	return out
}

// first is the outcome of the battery on the small corpus, which is run once.
func (e *Exam) first(ctx context.Context) ([]outcome, error) {
	if e.results != nil {
		return e.results, nil
	}
	s, err := e.strategy(ctx)
	if err != nil {
		return nil, err
	}
	if err := e.open(ctx, s, e.small); err != nil {
		return nil, err
	}
	e.results = e.battery(ctx, s, e.small)
	if slices.ContainsFunc(e.results, func(o outcome) bool { return ruleOf(o.err) == noAnswer }) {
		_ = e.stop() // whatever state it is in, the next check starts another
	}
	return e.results, nil
}

// broken makes the check that no result breaks one of the rules given.
func broken(rules []string) func(*Exam, context.Context) error {
	return breaking(func(rule string) bool { return slices.Contains(rules, rule) })
}

// extent is the check that no result breaks a rule that no other check is about.
var extent = breaking(func(rule string) bool { return rule != "" && !slices.Contains(rulesNamed, rule) })

// breaking makes the check that no result breaks a rule that counts.
func breaking(counts func(rule string) bool) func(*Exam, context.Context) error {
	return func(e *Exam, ctx context.Context) error {
		outcomes, err := e.first(ctx)
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

// ruleOf is the rule that an error says was broken, "" for none.
func ruleOf(err error) string {
	if breach, ok := errors.AsType[*border.BreachError](err); ok {
		return breach.Rule
	}
	if _, ok := errors.AsType[failed](err); ok {
		return noAnswer
	}
	return ""
}

// news is err unless it breaks a rule that an ordinary query breaks already: once is
// enough to be told.
func (e *Exam) news(err error) error {
	rule := ruleOf(err)
	if rule != "" && slices.ContainsFunc(e.results, func(o outcome) bool { return ruleOf(o.err) == rule }) {
		return nil
	}
	return err
}

// order checks that scores fall.
func (e *Exam) order(ctx context.Context) error {
	outcomes, err := e.first(ctx)
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
