package border

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/RoaringBitmap/roaring/v2"

	"github.com/sagasu-search/sagasu/sdk"
)

// BreachError reports a description or a result that breaks a rule of the border. The whole result
// is rejected, since the rest of it may be wrong too.
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

// The rules of the border, in the words of the warnings.
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
	RuleJudge       = "a judge proposes no sections, and nobody else judges"
	RuleVerdict     = "a few answers and tensions of a known kind, with probabilities from 0 to 1"
	RuleQuote       = "quotes stand in their passages, those of a tension in two sections"
	RuleExpansion   = "a few terms in UTF-8 with weights above 0, where they are asked for"
	RuleGatherer    = "a gatherer proposes no sections"
	RuleRow         = "a gathered section has a key, a place, lines in order and the fields of its kind, in UTF-8"
	RuleStatistics  = "statistics are finite and not negative"
	RuleShards      = "no more shards answer than there are"
	RuleGeneration  = "the generation answers that was asked for"
	RuleFilter      = "a gathered section passes the filter"
)

func breach(rule, format string, args ...any) error {
	return &BreachError{Rule: rule, Detail: fmt.Sprintf(format, args...)}
}

var stages = []sdk.Stage{
	sdk.StageRetrieve, sdk.StageFill, sdk.StageRerank, sdk.StageFeedback, sdk.StageGather, sdk.StageJudge,
}

// Limits of a description; lengths in bytes.
const (
	MaxVersion = 100
	MaxSummary = 300
	MaxSignals = 50
	MaxCorpora = 50
	MaxSchema  = 256 << 10
)

// lower lists the characters allowed in a name.
const lower = "abcdefghijklmnopqrstuvwxyz0123456789-"

const nameForm = "1 to 40 lower-case letters, digits and '-'"

// IsName reports whether s can be the name of a strategy: 1 to 40 lower-case ASCII letters,
// digits and '-'.
func IsName(s string) bool { return made(s, lower) }

// made reports whether s consists of 1 to 40 of the characters.
func made(s, characters string) bool {
	return s != "" && len(s) <= 40 && strings.Trim(s, characters) == ""
}

// CheckDescription checks the description of a strategy. The error is a [*BreachError].
func CheckDescription(d sdk.Description) error {
	switch {
	case !IsName(d.Name):
		return breach(RuleDescription, "name %.50q, not %s", d.Name, nameForm)
	case !slices.Contains(stages, d.Stage):
		return breach(RuleDescription, "stage %.50q, not one of %q", d.Stage, stages)
	case !finite(d.Weight):
		return breach(RuleDescription, "weight %v", d.Weight)
	case len(d.Version) > MaxVersion || !isLine(d.Version):
		return breach(RuleDescription, "a version of %d bytes, or not of one line", len(d.Version))
	case len(d.ConfigSchema) > MaxSchema || len(d.ConfigSchema) > 0 && !json.Valid(d.ConfigSchema):
		return breach(RuleDescription, "a configuration schema of %d bytes, or not JSON", len(d.ConfigSchema))
	case len(d.Corpora) > MaxCorpora:
		return breach(RuleDescription, "%d kinds of corpora", len(d.Corpora))
	case len(d.Signals) > MaxSignals:
		return breach(RuleDescription, "%d signals", len(d.Signals))
	}
	for _, line := range []string{d.Summary, d.License, d.SDK} {
		if len(line) > MaxSummary || !isLine(line) {
			return breach(RuleDescription, "a summary, licence or sdk of %d bytes, or not of one line", len(line))
		}
	}
	for _, signal := range d.Signals {
		if !made(signal, lower+"_") {
			return breach(RuleDescription, "signal %.50q, not 1 to 40 lower-case letters, digits, '-' and '_'", signal)
		}
	}
	for _, signal := range d.Admitting {
		if !slices.Contains(d.Signals, signal) {
			return breach(RuleDescription, "%.50q is to admit and is no declared signal", signal)
		}
	}
	return nil
}

// Limits on the texts of a result.
const (
	MaxWarnings = 10
	MaxWarning  = 1000 // bytes
	MaxTerms    = 1000 // of a candidate
)

// CheckResult checks a result of the strategy that d describes against its request. The error is
// the first [*BreachError].
func CheckResult(d sdk.Description, req *sdk.Request, res *sdk.Result) error {
	if res == nil {
		return breach(RuleResult, "neither")
	}
	if len(res.Candidates) > req.Limit {
		return breach(RuleLimit, "%d of %d", len(res.Candidates), req.Limit)
	}
	if d.Stage == sdk.StageGather && len(res.Candidates) > 0 {
		return breach(RuleGatherer, "%d candidates", len(res.Candidates))
	}
	allowed, rule := req.Sections(), RuleScope
	if err := checkExtent(allowed, res); err != nil {
		return err
	}
	if err := checkVerdicts(d, req, res); err != nil {
		return err
	}
	if err := checkExpansion(req, res.Expansion); err != nil {
		return err
	}
	if d.Stage == sdk.StageRerank {
		allowed, rule = sections(req.Pool), RulePool
	}
	seen := roaring.New()
	for i := range res.Candidates {
		c := &res.Candidates[i]
		if err := checkCandidate(d, c); err != nil {
			return err
		}
		if !allowed.Contains(c.Section) {
			return breach(rule, "section %d", c.Section)
		}
		if !seen.CheckedAdd(c.Section) {
			return breach(RuleDuplicate, "section %d", c.Section)
		}
	}
	return nil
}

