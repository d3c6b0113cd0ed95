package evidence

import (
	"strings"
	"unicode/utf8"

	"github.com/sagasu-search/sagasu/sdk/text"
	"github.com/sagasu-search/sagasu/sdk/x/lazyregexp"
)

// decides matches a line that decides something: a branch, a comparison, a failure, a number, or a word that binds.
var decides = lazyregexp.New(`\b(?:if|else|elif|switch|case|match|when|unless|guard|throw|raise|return|panic|require|assert|CHECK|WHERE|THEN)\b|[<>]=?|[=!]=|\d` +
	`|\b(?:SHALL|MUST|SHOULD|MAY|REQUIRED|must|shall)\b|なければならない|てはならない|必要がある|べき|禁止|こと。?$`)

const (
	decidesBonus  = .2  // of a line that decides something
	declaresBonus = .15 // of the line that declares a unit
	lineCost      = .02 // of any line, to avoid lines that add nothing
	longestUnit   = 2000
)

// passage is a run of lines of a unit.
type passage struct {
	lines []string
	first int // line number of the first, from 1
	decl  int // line number of the declaration
}

// excerpt picks the lines that decide most for a question and fit into an excerpt, and returns the number of the first.
func (q *question) excerpt(passages []passage) (excerpt string, line int) {
	best := -1.0
	for _, p := range passages {
		scores := make([]float64, len(p.lines))
		for i, l := range p.lines {
			scores[i] = q.lineScore(l, p.first+i == p.decl)
		}
		for from := range p.lines {
			sum, size := 0.0, 0
			for to := from; to < len(p.lines); to++ {
				size += utf8.RuneCountInString(p.lines[to]) + 1
				if size > MaxExcerpt+1 && to > from {
					break
				}
				sum += scores[to]
				if blank(p.lines[from]) || blank(p.lines[to]) || sum <= best {
					continue
				}
				best, line, excerpt = sum, p.first+from, strings.Join(p.lines[from:to+1], "\n")
			}
		}
	}
	return short(excerpt), line
}

// lineScore returns how much a line says about a question.
func (q *question) lineScore(line string, declares bool) float64 {
	if blank(line) {
		return -lineCost
	}
	score := q.share(text.Fold(line)) - lineCost
	if decides().MatchString(line) {
		score += decidesBonus
	}
	if declares {
		score += declaresBonus
	}
	return score
}

func blank(line string) bool { return strings.TrimSpace(line) == "" }

// short cuts a single line that is too long.
func short(excerpt string) string {
	excerpt = strings.TrimSpace(excerpt)
	if utf8.RuneCountInString(excerpt) <= MaxExcerpt {
		return excerpt
	}
	return text.CutRunes(excerpt, MaxExcerpt-1) + "…"
}
