package passage

import (
	"cmp"
	"iter"
	"math/bits"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/sagasu-search/sagasu/sdk/x/lazyregexp"
)

// unit is the smallest piece of a text that is shown: a sentence, a table row, a list item or a code block.
type unit struct {
	from, to int    // bytes of the text, without line ends between units
	line     int    // of its first byte, from 0
	length   int    // in readable characters, set by Cut; 0 if it shows no text
	aside    bool   // it says nothing by itself, set by Cut
	over     int    // index of the header of its table or the lead of its list; -1 for none
	words    uint64 // of the query, by number
}

// held yields the numbers of the query's words that are in a unit.
func (u unit) held() iter.Seq[int] {
	return func(yield func(int) bool) {
		for rest := u.words; rest != 0; rest &= rest - 1 {
			if !yield(bits.TrailingZeros64(rest)) {
				return
			}
		}
	}
}

// alone reports whether a unit has a word that only one unit holds.
func (u unit) alone(held []int) bool {
	for w := range u.held() {
		if held[w] == 1 {
			return true
		}
	}
	return false
}

// cut returns the units of a text in order.
func cut(source string) []unit {
	c := cutter{source: source, header: none, titles: none, lead: none, term: none, wrapAt: wrapWidth(source)}
	for c.at < len(source) {
		c.next()
	}
	c.endFence(len(source))
	return c.units
}

const none = -1

// cutter walks the lines of a text.
type cutter struct {
	source string
	at     int
	line   int
	units  []unit

	fence     string // the mark that ends the code block, "" outside one
	fenceAt   int
	fenceLine int
	header    int // of the current table, or none
	titles    int // the same of a table in HTML, which may have empty lines
	lead      int // of the current list, or none
	item      bool
	term      int // the unit that is a term whose explanation may follow, or none
	indent    int // of that term, in bytes

	wrapAt int // the width in columns at which lines are broken, 0 if they are not
}

// next reads one line.
func (c *cutter) next() {
	end, after := len(c.source), len(c.source)
	if i := strings.IndexByte(c.source[c.at:], '\n'); i >= 0 {
		end, after = c.at+i, c.at+i+1
	}
	raw := c.source[c.at:end]
	l := strings.TrimSpace(raw)
	line := c.line
	from := c.at + len(raw) - len(strings.TrimLeftFunc(raw, unicode.IsSpace))
	to := from + len(l)
	html := htmlRow(c.source[from:])
	block := cmp.Or(html, comment(c.source[from:]))
	switch {
	case c.fence != "":
		if strings.HasPrefix(l, c.fence) {
			c.endFence(end)
		}
	case fenced(l):
		c.fence, c.fenceAt, c.fenceLine = l[:3], c.at, c.line
		c.header, c.item = none, false
	case l == "":
		c.header = none
	case row(l):
		c.row(l, from, to)
	case block > 0:
		to = from + block
		after = min(to+len(firstLine(c.source[to:]))+1, len(c.source))
		line += strings.Count(c.source[from:to], "\n")
		if html > 0 {
			c.htmlRow(from, to)
		}
	default:
		c.header = none
		if strings.HasPrefix(l, "</table") {
			c.titles = none
		}
		for c.wraps(raw, firstLine(c.source[after:])) {
			end = after + len(firstLine(c.source[after:]))
			raw, after, line = c.source[after:end], min(end+1, len(c.source)), line+1
			to = end - len(raw) + len(strings.TrimRightFunc(raw, unicode.IsSpace))
		}
		c.prose(l, from, to, from-c.at)
	}
	c.at, c.line = after, line+1
}

// endFence ends a code block before the byte end.
func (c *cutter) endFence(end int) {
	if c.fence != "" {
		c.add(c.fenceAt, end, c.fenceLine, c.last())
		c.fence = ""
	}
}

// last returns the index of the last unit, which may introduce what follows.
func (c *cutter) last() int { return len(c.units) - 1 }

// row adds a row of a table. The line of dashes belongs to the header.
func (c *cutter) row(l string, from, to int) {
	k := c.last()
	if strings.HasPrefix(strings.TrimLeft(l, "| :"), "--") && k >= 0 && c.header == k {
		c.units[k].to = to
		return
	}
	c.add(from, to, c.line, c.header)
	if c.header == none {
		c.header = c.last()
	}
}

// longestRow is the maximum size in bytes of a row in HTML that is one unit. Longer ones are layout.
const longestRow = 2000

var (
	rowStart = lazyregexp.New(`(?i)^<tr(?:\s[^<>]*)?>`)
	cellEnd  = lazyregexp.New(`(?i)</t[dh]\s*>`)
	tag      = lazyregexp.New(`<[a-zA-Z/][^<>]*>`)
)

