package layout

import (
	"math"
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/sagasu-search/sagasu/sdk"
)

const (
	leadSlip  = 1.3  // factor on the usual leading above which a paragraph begins
	indented  = 0.7  // indentation in type sizes that begins a paragraph
	filledOut = 0.85 // share of the column that a line fills if its paragraph continues in another column
	sizeSlip  = 0.13 // maximum difference of type sizes in a paragraph, as a share
	codeLead  = 1.8  // maximum leading of lines of code without an empty line in between, in type sizes
)

// Blocks turns the pages of a document into blocks. Text that continues on another page becomes one block per page.
func Blocks(sheets []Sheet, outline []Bookmark) []sdk.Block {
	sheets = withoutRunning(sheets)
	for i := range sheets {
		for k := range sheets[i].lines {
			sheets[i].lines[k].tidy()
		}
	}
	marks := headings(sheets, outline)
	body, _ := bodyStyle(sheets)
	w := &writer{words: words(sheets)}
	for i := range sheets {
		w.lead = leading(sheets[i].lines)
		notes := cutNotes(&sheets[i], &marks[i], body)
		w.sheet(&sheets[i], marks[i])
		w.endSheet(sheets[i].number, notes)
	}
	w.endParagraph()
	w.endNotes()
	return slices.DeleteFunc(w.blocks, func(b sdk.Block) bool { return b.Heading == "" && b.Text == "" })
}

// tidy merges the cell of a list's mark with the next cell.
func (l *line) tidy() {
	if len(l.cells) > 1 && l.grid == 0 && item(l.cells[0].text+" x") {
		l.cells[1] = cell{l.cells[0].text + " " + l.cells[1].text, l.cells[0].x0, l.cells[1].x1}
		l.cells = l.cells[1:]
	}
}

// words returns the words of a document, to recognise a hyphen that splits a word at the end of a line.
func words(sheets []Sheet) map[string]bool {
	out := map[string]bool{}
	for _, s := range sheets {
		for i := range s.lines {
			for _, w := range strings.Fields(s.lines[i].text()) {
				if strings.HasSuffix(w, "-") {
					continue
				}
				out[strings.ToLower(strings.TrimFunc(w, unicode.IsPunct))] = true
			}
		}
	}
	return out
}

type writer struct {
	words  map[string]bool
	blocks []sdk.Block

	text    string // of the paragraph that may continue
	last    *line  // of that paragraph
	lines   int    // of that paragraph
	lead    float64
	lists   []float64 // left edges of the items of open lists
	inItem  bool
	newPage int    // page that has begun since the last block, or 0
	notes   []note // waiting footnotes, see [writer.endSheet]
}

func (w *writer) sheet(s *Sheet, marks []mark) {
	w.newPage = s.number
	for i := 0; i < len(s.lines); {
		l := &s.lines[i]
		if marks[i].level > 0 {
			i = w.heading(s, marks, i)
			continue
		}
		if text, next := w.tableAt(s, marks, i); next > i {
			w.piece(text)
			i = next
			continue
		}
		if n := code(s.lines[i:], marks[i:]); n > 1 || n == 1 && !w.goesOn(l) {
			w.piece(fenced(s.lines[i : i+n]))
			i += n
			continue
		}
		w.line(l)
		i++
	}
}

// leading returns the usual leading of a page.
func leading(lines []line) float64 {
	var all []float64
	for i := 1; i < len(lines); i++ {
		if d := lines[i].box.Y1 - lines[i-1].box.Y1; lines[i].flow == lines[i-1].flow && d > 0 && d < 3*lines[i].size {
			all = append(all, d)
		}
	}
	if len(all) == 0 {
		return 0
	}
	slices.Sort(all)
	return all[len(all)/2]
}

func (w *writer) heading(s *Sheet, marks []mark, i int) int {
	w.endParagraph()
	w.endNotes()
	w.lists = nil
	text := s.lines[i].text()
	level := marks[i].level
	next := i + 1
	for next < len(s.lines) && marks[next].level == level && marks[next].joined {
		text = w.join(text, s.lines[next].text())
		next++
	}
	text = oneLine(text)
	w.blocks = append(w.blocks, sdk.Block{Level: level, Heading: text, Place: sdk.Place{Page: s.number}})
	w.newPage = 0
	return next
}

// maxHeading is the maximum length of a heading in bytes.
const maxHeading = 1000

// oneLine returns a text as a heading, without unprintable characters.
func oneLine(s string) string {
	s = strings.Join(strings.FieldsFunc(s, func(r rune) bool { return !unicode.IsPrint(r) || unicode.IsSpace(r) }), " ")
	for len(s) > maxHeading {
		_, n := utf8.DecodeLastRuneInString(s)
		s = s[:len(s)-n]
	}
	return s
}

