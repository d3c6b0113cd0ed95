package markdown

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/sagasu-search/sagasu/sdk/x/lazyregexp"
)

// String returns the text as a paragraph of Markdown.
func (in *Inline) String() string { return in.markdown(false) }

// cell returns the text as Markdown for a table.
func (in *Inline) cell() string {
	return strings.ReplaceAll(strings.ReplaceAll(in.markdown(true), "\n", " "), "|", `\|`)
}

// markdown returns the text as Markdown. within reports that it is inside a line, so that its start cannot be markup of
// a whole line.
func (in *Inline) markdown(within bool) string {
	var t written
	last := len(in.pieces)
	for last > 0 && in.pieces[last-1].kind == lineBreak {
		last--
	}
	for _, p := range in.pieces[:last] {
		switch p.kind {
		case words:
			t.write(p.text, true)
		case code:
			t.write(span(p.text), false)
		case lineBreak:
			t.write(p.text, false)
		case linkStart:
			t.write("[", false)
			t.link = len(t.text)
		case linkEnd:
			t.escapeLinkText()
			t.write("]("+destination(p.text)+")", false)
		}
	}
	return t.escaped(within)
}

// span returns a code span, delimited by runs of backticks that are not in it.
func span(s string) string {
	longest, run := 0, 0
	for i := range len(s) {
		if run++; s[i] != '`' {
			run = 0
		}
		longest = max(longest, run)
	}
	fence := strings.Repeat("`", longest+1)
	if s[0] == '`' || s[len(s)-1] == '`' {
		s = " " + s + " "
	}
	return fence + s + fence
}

// destination returns the target of a link in a form that ends in the right place.
func destination(target string) string {
	if !strings.ContainsAny(target, " ()<>\\") {
		return target
	}
	return "<" + strings.NewReplacer("<", "%3C", ">", "%3E", "\\", "%5C", "\n", "", "\r", "").Replace(target) + ">"
}

// written is text in which markup and words that look like it must be distinguished.
type written struct {
	text    []byte
	literal []bool // by byte: a word, not markup
	escape  []bool // by byte: needs a backslash before it
	link    int    // start of the text of the last link
}

func (t *written) write(s string, literal bool) {
	t.text = append(t.text, s...)
	for range len(s) {
		t.literal = append(t.literal, literal)
		t.escape = append(t.escape, false)
	}
}

// escapeLinkText escapes brackets in the text of a link, unless they are paired.
func (t *written) escapeLinkText() {
	depth, paired := 0, true
	for i := t.link; i < len(t.text); i++ {
		switch {
		case !t.literal[i]:
		case t.text[i] == '[':
			depth++
		case t.text[i] == ']':
			depth--
			paired = paired && depth >= 0 && (i+1 == len(t.text) || t.text[i+1] != '(')
		}
	}
	for i := t.link; i < len(t.text) && (!paired || depth != 0); i++ {
		t.escape[i] = t.escape[i] || t.literal[i] && (t.text[i] == '[' || t.text[i] == ']')
	}
}

// escaped returns the text with the necessary backslashes.
func (t *written) escaped(within bool) string {
	s := string(t.text)
	if strings.ContainsAny(s, "\\`*_[]<&!") {
		t.escapeRuns(s)
		t.escapeBytes(s)
	}
	for at := 0; !within && at < len(s); {
		end := strings.IndexByte(s[at:], '\n')
		if end < 0 {
			end = len(s) - at
		}
		if i := at + lineStart(s[at:at+end]); i >= at && t.literal[i] {
			t.escape[i] = true
			for c := s[i]; (c == '*' || c == '_' || c == '`') && i < len(s) && s[i] == c && t.literal[i]; i++ {
				t.escape[i] = true // half a run would be another run
			}
		}
		at += end + 1
	}
	var b strings.Builder
	from := 0
	for i, escape := range t.escape {
		if escape {
			b.WriteString(s[from:i])
			b.WriteByte('\\')
			from = i
		}
	}
	b.WriteString(s[from:])
	return b.String()
}

var (
	// marker matches the start of a list item.
	marker = lazyregexp.New(`^(?:(?:[-+*]|[0-9]{1,9}[.)])(?: +|$))+`)
	// block matches the start of a heading, a quote, a rule, a fence, a table or the underline of a heading.
	block = lazyregexp.New("^(?:#{1,6}(?: |$)|>|```|~~~|[-=_*|: ]+$)")
)

