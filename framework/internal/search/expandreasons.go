package search

import (
	"slices"

	"github.com/sagasu-search/sagasu/framework/internal/judge"
	"github.com/sagasu-search/sagasu/framework/internal/search/adapt"
	"github.com/sagasu-search/sagasu/sdk"
	"github.com/sagasu-search/sagasu/sdk/lexical"
)

// Reasons why a search expands (docs/glossary.md), besides those of package adapt.
const (
	escalateExceptions = "no_exceptions" // the query asks for exceptions, and no candidate has an exception word
	escalateCoverage   = "low_coverage"
	escalateMargin     = "low_margin"
	escalateConflict   = "conflict"
)

// minBiased is the minimum number of candidates for the file bias to count.
const minBiased = 5

// reasonsToExpand returns the reasons to expand that the fused order shows, or none if the request
// does not allow expansion.
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

// tooFew returns the reasons to expand that depend on the number of sections.
func tooFew(r *run, f fused) []string {
	var reasons []string
	if len(f.ranked) < r.settings.CandidateLow {
		reasons = append(reasons, adapt.ReasonFew)
	}
	if biased(r, f) {
		reasons = append(reasons, adapt.ReasonBias)
	}
	exception := func(s scored) bool { return slices.Contains(s.signals, sdk.SignalExceptions) }
	// Only a strategy that marks exceptions can show that there are none.
	if r.query.Intent == sdk.IntentExceptions && slices.ContainsFunc(f.results, result.marksExceptions) &&
		!slices.ContainsFunc(f.ranked, exception) {
		reasons = append(reasons, escalateExceptions)
	}
	return reasons
}

// biased reports whether most candidates are in one file.
func biased(r *run, f fused) bool {
	kept := f.ranked[:min(len(f.ranked), r.limit())]
	if len(kept) < minBiased {
		return false
	}
	return judge.FileBias(len(kept), func(i int) fileName {
		sec, _ := r.snap.Section(kept[i].Section)
		return fileName{sec.Group, sec.Path}
	}) >= r.settings.FileBias
}

// poorQuality returns the corrective reasons to expand that apply to the order.
func poorQuality(r *run, f fused) []string {
	c := r.settings.Corrective
	if !c.Enabled || len(f.ranked) == 0 {
		return nil
	}
	if margin(f.ranked) >= c.MarginMin {
		return nil // a section that stands out is an answer, even if it lacks terms
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

// covered returns the share of the query's content, in [0, 1], that the sections to be judged cover
// together. It ignores words that the corpus has in no form: no expansion could find them.
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

// holds reports whether found has a term or all its tokens.
func holds(found map[string]bool, term string) bool {
	return found[term] || !slices.ContainsFunc(lexical.TokenNames(term),
		func(name string) bool { return !found[name] })
}

// margin returns the lead of the best section over the second, in [0, 1], or 1 if there is only one.
func margin(ranked []scored) float64 {
	if len(ranked) < 2 {
		return 1
	}
	if ranked[0].Score == 0 {
		return 0
	}
	return (ranked[0].Score - ranked[1].Score) / ranked[0].Score
}