// line adds a line to a paragraph or list.
func (w *writer) line(l *line) {
	text := strings.TrimSpace(l.text())
	if text == "" {
		return
	}
	if w.goesOn(l) {
		w.text = w.join(w.text, text)
		w.last, w.lines = l, w.lines+1
		return
	}
	mark, rest := cutMark(text)
	w.endParagraph()
	if mark == "" {
		w.endNotes()
	}
	if w.newPage > 0 {
		w.lists = nil
		w.begin()
	}
	w.inItem = mark != ""
	if w.inItem {
		for len(w.lists) > 0 && l.box.X0 < w.lists[len(w.lists)-1]-indented*l.size {
			w.lists = w.lists[:len(w.lists)-1]
		}
		if len(w.lists) == 0 || l.box.X0 > w.lists[len(w.lists)-1]+indented*l.size {
			w.lists = append(w.lists, l.box.X0)
		}
		text = strings.Repeat("    ", len(w.lists)-1) + mark + " " + rest
	} else if len(w.lists) > 0 && l.box.X0 < w.lists[0]+indented*l.size {
		w.lists = nil
	}
	w.text, w.last, w.lines = text, l, 1
}

// goesOn reports whether a line continues the paragraph.
func (w *writer) goesOn(l *line) bool {
	p := w.last
	if p == nil || abs(l.size-p.size) > sizeSlip*max(l.size, p.size) || l.bold != p.bold && (l.bold || w.lines == 1) {
		return false // a bold line is a title of what follows
	}
	text := strings.TrimSpace(l.text())
	ended := ends(w.text)
	width := p.column.width()
	full := p.box.X1 >= p.column.X0+filledOut*width
	if mark, _ := cutMark(text); mark != "" && (mark == "-" || ended || !full) {
		return false
	}
	if w.newPage > 0 || l.flow != p.flow {
		first, _ := utf8.DecodeRuneInString(text)
		return !ended && full && !unicode.IsUpper(first) && l.box.X0 <= l.column.X0+indented*l.size+20
	}
	most := leadSlip * max(w.lead, l.size)
	if l.ruby {
		most *= 2
	}
	if d := l.box.Y1 - p.box.Y1; d <= 0 || d > most {
		return false
	}
	switch in := (l.box.X0 - p.box.X0) / l.size; {
	case w.inItem && w.lines == 1:
		return in > -indented
	case in > indented:
		return false
	case in < -indented && w.lines > 1:
		return false
	}
	return !(ended && p.box.X1 < p.column.X0+0.8*width)
}

func ends(s string) bool {
	r, _ := utf8.DecodeLastRuneInString(strings.TrimRight(s, " )）」』\"'”’*"))
	return strings.ContainsRune(".。．!?！？:：;；", r)
}

func (w *writer) endParagraph() {
	text := w.text
	inItem := w.inItem
	w.text, w.last, w.lines, w.inItem = "", nil, 0, false
	if text != "" {
		w.add(escape(text), inItem)
	}
}

// piece adds a table or code.
func (w *writer) piece(text string) {
	w.endParagraph()
	w.lists = nil
	if w.newPage > 0 {
		w.begin()
	}
	w.add(text, false)
}

// begin begins the block of a page.
func (w *writer) begin() {
	w.blocks = append(w.blocks, sdk.Block{Place: sdk.Place{Page: w.newPage}})
	w.newPage = 0
}

func (w *writer) add(text string, inItem bool) {
	if len(w.blocks) == 0 {
		w.begin()
	}
	b := &w.blocks[len(w.blocks)-1]
	switch {
	case b.Text == "":
	case inItem && item(lastLine(b.Text)):
		b.Text += "\n"
	default:
		b.Text += "\n\n"
	}
	b.Text += text
}

func lastLine(s string) string { return strings.TrimLeft(s[strings.LastIndexByte(s, '\n')+1:], " ") }

// join joins two parts of a text that were split at the end of a line.
func (w *writer) join(a, b string) string {
	a, b = strings.TrimRight(a, " "), strings.TrimLeft(b, " ")
	if stem, ok := strings.CutSuffix(a, "\u00ad"); ok {
		return stem + b
	}
	if stem, ok := cutHyphen(a); ok {
		if first, _ := utf8.DecodeRuneInString(b); unicode.IsLower(first) {
			head := strings.TrimLeft(stem[strings.LastIndexByte(stem, ' ')+1:], "(\"'“‘[")
			if strings.ContainsFunc(head, func(r rune) bool { return !unicode.IsLetter(r) }) {
				return a + b // of a path, an option or a compound
			}
			tail, _, _ := strings.Cut(b, " ")
			whole := func(s string) bool { return w.words[strings.ToLower(strings.TrimFunc(s, unicode.IsPunct))] }
			if whole(head+"-"+tail) && !whole(head+tail) {
				return a + b
			}
			return stem + b
		}
		return a + b
	}
	if stem, ok := strings.CutSuffix(a, "/-"); ok { // a path that was split
		return stem + "/" + b
	}
	return join(a, b)
}

