package tension

import (
	"strings"
	"unicode/utf8"

	"github.com/sagasu-search/sagasu/framework/internal/passage"
	"github.com/sagasu-search/sagasu/sdk/text"
)

// Bounds of what is read.
const (
	mostBytes     = 4 << 10  // of one section's text
	mostInAll     = 16 << 10 // of all texts: those of the best sections are read first
	mostSentences = 160      // of one section
	longest       = 480      // bytes of a sentence that is compared: a longer one says too many things
)

// sentence is one sentence, list item or table row of an evidence.
type sentence struct {
	evidence int
	line     int
	source   string
	lead     int // the sentence before it, or over its list, by index; -1 for none
}

// split appends the sentences of the text of evidence n, which starts on a line. Code, headings and comments are left
// out; a block quote is text.
func split(out []sentence, n int, text string, line int) []sentence {
	first, fenced := len(out), false
	lead, running := -1, false
	for rest := text; rest != ""; line++ {
		if len(out)-first >= mostSentences {
			return out
		}
		var l string
		l, rest, _ = strings.Cut(rest, "\n")
		l = strings.TrimSpace(l)
		if strings.HasPrefix(l, "```") || strings.HasPrefix(l, "~~~") {
			fenced, running = !fenced, false
			continue
		}
		if fenced || l == "" || l[0] == '#' || strings.HasPrefix(l, "<!--") || strings.HasPrefix(strings.TrimLeft(l, "| :"), "--") {
			running = false
			continue
		}
		body, item := unmarked(l)
		if running && !item {
			last := &out[len(out)-1]
			if !closed(last.source) { // a sentence that goes on
				end := passage.SentenceEnd(body)
				last.source += joint(last.source, body) + body[:end]
				body = strings.TrimSpace(body[end:])
			}
		}
		if item && strings.Contains(body, "](") { // it points to where something is said
			body = ""
		}
		for before := lead; body != "" && len(out)-first < mostSentences; before = len(out) - 1 {
			end := passage.SentenceEnd(body)
			out = append(out, sentence{evidence: n, line: line, source: body[:end], lead: before})
			if body = strings.TrimSpace(body[end:]); !item {
				lead = len(out) - 1
			}
		}
		running = !strings.HasPrefix(l, "|") && len(out) > first
	}
	return out
}

// start is what is read of a text: whole lines, or of a single longer line whole characters.
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

// unmarked takes the mark of a list item or quotation off a line and reports whether it is an item or a table's row.
func unmarked(l string) (body string, item bool) {
	if l[0] == '|' {
		return l, true
	}
	body = strings.TrimLeft(l, "-*+>・●○■※ 　")
	item = len(body) < len(l) && !strings.HasPrefix(l, "**") && !strings.HasPrefix(l, ">")
	if digits := strings.TrimLeft(body, "0123456789"); digits != body {
		for _, stop := range [...]string{". ", ") ", "．", "）", "　"} {
			if after, ok := strings.CutPrefix(digits, stop); ok {
				return strings.TrimSpace(after), true
			}
		}
	}
	return body, item
}

// closed reports whether a sentence has come to its end.
func closed(s string) bool {
	r, _ := utf8.DecodeLastRuneInString(s)
	return strings.ContainsRune("。．！？.!?:：」)）*", r)
}

// joint stands between two lines of one sentence: nothing in Japanese.
func joint(before, after string) string {
	a, _ := utf8.DecodeLastRuneInString(before)
	b, _ := utf8.DecodeRuneInString(after)
	if text.IsCJK(a) || text.IsCJK(b) || a == '、' {
		return ""
	}
	return " "
}

// asks reports a question, which states nothing.
func asks(s string) bool {
	s = strings.TrimRight(s, " *_")
	return strings.HasSuffix(s, "?") || strings.HasSuffix(s, "？") || strings.HasSuffix(s, "か。") || strings.HasSuffix(s, "か")
}
