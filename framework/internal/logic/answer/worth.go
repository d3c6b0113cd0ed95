package answer

import (
	"math"
	"slices"
	"strings"

	"github.com/sagasu-search/sagasu/framework/internal/logic/evidence"
	"github.com/sagasu-search/sagasu/sdk/x/lazyregexp"
)

// worth contains the features of an answer.
type worth struct {
	// named is the sum of the shares of the question that the best statement of code and the best one of specifications
	// name. A statement without the requested type adds nothing.
	named  float64
	agrees bool // code and specifications state the same number
	// lead is how far the best statement of code scores above those of other files, at most mostLead.
	lead    float64
	missing bool // no statement has the requested type
}

// Coefficients of the probability that an answer is right, fitted by logistic regression to judged questions on foreign
// repositories (docs/reference/confidence.md).
const (
	rightBase   = -1.91
	rightNamed  = 1.34
	rightLead   = .34
	rightAgrees = 2.28
)

// mostLead is the maximum lead that counts.
const mostLead = 4

// leastSure is the maximum confidence in an answer without the requested type.
const leastSure = .3

// probability returns the probability that the answer is right.
func (w worth) probability() evidence.Score {
	z := rightBase + rightNamed*w.named + rightLead*w.lead
	if w.agrees {
		z += rightAgrees
	}
	p := 1 / (1 + math.Exp(-z))
	if w.missing {
		p = min(p, leastSure)
	}
	return evidence.Score(math.Round(100*p) / 100)
}

// worth returns the features of an answer with these claims.
func (r *ranking) worth(claims []Claim) worth {
	w := worth{agrees: agree(claims), missing: r.missing(claims), lead: r.lead()}
	for _, kind := range []evidence.Kind{evidence.Code, evidence.Spec} {
		if best := r.leading(kind); best.typed {
			w.named += best.named
		}
	}
	return w
}

// lead returns how far the best statement of code scores above those of other files.
func (r *ranking) lead() float64 {
	best := r.leading(evidence.Code)
	for _, c := range r.all {
		if c.Kind == evidence.Code && c.Path != best.Path {
			return min(best.score-c.score, mostLead)
		}
	}
	return mostLead
}

// missing reports whether the question asks for a type of answer that no statement has.
func (r *ranking) missing(claims []Claim) bool {
	return r.asks.strict() && !slices.ContainsFunc(r.all, func(c candidate) bool {
		return c.typed && slices.Contains(claims, c.Claim)
	})
}

// numeral matches a number that two places are unlikely to share by chance.
var numeral = lazyregexp.New(`\d[\d_,]*\d`)

// agree reports whether a claim of code and one of a specification state the same number.
func agree(claims []Claim) bool {
	stated := map[evidence.Kind]map[string]bool{evidence.Code: {}, evidence.Spec: {}}
	for _, c := range claims {
		for _, n := range numeral().FindAllString(c.Text, -1) {
			stated[c.Kind][strings.NewReplacer(",", "", "_", "").Replace(n)] = true
		}
	}
	for n := range stated[evidence.Code] {
		if stated[evidence.Spec][n] {
			return true
		}
	}
	return false
}
