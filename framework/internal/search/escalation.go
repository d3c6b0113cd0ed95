package search

import (
	"slices"

	"github.com/sagasu-search/sagasu/framework/internal/fusion"
	"github.com/sagasu-search/sagasu/framework/internal/judge"
	"github.com/sagasu-search/sagasu/sdk"
	"github.com/sagasu-search/sagasu/sdk/lexical"
)

// Reasons why a search expands (contract, Expansion).
const (
	escalateFew        = "few_candidates" // none, or fewer than CandidateLow
	escalateBias       = "file_bias"
	escalateExceptions = "no_exceptions" // asked for, and no candidate holds an exception word
	escalateCoverage   = "low_coverage"
	escalateMargin     = "low_margin"
	escalateConflict   = "conflict"
)

// leastBiased is how many candidates there must be before one file can be too many of them.
const leastBiased = 5

// Corrective are the conditions on the quality of a result under which a search
// expands although it found enough.
type Corrective struct {
	Enabled bool
	// CoverageMin is the least share of the query's content, weighted by idf, that
	// the best candidates hold between them. In one section alone so much of a
	// question in plain words hardly ever stands, and that is no fault of the result.
	CoverageMin float64
	// MarginMin is the lead of the best section over the second, as a share of its
	// score, from which on neither its coverage nor the number of candidates counts.
	MarginMin float64
	// MinCandidates is how many candidates are too few without such a lead.
	MinCandidates int
	// OnConflict expands when candidates contradict each other.
	OnConflict bool
}

// thin gives the reasons to expand that the fused order shows.
func (s *search) thin(ranked []fusion.Ranked, found map[uint32]*evidence) []string {
	if !s.req.ExpandScope {
		return nil
	}
	return append(s.lacks(ranked, found), s.poor(ranked, found)...)
}

// lacks gives the reasons that count sections.
func (s *search) lacks(ranked []fusion.Ranked, found map[uint32]*evidence) []string {
	var reasons []string
	if len(ranked) < s.settings.CandidateLow {
		reasons = append(reasons, escalateFew)
	}
	if s.biased(ranked) {
		reasons = append(reasons, escalateBias)
	}
	if s.query.Intent == sdk.IntentExceptions && s.marks() && !slices.ContainsFunc(ranked, func(r fusion.Ranked) bool {
		return slices.Contains(found[r.Section].signals, sdk.SignalExceptions)
	}) {
		reasons = append(reasons, escalateExceptions)
	}
	return reasons
}

// biased reports whether most of what would be kept lies in one file.
func (s *search) biased(ranked []fusion.Ranked) bool {
	kept := ranked[:min(len(ranked), s.kept())]
	if len(kept) < leastBiased {
		return false
	}
	files := make([]judge.Candidate, len(kept))
	for i, r := range kept {
		sec, _ := s.snap.Section(r.Section)
		files[i] = judge.Candidate{ManualID: sec.Group, Path: sec.Path}
	}
	return judge.FileBias(files) >= s.settings.FileBias
}

// marks reports whether a strategy told the sections with exception words;
// without one their absence says nothing.
func (s *search) marks() bool {
	return slices.ContainsFunc(s.lists, func(l list) bool {
		return slices.Contains(l.description.Signals, sdk.SignalExceptions)
	})
}

// poor gives the corrective conditions that the order shows.
func (s *search) poor(ranked []fusion.Ranked, found map[uint32]*evidence) []string {
	c := s.settings.Corrective
	if !c.Enabled || len(ranked) == 0 {
		return nil
	}
	if margin(ranked) >= c.MarginMin {
		return nil // a section that stands out is an answer, whatever it lacks
	}
	var reasons []string
	if s.covered(ranked, found) < c.CoverageMin {
		reasons = append(reasons, escalateCoverage)
	}
	if len(ranked) <= c.MinCandidates {
		reasons = append(reasons, escalateMargin)
	}
	return reasons
}

// covered is the share of the query's content that the sections to be judged hold
// between them, in [0, 1]. A word that the corpus does not have, and none like it, is
// left out: no expansion could find it.
func (s *search) covered(ranked []fusion.Ranked, found map[uint32]*evidence) float64 {
	held := make(map[string]bool)
	for _, r := range ranked[:min(judge.MostEvidences, len(ranked))] {
		for _, t := range found[r.Section].terms {
			held[t] = true
		}
	}
	terms := lexical.ContentTerms(s.snap, slices.DeleteFunc(slices.Clone(s.query.Terms), func(t sdk.Term) bool {
		return !known(s.snap, t.Text) && len(variants(s.snap, t.Text)) == 0
	}))
	if len(terms.Texts) == 0 {
		return 1
	}
	return terms.Share(func(term string) bool {
		return held[term] || !slices.ContainsFunc(lexical.TokenNames(term), func(name string) bool { return !held[name] })
	})
}

// margin is the lead of the best section over the second, in [0, 1]; 1 for one alone.
func margin(ranked []fusion.Ranked) float64 {
	if len(ranked) < 2 {
		return 1
	}
	if ranked[0].Score == 0 {
		return 0
	}
	return (ranked[0].Score - ranked[1].Score) / ranked[0].Score
}

// disputed gives the reason to expand that only the judgement shows, unless the
// search has expanded already.
func (s *search) disputed() []string {
	c := s.settings.Corrective
	if s.req.ExpandScope && c.Enabled && c.OnConflict && len(s.escalation) == 0 && len(s.graph.Conflicts) > 0 {
		return []string{escalateConflict}
	}
	return nil
}
