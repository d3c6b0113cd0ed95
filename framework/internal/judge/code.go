package judge

import (
	"strings"
	"unicode/utf8"

	"github.com/sagasu-search/sagasu/sdk/text"
	"github.com/sagasu-search/sagasu/sdk/x/lazyregexp"
	"github.com/sagasu-search/sagasu/sdk/x/refer"
)

// codeStart is how a line begins that a program or a machine reads: it calls, assigns,
// opens a block, or is a member of a stream or of an object. A setting with a plain
// number (retries = 3) may as well be told to a reader.
var codeStart = lazyregexp.New(`^(?:[\w-]+: ?[{\[]|[{<}]|[\w.]+ ?= ?(?:[\w.]+[\[({]|[fr]?["'\[{(])|\$ \w|(?:import|from|const|let|var|def|return|func) [\w.{]+.*[=({;]` +
	`|"[\w.$@-]+" ?: ?(?:["{\[]|-?\d|true|false|null)|\w+=[^\s=].*,$|[\w.]+\([^()]*\)[;,:]?$|=[A-Z]+\()`)

// imports names what another file has.
var imports = lazyregexp.New(`^(?:import [\w.]+(?: as \w+)?(?:$| (?:import|from) )|from [\w.]+ import \w)`)

// codeMarks are the bytes of which every codeStart holds one: most lines hold none.
const codeMarks = "{[<}(=;$:"

// code reports whether a line is code, or opens what goes on in the next.
func code(line string) bool { return opens(line) || dense(line) }

// opens reports whether a line begins or ends as code does.
func opens(line string) bool {
	if line == "" {
		return false
	}
	if strings.IndexByte("({[;\\", line[len(line)-1]) >= 0 {
		return true
	}
	if line[0] >= utf8.RuneSelf {
		return false
	}
	return strings.ContainsAny(line, codeMarks) && codeStart().MatchString(line) || startsWith(line, []string{"import ", "from "}) && imports().MatchString(line)
}

// Code has at least so many marks of syntax, and one in so many bytes is one.
const (
	leastSyntax = 4
	syntaxEvery = 9
)

// assigns is a call whose value is kept, wherever it stands.
var assigns = lazyregexp.New(`\w ?= ?\w+(?: ?\.\w+)+ ?\(`)

// spans are the parts of a sentence that quote code, and the targets of its links.
var spans = lazyregexp.New("`[^`]*`|\\]\\([^)]*\\)")

// dense reports whether a line assigns or opens something and has the marks of
// syntax so close together as no prose has: code that ran on from other lines.
func dense(line string) bool {
	if !strings.ContainsAny(line, "={}") {
		return false
	}
	if strings.ContainsAny(line, "`]") {
		line = spans().ReplaceAllString(line, "")
	}
	if strings.Contains(line, "=") && strings.Contains(line, "(") && assigns().MatchString(line) {
		return true
	}
	marks, letters := 0, 0
	for i := range len(line) {
		switch {
		case strings.IndexByte(`{}[]()=<>;"'$\_`, line[i]) >= 0:
			marks++
		case line[i] != ' ':
			letters++
		}
	}
	return marks >= leastSyntax && marks*syntaxEvery >= letters && strings.ContainsAny(line, "={}")
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
	if text.HasCJK(s.norm) || closed(s.source) {
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
