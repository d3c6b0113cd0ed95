package judge

import (
	"strings"
	"unicode/utf8"

	"github.com/sagasu-search/sagasu/framework/pattern"
	"github.com/sagasu-search/sagasu/sdk/refer"
)

// codeStart is how a line begins that a program or a machine reads: it calls, assigns,
// opens a block or is a member of a stream.
var codeStart = pattern.Lazy(`^(?:[\w-]+: ?[{\[]|[{<}]|[\w.]+ ?= ?[\w.]+[\[({]|\$ \w|(?:import|from|const|let|var|def|return|func) [\w.{]+.*[=({;])`)

// codeMarks are the bytes of which every codeStart holds one: most lines hold none.
const codeMarks = "{[<}(=;$"

// code reports whether a line is code, or opens what goes on in the next.
func code(line string) bool {
	if line == "" {
		return false
	}
	if strings.IndexByte("({[;", line[len(line)-1]) >= 0 {
		return true
	}
	return line[0] < utf8.RuneSelf && strings.ContainsAny(line, codeMarks) && codeStart().MatchString(line)
}

// Least words of a line of titles, and the share of them that begins with a capital.
const (
	leastTitles = 12
	titleShare  = 0.6
)

// speechless reports whether a sentence is code, or a run of links or titles: it
// says nothing that could be true.
func (s *sentence) speechless() bool {
	if s.kind == row {
		return false
	}
	if code(s.source) {
		return true
	}
	if strings.Count(s.source, "](") > 2 {
		return len(strings.Fields(refer.WithoutLinks(s.source))) <= strings.Count(s.source, "](")
	}
	if japanese(s.norm) || closed(s.source) {
		return false
	}
	words, capitals := strings.Fields(s.source), 0
	for _, w := range words {
		if w[0] >= 'A' && w[0] <= 'Z' {
			capitals++
		}
	}
	return len(words) >= leastTitles && float64(capitals) >= titleShare*float64(len(words))
}