// join joins two texts, with a space unless the script is written without spaces.
func join(a, b string) string {
	if a == "" || b == "" {
		return a + b
	}
	last, _ := utf8.DecodeLastRuneInString(a)
	first, _ := utf8.DecodeRuneInString(b)
	if wide(last) && (wide(first) || unicode.IsPunct(last)) || wide(first) && unicode.IsPunct(first) || last == '/' {
		return a + b
	}
	return a + " " + b
}

// cutHyphen cuts off a hyphen, and reports whether a letter precedes it.
func cutHyphen(s string) (string, bool) {
	for _, h := range []string{"-", "‐"} {
		if stem, ok := strings.CutSuffix(s, h); ok {
			r, _ := utf8.DecodeLastRuneInString(stem)
			return stem, unicode.IsLetter(r) && !wide(r)
		}
	}
	return s, false
}

var (
	numbered = regexp.MustCompile(`^(?:[(（]?([0-9]{1,3}|[a-zA-Zアイウエオカキクケコ])[.)）．][ \x{3000}]|([①-⑳])\s*)(.*)$`)
	// hash matches text that Markdown would read as a heading, a quotation or a fence.
	hash      = regexp.MustCompile("^(#{1,6}(\\s|$)|```|~~~|>)")
	underline = regexp.MustCompile(`^\s*(=+|-+)\s*$`)
)

func bullet(r rune) bool {
	return strings.ContainsRune("•◦▪■□●○◆◇‣⁃➢➤✓✔∙►▶\uf0b7\uf0a7\uf0d8\uf076\uf0fc\uf0a8", r)
}

func item(s string) bool {
	mark, _ := cutMark(s)
	return mark != ""
}

// cutMark cuts the mark off a list item.
func cutMark(s string) (mark, rest string) {
	r, n := utf8.DecodeRuneInString(s)
	after := s[min(n, len(s)):]
	if bullet(r) || strings.ContainsRune("·・–—-*", r) && strings.HasPrefix(after, " ") {
		if rest = strings.TrimSpace(after); rest != "" {
			return "-", rest
		}
		return "", s
	}
	m := numbered.FindStringSubmatch(s)
	switch {
	case m == nil:
		return "", s
	case m[2] != "":
		return "-", s
	case m[1][0] >= '0' && m[1][0] <= '9':
		return m[1] + ".", strings.TrimSpace(m[3])
	default:
		return "-", s
	}
}

// escape escapes a paragraph that would be read as something else in Markdown.
func escape(s string) string {
	if hash.MatchString(s) || underline.MatchString(s) {
		return `\` + s
	}
	return s
}

// code counts the lines of code at the start of lines.
func code(lines []line, marks []mark) int {
	n := 0
	for n < len(lines) && lines[n].mono && marks[n].level == 0 && !listed(&lines[n]) && lines[n].flow == lines[0].flow &&
		(n == 0 || lines[n].box.Y1-lines[n-1].box.Y1 < 3*codeLead*lines[n].size) {
		n++
	}
	return n
}

// listed reports whether a line is a list item with a mark that code does not use.
func listed(l *line) bool {
	r, _ := utf8.DecodeRuneInString(l.text())
	return (bullet(r) || r == '–' || r == '—') && item(l.text())
}

// fenced returns a fenced block that keeps the indentation and empty lines of code.
func fenced(lines []line) string {
	left, advance := math.Inf(1), 0.0
	for i := range lines {
		left = min(left, lines[i].box.X0)
		if n := utf8.RuneCountInString(lines[i].text()); n > 3 {
			advance = max(advance, lines[i].box.width()/float64(n))
		}
	}
	var b strings.Builder
	fence := "```"
	for i := range lines {
		l := &lines[i]
		if strings.Contains(l.text(), fence) {
			fence += "`"
		}
		if i > 0 && l.box.Y1-lines[i-1].box.Y1 > codeLead*l.size {
			b.WriteByte('\n')
		}
		if advance > 0 {
			b.WriteString(strings.Repeat(" ", min(200, int(math.Round((l.box.X0-left)/advance)))))
		}
		b.WriteString(l.text() + "\n")
	}
	return fence + "\n" + b.String() + fence
}