func checkExpansion(req *sdk.Request, terms []sdk.GatherTerm) error {
	if n := len(terms); n > sdk.MaxExpansion || n > 0 && !req.Expand {
		return breach(RuleExpansion, "%d terms", n)
	}
	for _, t := range terms {
		if t.Text == "" || !utf8.ValidString(t.Text) || !finite(t.Weight) || t.Weight == 0 {
			return breach(RuleExpansion, "%.50q weighs %v", t.Text, t.Weight)
		}
	}
	return nil
}

// checkExtent checks the fields of a result that concern the whole scope.
func checkExtent(scope *roaring.Bitmap, res *sdk.Result) error {
	size := scope.GetCardinality()
	if err := checkWarnings(res.Warnings); err != nil {
		return err
	}
	if !isShare(res.Confidence) {
		return breach(RuleConfidence, "%v", res.Confidence)
	}
	if res.Examined < 0 || uint64(res.Examined) > size {
		return breach(RuleExamined, "%d of %d", res.Examined, size)
	}
	if m := res.Matched; m != nil && m.AndCardinality(scope) != m.GetCardinality() {
		return breach(RuleMatched, "section %d", roaring.AndNot(m, scope).Minimum())
	}
	return nil
}

// checkVerdicts checks the answers and tensions of a judge.
func checkVerdicts(d sdk.Description, req *sdk.Request, res *sdk.Result) error {
	judges, judged := d.Stage == sdk.StageJudge, res.Answers != nil || res.Tensions != nil
	if judges && len(res.Candidates) > 0 || judged && !judges {
		return breach(RuleJudge, "%d candidates, %d answers, %d tensions",
			len(res.Candidates), len(res.Answers), len(res.Tensions))
	}
	if len(res.Answers) > sdk.MaxVerdicts || len(res.Tensions) > sdk.MaxVerdicts {
		return breach(RuleVerdict, "%d answers, %d tensions", len(res.Answers), len(res.Tensions))
	}
	for _, a := range res.Answers {
		if !isShare(a.Probability) {
			return breach(RuleVerdict, "probability %v", a.Probability)
		}
		if err := checkQuote(req, a.Quote); err != nil {
			return err
		}
	}
	for _, t := range res.Tensions {
		if !isShare(t.Probability) || !slices.Contains(sdk.TensionKinds(), t.Kind) {
			return breach(RuleVerdict, "kind %.50q, probability %v", t.Kind, t.Probability)
		}
		if t.A.Section == t.B.Section {
			return breach(RuleQuote, "both of section %d", t.A.Section)
		}
		if err := errors.Join(checkQuote(req, t.A), checkQuote(req, t.B)); err != nil {
			return err
		}
	}
	return nil
}

// checkQuote checks that the quote is in its passage.
func checkQuote(req *sdk.Request, q sdk.Quote) error {
	held := func(p sdk.Passage) bool { return p.Section == q.Section && strings.Contains(p.Text, q.Text) }
	if strings.TrimSpace(q.Text) == "" || !slices.ContainsFunc(req.Passages, held) {
		return breach(RuleQuote, "%.50q of section %d", q.Text, q.Section)
	}
	return nil
}

// isShare reports whether x is a number from 0 to 1.
func isShare(x float64) bool { return x >= 0 && x <= 1 }

// checkWarnings makes sure that warnings, which are passed on to callers, are short and harmless on a terminal.
func checkWarnings(warnings []string) error {
	if len(warnings) > MaxWarnings {
		return breach(RuleWarnings, "%d warnings", len(warnings))
	}
	for _, w := range warnings {
		if len(w) > MaxWarning || !isLine(w) {
			return breach(RuleWarnings, "one of %d bytes, or not of one line", len(w))
		}
	}
	return nil
}

// isLine reports whether a text is fully visible on one line: it has no control characters, no characters that change
// the text direction or end a line, and no invisible characters that only a language model would read.
func isLine(s string) bool {
	return strings.IndexFunc(s, func(r rune) bool { return !unicode.IsGraphic(r) }) < 0
}

func checkCandidate(d sdk.Description, c *sdk.Candidate) error {
	if !finite(c.Score) {
		return breach(RuleScore, "section %d has %v", c.Section, c.Score)
	}
	if !isShare(c.Coverage) {
		return breach(RuleCoverage, "section %d has %v", c.Section, c.Coverage)
	}
	if len(c.Terms) > MaxTerms {
		return breach(RuleTerms, "section %d has %d", c.Section, len(c.Terms))
	}
	for _, signal := range c.Signals {
		if !slices.Contains(d.Signals, signal) {
			return breach(RuleSignals, "section %d has %q", c.Section, signal)
		}
	}
	return nil
}

func sections(pool []sdk.Candidate) *roaring.Bitmap {
	ids := make([]uint32, len(pool))
	for i, c := range pool {
		ids[i] = c.Section
	}
	return roaring.BitmapOf(ids...)
}

// finite reports whether x is a finite number ≥ 0.
func finite(x float64) bool { return x >= 0 && !math.IsInf(x, 1) }
