package judge

import (
	"strconv"
	"strings"

	"github.com/sagasu-search/sagasu/framework/internal/passage"
	"github.com/sagasu-search/sagasu/sdk/text"
)

// json reports whether an evidence is a JSON file, or a part of one.
func (e *Evidence) json() bool { return strings.HasSuffix(strings.ToLower(e.Path), ".json") }

// memberReader turns JSON, be it cut off at either end, into sentences: one for
// each member with a plain value ("retries: 5"), and those of a value that is prose.
type memberReader struct {
	out     []sentence
	fold    *text.Folder
	line    int
	keys    []string // of the objects around, outermost first; "" for one in a list
	names   []string // the first value in each of them, which mostly names it
	key     string   // waits for its value
	keyLine int
}

// members appends the sentences of a JSON evidence.
func members(out []sentence, fold *text.Folder, e *Evidence) []sentence {
	m := memberReader{out: out, fold: fold, line: e.firstLine()}
	for rest := e.Text; rest != ""; {
		switch c := rest[0]; c {
		case '\n':
			m.line++
			rest = rest[1:]
		case '{', '[':
			m.open()
			rest = rest[1:]
		case '}', ']':
			m.shut()
			rest = rest[1:]
		case '"':
			literal, after := quotation(rest)
			value := unquote(literal)
			if strings.HasPrefix(strings.TrimLeft(after, " \t\r\n"), ":") {
				m.key, m.keyLine = value, m.line
			} else {
				m.value(value)
			}
			rest = after
		case ' ', '\t', '\r', ',', ':':
			rest = rest[1:]
		default:
			end := strings.IndexAny(rest, " \t\r\n,]}")
			if end < 0 {
				end = len(rest)
			}
			m.value(rest[:max(1, end)])
			rest = rest[max(1, end):]
		}
	}
	return m.out
}

// quotation cuts off the JSON string that s begins with; one that is cut off or
// runs over its line ends there.
func quotation(s string) (literal, rest string) {
	for i := 1; i < len(s); i++ {
		switch s[i] {
		case '\\':
			i++
		case '"':
			return s[:i+1], s[i+1:]
		case '\n':
			return s[:i], s[i:]
		}
	}
	return s, ""
}

func unquote(literal string) string {
	if s, err := strconv.Unquote(strings.ReplaceAll(literal, `\/`, "/")); err == nil {
		return strings.TrimSpace(s)
	}
	return strings.Trim(literal, `"`)
}

func (m *memberReader) open() {
	m.keys, m.names = append(m.keys, m.key), append(m.names, "")
	m.key = ""
}

func (m *memberReader) shut() {
	m.keys, m.names = m.keys[:max(0, len(m.keys)-1)], m.names[:max(0, len(m.names)-1)]
	m.key = ""
}

// longestName bounds the bytes of a value that names its object.
const longestName = 60

// value adds what a member or an item of a list says. The keys around it and
// the name of its object are not part of the sentence but of what it is about.
func (m *memberReader) value(v string) {
	line := m.line
	if m.key != "" {
		line = m.keyLine
	}
	first := len(m.out)
	if passage.SentenceEnd(v) < len(v) || closed(v) {
		m.out = cutLine(m.out, line, v, false)
	} else {
		m.out = append(m.out, sentence{line: line, source: m.label() + v})
	}
	for i := first; i < len(m.out); i++ {
		m.out[i].speak(m.fold)
	}
	if around := strings.TrimSpace(strings.Join(inner(m.keys), " ") + " " + strings.Join(inner(m.names), " ")); around != "" {
		for i := first; i < len(m.out); i++ {
			m.out[i].norm += " " + m.fold.Fold(around)
		}
	}
	if n := len(m.names); n > 0 && m.key != "" && m.names[n-1] == "" && len(v) <= longestName {
		m.names[n-1] = v
	}
	m.key = ""
}

// mostAround is how many of the objects around a value say what it is about.
const mostAround = 4

func inner(all []string) []string { return all[max(0, len(all)-mostAround):] }

// label names a value: its key, or the one over the list that it stands in.
func (m *memberReader) label() string {
	switch n := len(m.keys); {
	case m.key != "":
		return m.key + ": "
	case n > 0 && m.keys[n-1] != "":
		return m.keys[n-1] + ": "
	}
	return ""
}
