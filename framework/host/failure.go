package host

import (
	"context"
	"errors"
	"fmt"

	"github.com/sagasu-search/sagasu/sdk/wire"
)

// Failure is a strategy that contributes nothing, and why.
type Failure struct {
	Name string
	Err  error
}

// Error implements error.
func (f Failure) Error() string { return fmt.Sprintf("strategy %s: %v", f.Name, f.Err) }

// Unwrap gives the reason.
func (f Failure) Unwrap() error { return f.Err }

// Brief is the reason that a caller of the search may see, as the end of a
// sentence: without the strategy's own words, which are for the log.
func (f Failure) Brief() string {
	if breach, ok := errors.AsType[*BreachError](f.Err); ok {
		return "it broke the rule: " + breach.Rule
	}
	for _, known := range []struct {
		is  error
		say string
	}{
		{ErrUnpinned, "its executable is not the one that was installed: see sagasu plugin verify"},
		{ErrNotInstalled, "it is not installed: see sagasu plugin install"},
		{ErrSuspended, "it failed again and again and is left out for a while"},
		{ErrBackoff, "it waits to be started again"},
		{ErrStarting, "it is still starting"},
		{wire.ErrOpening, "it is still preparing for the new index"},
		{wire.ErrGone, "its process ended"},
		{wire.ErrTooLarge, "its answer was too large"},
		{wire.ErrMalformed, "its answer was malformed"},
		{context.DeadlineExceeded, "it did not answer in time"},
	} {
		if errors.Is(f.Err, known.is) {
			return known.say
		}
	}
	return "it failed, the log says why"
}

// BreachError is a description or a result that breaks the rules of the
// border. The whole result is refused: what else is wrong with it nobody knows.
type BreachError struct {
	// Rule is the rule that was broken, one of the Rule constants.
	Rule string
	// Detail is the first place that breaks it.
	Detail string
}

// Error implements error.
func (e *BreachError) Error() string {
	return fmt.Sprintf("protocol breach: %s (%s)", e.Rule, e.Detail)
}

// The rules of the border, as they stand in warnings.
const (
	RuleDescription = "the description must be valid"
	RuleResult      = "a search gives a result or an error"
	RuleLimit       = "at most the requested number of candidates"
	RuleScore       = "scores are finite and not negative"
	RuleCoverage    = "coverage is between 0 and 1"
	RuleScope       = "candidates are live sections of the scope"
	RulePool        = "a reranker adds no section to the pool"
	RuleDuplicate   = "each section once"
	RuleSignals     = "signals are declared in the description"
	RuleMatched     = "matched sections are live and in the scope"
	RuleConfidence  = "a confidence from 0 to 1"
	RuleExamined    = "no more sections examined than the scope holds"
	RuleWarnings    = "a few warnings of one line each"
)

func breach(rule, format string, args ...any) error {
	return &BreachError{Rule: rule, Detail: fmt.Sprintf(format, args...)}
}
