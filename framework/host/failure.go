package host

import "fmt"

// Failure is a strategy that contributes nothing, and why.
type Failure struct {
	Name string
	Err  error
}

// Error implements error.
func (f Failure) Error() string { return fmt.Sprintf("strategy %s: %v", f.Name, f.Err) }

// Unwrap gives the reason.
func (f Failure) Unwrap() error { return f.Err }

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
	RuleExamined    = "no more sections examined than the scope holds"
)

func breach(rule, format string, args ...any) error {
	return &BreachError{Rule: rule, Detail: fmt.Sprintf(format, args...)}
}
