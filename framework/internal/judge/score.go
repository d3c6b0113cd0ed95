package judge

import (
	"context"
	"slices"
	"strconv"
	"strings"

	"github.com/sagasu-search/sagasu/framework/internal/judge/answer"
	"github.com/sagasu-search/sagasu/framework/internal/judge/cases"
)

// InputOf returns the input for Build from a case.
func InputOf(c *cases.Case) Input {
	in := Input{Input: answer.Input{Query: c.Query, Evidences: c.Evidences}}
	in.WithoutIndex()
	return in
}

// Score is the score of a judgement on one case.
type Score struct{ Conflicts, Gaps cases.Tally }

// ScoreOf compares a graph with the expectations of a case. A row of gaps counts once.
func ScoreOf(c *cases.Case, g *Graph) Score {
	var s Score
	for _, x := range g.Conflicts {
		if slices.Contains(c.Conflicts, [2]int{index(x.A.EvidenceID), index(x.B.EvidenceID)}) {
			s.Conflicts.Right++
		} else {
			s.Conflicts.Wrong++
		}
	}
	s.Conflicts.Missed = len(c.Conflicts) - s.Conflicts.Right
	met := make(map[string]bool)
	for _, gap := range g.Gaps {
		hit := false
		for _, want := range c.Gaps {
			if gap.names(want) {
				hit, met[want] = true, true
			}
		}
		if !hit {
			s.Gaps.Wrong++
		}
	}
	s.Gaps.Right, s.Gaps.Missed = len(met), len(c.Gaps)-len(met)
	return s
}

// index returns the index of an evidence in its graph.
func index(id string) int {
	n, _ := strconv.Atoi(id[1:])
	return n - 1
}

// names reports whether a gap concerns a term, need or facet.
func (g *Gap) names(want string) bool {
	if g.Need == want || g.Need == "" && string(g.Facet) == want {
		return true
	}
	return g.Need == "" && slices.ContainsFunc(g.Missing, func(term string) bool {
		return strings.Contains(term, want) || strings.Contains(want, term)
	})
}

// ScoreCases judges cases and sums their scores by [cases.Case.Groups].
func ScoreCases(ctx context.Context, all []cases.Case) (map[string]Score, error) {
	out := make(map[string]Score)
	for i := range all {
		c := &all[i]
		g, err := Build(ctx, InputOf(c))
		if err != nil {
			return nil, err
		}
		one := ScoreOf(c, g)
		for _, key := range c.Groups() {
			sum := out[key]
			sum.Conflicts.Add(one.Conflicts)
			sum.Gaps.Add(one.Gaps)
			out[key] = sum
		}
	}
	return out, nil
}