// htmlRow returns the length of the table row in HTML at the start of a text, or 0 if there is none, or one that holds
// blocks of code.
func htmlRow(s string) int {
	if len(s) < len("<tr>") || !strings.EqualFold(s[:len("<tr")], "<tr") {
		return 0
	}
	s = s[:min(len(s), longestRow)]
	start := len(rowStart().FindString(s))
	for at := start; start > 0; at++ {
		next := strings.Index(s[at:], "</")
		if next < 0 {
			break
		}
		at += next
		end := at + len("</tr>")
		if end > len(s) || !strings.EqualFold(s[at:end], "</tr>") || strings.Trim(firstLine(s[end:]), " \t\r") != "" {
			continue
		}
		if inner := s[start:at]; strings.Contains(inner, "``") {
			break
		} else if !strings.HasSuffix(inner, "`") {
			return end
		}
	}
	return 0
}

// longestComment is the maximum size in bytes of a comment that is left out.
const longestComment = 8 << 10

// comment returns the length of the comment in HTML at the start of a text, or 0 if there is none, or one that more text
// follows on its last line. Readers of the page do not see it.
func comment(s string) int {
	if !strings.HasPrefix(s, "<!--") {
		return 0
	}
	end := strings.Index(s[:min(len(s), longestComment)], "-->")
	if end < 0 || strings.TrimSpace(firstLine(s[end+len("-->"):])) != "" {
		return 0
	}
	return end + len("-->")
}

// htmlRow adds a row of a table in HTML.
func (c *cutter) htmlRow(from, to int) {
	c.add(from, to, c.line, c.titles)
	if s := strings.ToLower(c.source[from:to]); strings.Contains(s, "<th") && !strings.Contains(s, "<td") {
		c.titles = c.last()
	}
}

// Minimum columns of a line that counts for the width of a text, and maximum columns of such a width.
const (
	leastColumns = 50
	mostColumns  = 160
)

// wrapWidth returns the width in columns at which a text is hard-wrapped, or 0 if it is not: the width at which, on
// most lines, the first word of the next line did not fit.
func wrapWidth(source string) (width int) {
	var votes [mostColumns + 1]int
	lines, before, code := 0, "", false
	for l := range strings.Lines(source) {
		if fenced(l) {
			code = !code
		}
		if n := columns(before); n >= leastColumns && n <= mostColumns && !code && follows(before, l) {
			lines++
			for w := n; w <= min(mostColumns, n+columns(firstWord(unquoted(l)))); w++ {
				votes[w]++
			}
		}
		before = l
	}
	for w, n := range votes {
		if n > 1 && 2*n >= lines && n >= votes[width] {
			width = w
		}
	}
	return width
}

// follows reports whether a line may continue the sentence of the line before it: both are prose of one paragraph.
func follows(line, next string) bool {
	inner := unquoted(next)
	return inner != "" && !IsItem(inner) && !data(inner) && !row(next) && !row(line) && !fenced(next) &&
		quoted(line) == quoted(next) && !bare(inner) && !bare(unquoted(line))
}

// data reports whether a line begins like JSON: with a brace, the end of a list or a key.
func data(line string) bool {
	_, rest, ok := strings.Cut(line[1:], `"`)
	return strings.ContainsRune("{}]", rune(line[0])) ||
		line[0] == '"' && ok && strings.HasPrefix(strings.TrimLeft(rest, " "), ":")
}

// wraps reports whether a line continues on the next: it ends with a comma, or the first word of the next did not fit,
// or that word is in lower case and the line has several words.
func (c *cutter) wraps(line, next string) bool {
	if !follows(line, next) {
		return false
	}
	text, word := unquoted(line), firstWord(unquoted(next))
	if strings.HasSuffix(text, ":") || strings.HasSuffix(word, ":") { // a lead or a key
		return false
	}
	comma := strings.HasSuffix(text, ",") || strings.HasSuffix(text, "、")
	first, _ := utf8.DecodeRuneInString(word)
	return comma || unicode.IsLower(first) && strings.Contains(text, " ") ||
		c.wrapAt > 0 && columns(line)+1+columns(word) > c.wrapAt
}

// firstWord returns the start of a line up to a space or a wide character, at least one character.
func firstWord(line string) string {
	if i := strings.IndexFunc(line, func(r rune) bool { return r == ' ' || wide(r) }); i >= 0 {
		_, size := utf8.DecodeRuneInString(line[i:])
		return line[:max(i, size)]
	}
	return line
}

func row(line string) bool { return strings.HasPrefix(strings.TrimSpace(line), "|") }

// fenced reports whether a line begins or ends a code block.
func fenced(line string) bool {
	line = strings.TrimSpace(line)
	return strings.HasPrefix(line, "```") || strings.HasPrefix(line, "~~~")
}

func quoted(line string) bool { return strings.HasPrefix(strings.TrimSpace(line), ">") }

// unquoted returns a line without the space and the > marks before it.
func unquoted(line string) string {
	return strings.TrimSpace(strings.TrimLeft(strings.TrimSpace(line), "> "))
}

func firstLine(s string) string {
	line, _, _ := strings.Cut(s, "\n")
	return line
}

