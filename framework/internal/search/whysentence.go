package search

import (
	"fmt"
	"slices"
	"strings"

	"github.com/sagasu-search/sagasu/sdk"
)

// belowSentence returns a sentence on how far a ranked section is below the hits shown.
func (q *explainer) belowSentence(s *Standing) string {
	said := ""
	switch s.Stage {
	case StageReranked:
		said = fmt.Sprintf("Fusion ranked it %d, among the %d shown; %s put it at rank %d of %d",
			s.FusedRank, q.shown, strings.Join(q.rerankers(s), " and "), s.Rank, len(q.ranked))
	case StageCut:
		said = fmt.Sprintf("It is ranked %d of %d, below the %d candidates that are kept",
			s.Rank, len(q.ranked), len(q.candidates))
	default:
		said = fmt.Sprintf("It is ranked %d of %d, below the %d shown", s.Rank, len(q.ranked), q.shown)
	}
	said += fmt.Sprintf(": its score is %.3f, %.3f less than that of the last one shown", s.Score, s.Lacks)
	for _, d := range s.LastShown.Differences {
		moved := slices.ContainsFunc(q.moves, func(m result) bool { return m.description.Name == d.Source })
		if d.B > d.A && moved == (s.Stage == StageReranked) {
			return said + fmt.Sprintf(", the most of it from %s (%.3f against %.3f).", d.Source, d.A, d.B)
		}
	}
	return said + "."
}

// rerankers returns the sources that moved a section after fusion.
func (q *explainer) rerankers(s *Standing) (out []string) {
	for _, c := range s.Contributions[len(q.before[s.FusedRank-1].Contributions):] {
		out = append(out, c.Source)
	}
	return out
}

// unlistedSentence returns a sentence on the strategy that ranks a section best.
func unlistedSentence(lists []Listed) string {
	var best *Listed
	for i, l := range lists {
		if l.Rank > 0 && (best == nil || l.Rank < best.Rank) {
			best = &lists[i]
		}
	}
	if best == nil {
		return "It matched, but is in no strategy's list."
	}
	return fmt.Sprintf("It matched, but is in no strategy's list: %s ranks it %d, and its list ends at %d.",
		best.Strategy, best.Rank, best.Of)
}

// unmatchedSentence returns a sentence on the terms that a section lacks.
func unmatchedSentence(s *Standing) string {
	var lacks, nowhere []string
	total := 0
	for _, t := range s.Terms {
		if t.Kind == string(sdk.TermNegative) {
			continue
		}
		if total++; t.Held {
			continue
		}
		if lacks = append(lacks, t.Text); t.Sections == 0 {
			nowhere = append(nowhere, t.Text)
		}
	}
	said := fmt.Sprintf("No strategy matched it: it holds %d of %d terms of the query", total-len(lacks), total)
	if len(lacks) > 0 {
		said += fmt.Sprintf(" and lacks %s", strings.Join(shortList(lacks), ", "))
	}
	if len(nowhere) > 0 {
		said += fmt.Sprintf(" (no section has %s)", strings.Join(shortList(nowhere), ", "))
	}
	if s.Coverage >= s.Threshold {
		return said + "; a strategy that finds it alone failed or was late in this search, see the warnings."
	}
	return said + fmt.Sprintf("; that covers %.3f of the query, and %.3f is needed.", s.Coverage, s.Threshold)
}

// mostNamed is the maximum number of terms that a sentence names.
const mostNamed = 8

// shortList returns the start of a list, and the number of further elements as text.
func shortList(all []string) []string {
	if len(all) <= mostNamed {
		return all
	}
	return append(slices.Clone(all[:mostNamed]), fmt.Sprintf("%d more", len(all)-mostNamed))
}
