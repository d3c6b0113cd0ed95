package border

import "fmt"

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
	RuleTerms       = "a few terms for each section"
	RuleMatched     = "matched sections are live and in the scope"
	RuleConfidence  = "a confidence from 0 to 1"
	RuleExamined    = "no more sections examined than the scope holds"
	RuleWarnings    = "a few warnings of one line each"
)

func breach(rule, format string, args ...any) error {
	return &BreachError{Rule: rule, Detail: fmt.Sprintf(format, args...)}
}