// columns returns the width of a line on a terminal.
func columns(line string) (n int) {
	for _, r := range strings.TrimRight(line, " \t\r\n") {
		if n++; wide(r) {
			n++
		}
	}
	return n
}

// wide reports whether a character takes two columns.
func wide(r rune) bool { return r >= 0x1100 }

// longestTerm is the maximum length in characters of an item that may be a term, explained by the paragraph in it.
const longestTerm = 60

// prose adds the sentences of a line, or of lines that were broken, which may be a list item. A term and the first
// sentence of its explanation are one unit.
func (c *cutter) prose(l string, from, to, indent int) {
	over, item := none, IsItem(l)
	explains := !item && c.term != none && c.term == c.last() && indent > c.indent
	if c.term = none; item && sentenceEnd(l, lastWord(l)) == len(l) && utf8.RuneCountInString(l) <= longestTerm {
		c.term, c.indent = len(c.units), indent
	}
	if item {
		if !c.item {
			c.lead = c.last()
		}
		over, c.item = c.lead, true
	} else if c.item && from > 0 && c.source[from-1] == '\n' {
		c.item, c.lead = false, none
	} else {
		over = c.lead
	}
	word := from + lastWord(c.source[from:to])
	for line := c.line; from < to; {
		end := from + sentenceEnd(c.source[from:to], word-from)
		if u := c.last(); explains {
			c.units[u].to, explains = end, false
		} else {
			c.add(from, end, line, over)
		}
		next := end + len(c.source[end:to]) - len(strings.TrimLeft(c.source[end:to], " \t\r\n　"))
		line += strings.Count(c.source[from:next], "\n")
		from = next
	}
}

func (c *cutter) add(from, to, line, over int) {
	c.units = append(c.units, unit{from: from, to: to, line: line, over: over})
}

// markup matches what shows no text: tags and comments of HTML, images without a text, white space.
var markup = lazyregexp.New(`^(?:<[a-zA-Z/][^<>]*>|<!--(?:[^\n-]|-[^\n-]|--+[^\n>-])*--+>|!\[\]\([^()\s]*\)|\s)*$`)

// bare reports whether a text is nothing but markup.
func bare(s string) bool {
	return (strings.HasPrefix(s, "<") || strings.HasPrefix(s, "!")) && markup().MatchString(s)
}

var (
	images  = lazyregexp.New(`^(?:\s*!\[[^\[\]]*\]\([^()]*\))+$`)
	imports = lazyregexp.New(`^(?:\s*import\s[^"']*["'][^"'\n]+["'];?)+$`) // of MDX
)

// aside reports whether a text says nothing by itself: markup, images with their descriptions, or imports.
func aside(s string) bool {
	return bare(s) || strings.HasPrefix(s, "!") && images().MatchString(s) ||
		strings.HasPrefix(s, "import") && imports().MatchString(s)
}

// readable counts the characters that a reader reads: white space counts as one, the address of a link does not count,
// and neither does a text that is nothing but markup.
func readable(s string) (n int) {
	switch {
	case bare(s):
		return 0
	case htmlRow(s) > 0:
		s = tag().ReplaceAllLiteralString(s, "")
	}
	for len(s) > 0 {
		r, size := utf8.DecodeRuneInString(s)
		switch rest := s[size:]; {
		case unicode.IsSpace(r):
			s = strings.TrimLeftFunc(rest, unicode.IsSpace)
		case r == ']' && strings.HasPrefix(rest, "("):
			s = rest[addressEnd(rest):]
		default:
			s = rest
		}
		n++
	}
	return n
}

// mostNested is the maximum depth of parentheses in an address, as in CommonMark.
const mostNested = 32

// addressEnd returns the end of the parenthesised address at the start of a text, or 0 if there is none.
func addressEnd(s string) int {
	depth := 0
	for i, r := range s {
		switch {
		case r == '(':
			if depth++; depth > mostNested {
				return 0
			}
		case r == ')':
			if depth--; depth == 0 {
				return i + 1
			}
		case unicode.IsSpace(r):
			return 0
		}
	}
	return 0
}

const digits = "0123456789０１２３４５６７８９"

// IsItem reports whether a line, without the space before it, begins like a list item.
func IsItem(l string) bool {
	r, size := utf8.DecodeRuneInString(l)
	switch {
	case strings.ContainsRune("-*+", r):
		return strings.HasPrefix(l[size:], " ")
	case strings.ContainsRune("・●○■□◆※①②③④⑤⑥⑦⑧⑨⑩", r):
		return true
	}
	if inner := strings.TrimLeft(l, "(（"); inner != l { // (1), （２）
		rest := strings.TrimLeft(inner, digits)
		return rest != inner && (strings.HasPrefix(rest, ")") || strings.HasPrefix(rest, "）"))
	}
	rest := strings.TrimLeft(l, digits)
	for _, stop := range [...]string{". ", ") ", "．", "）", "、"} {
		if rest != l && strings.HasPrefix(rest, stop) {
			return true
		}
	}
	return false
}