// lineStart returns the offset in a line of a character that starts markup of the whole line, or -1.
func lineStart(line string) int {
	if block().MatchString(line) {
		return 0
	}
	at := len(marker().FindString(line))
	if at < len(line) && block().MatchString(line[at:]) {
		return at
	}
	return -1
}

var entity = lazyregexp.New(`^&(?:#[0-9]{1,7}|#[xX][0-9a-fA-F]{1,6}|[a-zA-Z][a-zA-Z0-9]*);`)

// escapeBytes marks the bytes that would start markup by themselves.
func (t *written) escapeBytes(s string) {
	lastAngle, lastDefinition, opened := strings.LastIndexByte(s, '>'), strings.LastIndex(s, "]:"), false
	for i := range len(s) {
		next, first := byte(0), i == 0 || s[i-1] == '\n'
		if i+1 < len(s) {
			next = s[i+1]
		}
		if s[i] == '[' {
			opened = true
		}
		if !t.literal[i] {
			continue
		}
		escape := false
		switch s[i] {
		case '\\':
			escape = next == '\n' || isPunctuation(next)
		case '[':
			escape = first && lastDefinition > i
		case ']':
			escape = opened && next == '('
		case '!':
			escape = next == '[' && !t.literal[i+1]
		case '<':
			escape = (lastAngle > i || first) && (isLetter(next) || next == '/' || next == '!' || next == '?')
		case '&':
			escape = entity().MatchString(s[i:min(len(s), i+40)])
		}
		t.escape[i] = t.escape[i] || escape
	}
}

// run is a run of the same character that may be a delimiter.
type run struct {
	start, end  int
	open, close bool
}

// runs calls visit with the runs of backticks, asterisks and underscores.
func (t *written) runs(s string, visit func(r run)) {
	for i := 0; i < len(s); {
		c := s[i]
		if c != '`' && c != '*' && c != '_' {
			i++
			continue
		}
		r := run{start: i, end: i + 1}
		for r.end < len(s) && s[r.end] == c && t.literal[r.end] == t.literal[i] {
			r.end++
		}
		if c != '`' && t.literal[i] {
			r.flank(s)
		}
		i = r.end
		visit(r)
	}
}

// escapeRuns marks runs that would become markup together with others.
func (t *written) escapeRuns(s string) {
	ticks := 0
	firstOpen, lastClose := map[byte]int{}, map[byte]int{}
	t.runs(s, func(r run) {
		c := s[r.start]
		if c == '`' {
			ticks++
		}
		if _, found := firstOpen[c]; r.open && !found {
			firstOpen[c] = r.start
		}
		if r.close {
			lastClose[c] = r.start
		}
	})
	t.runs(s, func(r run) {
		c := s[r.start]
		first, opened := firstOpen[c]
		needed := r.open && r.start < lastClose[c] || r.close && opened && first < r.start || c == '`' && ticks > 1
		for i := r.start; i < r.end && needed && t.literal[i]; i++ {
			t.escape[i] = true
		}
	})
}

// flank determines whether a run of asterisks or underscores can start or end emphasis, by the rules of CommonMark.
func (r *run) flank(s string) {
	before, _ := utf8.DecodeLastRuneInString(s[:r.start])
	after, _ := utf8.DecodeRuneInString(s[r.end:])
	if r.start == 0 {
		before = ' '
	}
	if r.end == len(s) {
		after = ' '
	}
	// Some parsers count symbols as punctuation.
	marked := func(r rune) bool { return unicode.IsPunct(r) || unicode.IsSymbol(r) }
	left := !unicode.IsSpace(after) && (!unicode.IsPunct(after) || unicode.IsSpace(before) || marked(before))
	right := !unicode.IsSpace(before) && (!unicode.IsPunct(before) || unicode.IsSpace(after) || marked(after))
	r.open, r.close = left, right
	if s[r.start] == '_' {
		r.open = left && (!right || marked(before))
		r.close = right && (!left || marked(after))
	}
}

func isPunctuation(c byte) bool {
	return c >= '!' && c <= '/' || c >= ':' && c <= '@' || c >= '[' && c <= '`' || c >= '{' && c <= '~'
}

func isLetter(c byte) bool { return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' }
