package search

import (
	"slices"

	"github.com/sagasu-search/sagasu/framework/internal/judge"
	"github.com/sagasu-search/sagasu/framework/internal/search/adapt"
	"github.com/sagasu-search/sagasu/sdk"
	"github.com/sagasu-search/sagasu/sdk/lexical"
)

// Reasons why a search expands (docs/glossary.md), beside those of package adapt.
const (
	escalateExceptions = "no_exceptions" // asked for, and no candidate holds an exception word
	escalateCoverage   = "low_coverage"
	escalateMargin     = "low_margin"
	escalateConflict   = "conflict"
)

// minBiased is how many candidates there must be before one file can be too many of them.
const minBiased = 5

// Corrective are the conditions on the quality of a result under which a search
// expands although it found enough.
type Corrective struct {
	Enabled bool `setting:"CORRECTIVE_ENABLED" guest:"" default:"true" doc:"whether a weak answer makes a search widen"`
	// CoverageMin is the least share of the query's content, weighted by idf, that
	// the best candidates hold between them. One section alone
	// hardly ever holds so much of a question in plain words, and that is no fault of the result.
	CoverageMin float64 `setting:"CORRECTIVE_COVERAGE_MIN" guest:"" min:"0" max:"1" default:"0.90" doc:"share of the query's terms that the best candidates must cover between them"`
	// MarginMin is the lead of the best section over the second, as a share of its
	// score, from which on neither its coverage nor the number of candidates counts.
	MarginMin float64 `setting:"CORRECTIVE_MARGIN_MIN" guest:"" min:"0" max:"1" default:"0.15" doc:"lead of the best candidate over the next, as a share of its score"`
	// MinCandidates is how many candidates are too few without such a lead.
	MinCandidates int `setting:"CORRECTIVE_MIN_CANDIDATES" guest:"" min:"0" max:"1000" default:"3" doc:"candidates that make an answer"`
	// OnConflict expands when candidates contradict each other.
	OnConflict bool `setting:"CORRECTIVE_ON_CONFLICT" guest:"" default:"true" doc:"whether a contradiction makes a search widen"`
}

// reasonsToExpand returns the reasons that the fused order shows, none where the request does
// not allow it.
func reasonsToExpand(r *run, f fused) []string {
	if !r.request.ExpandScope {
		return nil
	}
	return append(tooFew(r, f), poorQuality(r, f)...)
}

// conflictReason returns the reason to expand that only the judgement shows.
func conflictReason(r *run, j judged) []string {
	c := r.settings.Corrective
	if r.request.ExpandScope && c.Enabled && c.OnConflict && len(j.graph.Conflicts) > 0 {
		return []string{escalateConflict}
	}
	return nil
}

// tooFew returns the reasons that count sections.
func tooFew(r *run, f fused) []string {
	var reasons []string
	if len(f.ranked) < r.settings.CandidateLow {
		reasons = append(reasons, adapt.ReasonFew)
	}
	if biased(r, f) {
		reasons = append(reasons, adapt.ReasonBias)
	}
	exception := func(s scored) bool { return slices.Contains(s.signals, sdk.SignalExceptions) }
	// Without a strategy that marks exceptions their absence says nothing.
	marked := r.query.Intent == sdk.IntentExceptions && f.has(sdk.SignalExceptions)
	if marked && !slices.ContainsFunc(f.ranked, exception) {
		reasons = append(reasons, escalateExceptions)
	}
	return reasons
}

// biased reports whether most of what would be kept lies in one file.
func biased(r *run, f fused) bool {
	kept := f.ranked[:min(len(f.ranked), r.limit())]
	if len(kept) < minBiased {
		return false
	}
	files := make([]judge.Candidate, len(kept))
	for i, s := range kept {
		sec, _ := r.snap.Section(s.Section)
		files[i] = judge.Candidate{ManualID: sec.Group, Path: sec.Path}
	}
	return judge.FileBias(files) >= r.settings.FileBias
}

// poorQuality returns the corrective conditions that the order meets.
func poorQuality(r *run, f fused) []string {
	c := r.settings.Corrective
	if !c.Enabled || len(f.ranked) == 0 {
		return nil
	}
	if margin(f.ranked) >= c.MarginMin {
		return nil // a section that stands out is an answer, whatever it lacks
	}
	var reasons []string
	if covered(r, f) < c.CoverageMin {
		reasons = append(reasons, escalateCoverage)
	}
	if len(f.ranked) <= c.MinCandidates {
		reasons = append(reasons, escalateMargin)
	}
	return reasons
}

// covered returns the share of the query's content that the sections to be judged hold
// between them, in [0, 1]. A word that the corpus does not have, and none like it, is
// left out: no expansion could find it.
func covered(r *run, f fused) float64 {
	held := make(map[string]bool)
	for _, s := range f.ranked[:min(judge.MostEvidences, len(f.ranked))] {
		for _, t := range s.terms {
			held[t] = true
		}
	}
	terms := lexical.ContentTerms(r.snap, slices.DeleteFunc(slices.Clone(r.query.Terms), func(t sdk.Term) bool {
		return !known(r.snap, t.Text) && len(variants(r.snap, t.Text)) == 0
	}))
	if len(terms.Texts) == 0 {
		return 1
	}
	return terms.Share(func(term string) bool { return holds(held, term) })
}

// holds reports whether what strategies found is a term, or all its tokens.
func holds(found map[string]bool, term string) bool {
	return found[term] || !slices.ContainsFunc(lexical.TokenNames(term),
		func(name string) bool { return !found[name] })
}

// margin returns the lead of the best section over the second, in [0, 1]; 1 for one alone.
func margin(ranked []scored) float64 {
	if len(ranked) < 2 {
		return 1
	}
	if ranked[0].Score == 0 {
		return 0
	}
	return (ranked[0].Score - ranked[1].Score) / ranked[0].Score
}
