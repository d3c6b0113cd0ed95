package search

import (
	"slices"
	"strings"
	"unicode"

	"github.com/sagasu-search/sagasu/sdk"
	"github.com/sagasu-search/sagasu/sdk/x/query"
)

// Request is one manual_find call with its defaults applied. A field that changes what is found is also part of the key
// of cached answers, or bypasses them: see lookUp.
type Request struct {
	Query string
	// Queries are wordings of one question that are searched at once, instead of Query; at most 8.
	Queries  []string
	ManualID string // "" searches every manual
	// ExpandScope lets the search widen when the first pass finds too little.
	ExpandScope bool
	// OnlyUnscanned names a trace whose unscanned sections are searched instead of the scope.
	OnlyUnscanned string
	// ClaimGraph asks for the claim graph in the answer.
	ClaimGraph bool
	// UseCache permits a cached answer; nil means the default of [Cache].
	UseCache *bool
	// MaxCandidates is the number of candidates to keep, ≥ 1.
	MaxCandidates int
	// TimeMS is the time limit of the search in milliseconds, ≥ 1.
	TimeMS int
	// InlineHits adds the first rows of integrated_top to the answer, 0 to 5.
	InlineHits int
	// Passages is the maximum number of passages in the answer, 0 to 20.
	Passages int
	// MaxTokens limits the answer without claim graph and inline hits, in estimated tokens; 0 means no limit.
	MaxTokens int
}

// plan is a planned search: what to search for, and the settings.
type plan struct {
	request  Request
	settings Settings
	wordings []sdk.Query // each is retrieved separately
	query    sdk.Query   // all wordings in one
	warnings []string    // parts of the queries that are not searched for
}

func newPlan(req Request, settings Settings) plan {
	p := plan{request: req, settings: settings}
	raw := req.Queries
	if len(raw) == 0 {
		raw = []string{req.Query}
	}
	for _, r := range raw {
		q, warnings := query.Plan(r, settings.MatchThreshold)
		p.wordings, p.warnings = append(p.wordings, q), union(p.warnings, warnings)
	}
	p.query = query.United(p.wordings)
	return p
}

// maxCandidates is the maximum number of candidates of any search, since the results of the
// strategies and the trace are held in memory.
const maxCandidates = 10_000

// limit returns the number of candidates to keep.
func (p *plan) limit() int { return min(p.request.MaxCandidates, maxCandidates) }

// terms returns the texts of the terms of some kinds.
func (p *plan) terms(kinds ...sdk.TermKind) []string {
	var out []string
	for _, t := range p.query.Terms {
		if slices.Contains(kinds, t.Kind) {
			out = append(out, t.Text)
		}
	}
	return out
}

// words returns the must and soft terms.
func (p *plan) words() []string { return p.terms(sdk.TermMust, sdk.TermSoft) }

// Warnings for a query without anything to search for.
const (
	onlyExclusions = "the query only excludes: add what to search for"
	noTerms        = "the query has no word or number to search for; put signs to search for in quotation marks"
)

// emptyWarning returns the warning for a query without a term that a section could have, or "".
func (p *plan) emptyWarning() string {
	searchable := func(r rune) bool { return unicode.IsLetter(r) || unicode.IsNumber(r) }
	switch {
	case strings.ContainsFunc(strings.Join(p.words(), ""), searchable):
		return ""
	case len(p.terms(sdk.TermNegative)) > 0:
		return onlyExclusions
	}
	return noTerms
}

// Plan makes the plan of a query, within the limits on queries. threshold is τ.
func Plan(raw string, threshold float64) sdk.Query {
	q, _ := query.Plan(raw, threshold)
	return q
}
