package border

import (
	"math"
	"slices"
	"strings"
	"unicode"

	"github.com/RoaringBitmap/roaring/v2"

	"github.com/sagasu-search/sagasu/sdk"
)

// Bounds of what a result says in words.
const (
	MaxWarnings = 10
	MaxWarning  = 1000 // bytes
	MaxTerms    = 1000 // of a candidate
)

// CheckResult checks the result of the strategy that d describes against the request
// that it answers. The error is the first [*BreachError].
func CheckResult(d sdk.Description, req *sdk.Request, res *sdk.Result) error {
	if res == nil {
		return breach(RuleResult, "neither")
	}
	if len(res.Candidates) > req.Limit {
		return breach(RuleLimit, "%d of %d", len(res.Candidates), req.Limit)
	}
	allowed, rule := req.Sections(), RuleScope
	if err := checkExtent(allowed, res); err != nil {
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

// checkExtent checks what a result says of the scope as a whole.
func checkExtent(scope *roaring.Bitmap, res *sdk.Result) error {
	size := scope.GetCardinality()
	if err := checkWarnings(res.Warnings); err != nil {
		return err
	}
	if !(res.Confidence >= 0 && res.Confidence <= 1) {
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

// checkWarnings keeps what goes on to a caller short and harmless on a terminal.
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

// isLine reports whether a text has no control characters.
func isLine(s string) bool { return strings.IndexFunc(s, unicode.IsControl) < 0 }

func checkCandidate(d sdk.Description, c *sdk.Candidate) error {
	if !finite(c.Score) {
		return breach(RuleScore, "section %d has %v", c.Section, c.Score)
	}
	if !(c.Coverage >= 0 && c.Coverage <= 1) {
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

// finite reports whether x is a number from 0 up.
func finite(x float64) bool { return x >= 0 && !math.IsInf(x, 1) }
