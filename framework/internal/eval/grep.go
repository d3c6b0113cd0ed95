package eval

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/sagasu-search/sagasu/sdk/text"
)

// GrepCorpus holds the files of manuals as grep sees them.
type GrepCorpus struct{ files []grepFile }

type grepFile struct {
	Target
	text  string
	lines []string // folded, so that case and width do not matter
}

// Add adds a file.
func (s *GrepCorpus) Add(manual, path, content string) {
	f := grepFile{Target: Target{ManualID: manual, Path: path}, text: content}
	for line := range strings.Lines(content) {
		f.lines = append(f.lines, text.Fold(line))
	}
	s.files = append(s.files, f)
}

// A careful agent with grep: how many hits it lists, how many lines around each it shows, and how many lines it reads
// around the best.
const (
	listedHits  = 20
	linesBeside = 2
	linesRead   = 30
)

// Lines returns an agent that greps for the two rarest words of the query, with two lines around each
// hit, and then reads 30 lines around the hit with the most words.
func (s *GrepCorpus) Lines(name string, words func(query string) []string, scope bool) Agent {
	return Agent{Name: name, Solve: func(ctx context.Context, q *Query, e *AgentRun) error {
		within := q.Within(scope)
		evidence, pattern := s.Evidence(q), s.rarest(words(q.Query), within)
		hits := s.lineHits(pattern, within)
		var list strings.Builder
		solved := false
		for _, h := range hits {
			first, last := max(1, h.line-linesBeside), min(len(h.file.lines), h.line+linesBeside)
			shown := h.file.span(first, last)
			for i, l := range strings.Split(strings.TrimSuffix(shown, "\n"), "\n") {
				fmt.Fprintf(&list, "%s:%d:%s\n", h.file.file(), first+i, l)
			}
			solved = evidence.Shows(h.file.Target, first, last, shown) || solved
		}
		e.note("grep", strings.Join(pattern, "|"), list.String())
		e.Solved, e.First = solved, solved
		if !solved && len(hits) > 0 {
			best := slices.MaxFunc(hits, func(a, b lineHit) int { return a.words - b.words })
			first := max(1, best.line-linesRead/2)
			last := min(len(best.file.lines), first+linesRead-1)
			shown := best.file.span(first, last)
			e.note("read", fmt.Sprintf("%s:%d-%d", best.file.file(), first, last), shown)
			e.Solved = evidence.Shows(best.file.Target, first, last, shown)
		}
		return ctx.Err()
	}}
}

type lineHit struct {
	file  *grepFile
	line  int
	words int
}

// rarest returns the two words that the fewest lines contain, among those that occur at all.
func (s *GrepCorpus) rarest(words []string, manual string) []string {
	count := map[string]int{}
	for i := range s.files {
		if f := &s.files[i]; manual == "" || f.ManualID == manual {
			for _, l := range f.lines {
				for _, w := range words {
					if strings.Contains(l, w) {
						count[w]++
					}
				}
			}
		}
	}
	held := slices.DeleteFunc(slices.Clone(words), func(w string) bool { return count[w] == 0 })
	slices.SortStableFunc(held, func(a, b string) int { return count[a] - count[b] })
	return held[:min(2, len(held))]
}

// lineHits returns the first lines that contain a word.
func (s *GrepCorpus) lineHits(words []string, manual string) []lineHit {
	var hits []lineHit
	for i := range s.files {
		f := &s.files[i]
		if manual != "" && f.ManualID != manual {
			continue
		}
		for n, l := range f.lines {
			h := lineHit{f, n + 1, 0}
			for _, w := range words {
				if strings.Contains(l, w) {
					h.words++
				}
			}
			if h.words > 0 {
				if hits = append(hits, h); len(hits) == listedHits {
					return hits
				}
			}
		}
	}
	return hits
}

func (f *grepFile) span(first, last int) string {
	return strings.Join(strings.SplitAfter(f.text, "\n")[first-1:last], "")
}

// Evidence is what an agent must see to answer a query: an answer that occurs in a relevant section or, if the answers
// of a section are unknown or in other words, any of its lines.
type Evidence struct{ sections []goldSection }

type goldSection struct {
	target  Target
	last    int      // line
	answers []string // folded, those that occur in the section
}

// Evidence returns the evidence for a query.
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
		held := text.Fold(f.span(max(1, min(t.StartLine, g.last)), g.last)) // a judgement of a whole file has no line
		for _, a := range q.Answers {
			if folded := text.Fold(a); strings.Contains(held, folded) {
				g.answers = append(g.answers, folded)
			}
		}
		e.sections = append(e.sections, g)
	}
	return e
}

// Shows reports whether the text of lines first to last of a file is evidence.
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
