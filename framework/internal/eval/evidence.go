package eval

import (
	"slices"
	"strings"

	"github.com/sagasu-search/sagasu/sdk/text"
)

// Evidence is what an agent must have before it to answer a query: an answer that stands in a relevant
// section, or any line of one whose answers are not known or in other words.
type Evidence struct{ sections []goldSection }

type goldSection struct {
	target  Target
	last    int      // line
	answers []string // folded, those that stand in the section
}

// Evidence returns what answers a query.
func (s *GrepCorpus) Evidence(q *Query) *Evidence {
	e := &Evidence{}
	for _, t := range q.Relevant {
		i := slices.IndexFunc(s.files, func(f grepFile) bool { return f.file() == t.file() })
		if i < 0 {
			continue
		}
		f := &s.files[i]
		g := goldSection{target: t, last: min(max(t.EndLine, t.StartLine), len(f.lines))}
		if t.EndLine == 0 {
			g.last = len(f.lines)
		}
		held := text.Fold(f.span(min(t.StartLine, g.last), g.last))
		for _, a := range q.Answers {
			if folded := text.Fold(a); strings.Contains(held, folded) {
				g.answers = append(g.answers, folded)
			}
		}
		e.sections = append(e.sections, g)
	}
	return e
}

// Shows reports whether text of the lines first to last of a file is the evidence.
func (e *Evidence) Shows(file Target, first, last int, shown string) bool {
	return slices.ContainsFunc(e.sections, func(g goldSection) bool {
		switch {
		case g.target.file() != file.file() || last < g.target.StartLine || first > g.last:
			return false
		case len(g.answers) == 0:
			return last > g.target.StartLine || g.last == g.target.StartLine
		}
		folded := text.Fold(shown)
		return slices.ContainsFunc(g.answers, func(a string) bool { return strings.Contains(folded, a) })
	})
}
