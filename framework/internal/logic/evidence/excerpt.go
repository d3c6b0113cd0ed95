package evidence

import (
	"regexp"
	"strings"
	"unicode/utf8"

	"github.com/sagasu-search/sagasu/sdk/text"
)

// decides is what a line that decides something holds: a branch, a comparison, a
// failure, a number, or a word that binds.
var decides = regexp.MustCompile(`\b(?:if|else|elif|switch|case|match|when|unless|guard|throw|raise|return|panic|require|assert|CHECK|WHERE|THEN)\b|[<>]=?|[=!]=|\d` +
	`|\b(?:SHALL|MUST|SHOULD|MAY|REQUIRED|must|shall)\b|なければならない|てはならない|必要がある|べき|禁止|こと。?$`)

const (
	decidesWorth  = .2  // of a line that decides something
	declaresWorth = .15 // of the line that declares a unit
	emptyCost     = .02 // of any line, so that none is taken for nothing
	longestUnit   = 2000
)

// passage is a run of lines of a unit.
type passage struct {
	lines []string
	first int // line number of the first, from 1
	decl  int // line number of the declaration
}

// excerpt picks the lines that decide most for a question and fit into an excerpt, and
// gives the number of their first.
func (q *question) excerpt(passages []passage) (excerpt string, line int) {
	best := -1.0
	for _, p := range passages {
		worths := make([]float64, len(p.lines))
		for i, l := range p.lines {
			worths[i] = q.worth(l, p.first+i == p.decl)
		}
		for from := range p.lines {
			sum, size := 0.0, 0
			for to := from; to < len(p.lines); to++ {
				size += utf8.RuneCountInString(p.lines[to]) + 1
				if size > MaxExcerpt+1 && to > from {
					break
				}
				sum += worths[to]
				if blank(p.lines[from]) || blank(p.lines[to]) || sum <= best {
					continue
				}
				best, line, excerpt = sum, p.first+from, strings.Join(p.lines[from:to+1], "\n")
			}
		}
	}
	return short(excerpt), line
}

// worth is how much a line says of a question.
func (q *question) worth(line string, declares bool) float64 {
	if blank(line) {
		return -emptyCost
	}
	worth := q.told(text.Fold(line)) - emptyCost
	if decides.MatchString(line) {
		worth += decidesWorth
	}
	if declares {
		worth += declaresWorth
	}
	return worth
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
