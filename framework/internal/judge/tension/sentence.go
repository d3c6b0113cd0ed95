package tension

import (
	"strings"
	"unicode/utf8"

	"github.com/sagasu-search/sagasu/framework/internal/passage"
)

// Limits on what is read.
const (
	mostBytes     = 4 << 10  // of one section's text
	mostInAll     = 16 << 10 // of all texts: those of the best sections are read first
	mostSentences = 160      // of one section
	longest       = 480      // maximum bytes of a compared sentence: a longer one says too many things
)

// sentence is one sentence, list item or table row of an evidence.
type sentence struct {
	evidence int
	line     int
	source   string
	lead     int // the sentence before it, or over its list, by index; -1 for none
}

// split appends the sentences of the text of evidence n, which starts on a line. It leaves out code, headings,
// comments and items that only refer to other places.
func split(out []sentence, n int, text string, line int) []sentence {
	first, lead := len(out), -1
	for _, u := range passage.Units(text) {
		s := u.Sentence()
		if len(out)-first == mostSentences {
			break
		}
		if u.Code() || s == "" || s[0] == '#' || strings.HasPrefix(s, "<!--") {
			continue
		}
		s, item := unmarked(s)
		if s == "" || item && strings.Contains(s, "](") {
			continue
		}
		out = append(out, sentence{evidence: n, line: line + u.Line, source: s, lead: lead})
		if !item {
			lead = len(out) - 1
		}
	}
	return out
}

// start returns the start of a text up to a limit, in whole lines, or in whole characters if the
// first line is longer.
func start(s string, end int) string {
	if len(s) <= end {
		return s
	}
	if i := strings.LastIndexByte(s[:end], '\n'); i >= 0 {
		return s[:i]
	}
	for end > 0 && !utf8.RuneStart(s[end]) {
		end--
	}
	return s[:end]
}

// unmarked takes the mark of a list item off a line and reports whether it is an item or a table's row.
func unmarked(l string) (body string, item bool) {
	if l[0] == '|' {
		return l, true
	}
	body = strings.TrimLeft(l, "-*+・●○■※ 　")
	item = len(body) < len(l) && !strings.HasPrefix(l, "**")
	if digits := strings.TrimLeft(body, "0123456789"); digits != body {
		for _, stop := range [...]string{". ", ") ", "．", "）", "　"} {
			if after, ok := strings.CutPrefix(digits, stop); ok {
				return strings.TrimSpace(after), true
			}
		}
	}
	return body, item
}

// asks reports whether a text is a question, which states nothing.
func asks(s string) bool {
	s = strings.TrimRight(s, " *_")
	return strings.HasSuffix(s, "?") || strings.HasSuffix(s, "？") || strings.HasSuffix(strings.TrimSuffix(s, "。"), "か")
}
