package layout

import (
	"regexp"

	"golang.org/x/text/unicode/norm"
)

// noteMark matches the start of a footnote, with digits in their compatibility form.
var noteMark = regexp.MustCompile(`^([0-9]{1,3}|[*†‡§])\s?[\pL"“「『(（/]`)

// cutNotes cuts the footnotes off a sheet: the lines at the end of a column in smaller type than the body, from the
// first that begins with a mark. Each returned run of lines is one footnote.
func cutNotes(s *Sheet, marks *[]mark, body style) (notes [][]line) {
	small := func(i int) bool {
		l := &s.lines[i]
		return l.style().size < body.size && (*marks)[i].level == 0 && l.grid == 0
	}
	keep := make([]bool, len(s.lines))
	for end := len(s.lines); end > 0; {
		from := end
		for from > 0 && s.lines[from-1].flow == s.lines[end-1].flow {
			from--
		}
		first, several := end, 0
		for first > from && small(first-1) {
			if first--; len(s.lines[first].cells) > 1 {
				several++
			}
		}
		if first == from || several > (end-first)/2 { // a whole column, or a table in small type
			first = end
		}
		for first < end && !begins(&s.lines[first]) {
			first++
		}
		for i := from; i < first; i++ {
			keep[i] = true
		}
		end = from
	}
	var lines []line
	var left []mark
	for i, l := range s.lines {
		switch {
		case keep[i]:
			lines, left = append(lines, l), append(left, (*marks)[i])
		case begins(&l):
			notes = append(notes, []line{l})
		default:
			notes[len(notes)-1] = append(notes[len(notes)-1], l)
		}
	}
	s.lines, *marks = lines, left
	return notes
}

func begins(l *line) bool { return !l.mono && noteMark.MatchString(norm.NFKC.String(l.text())) }

// note is a footnote of a page.
type note struct {
	page  int
	lines []line
}

// endSheet keeps the footnotes of a sheet until a paragraph that may continue on the next page has ended. They are
// written before the next heading or the next paragraph outside of a list.
func (w *writer) endSheet(page int, notes [][]line) {
	for _, lines := range notes {
		w.notes = append(w.notes, note{page, lines})
	}
}

// endNotes writes the waiting footnotes, in blocks of their pages.
func (w *writer) endNotes() {
	if len(w.notes) == 0 {
		return
	}
	notes, next := w.notes, w.newPage
	page := w.page()
	at := page
	w.notes, w.lists = nil, nil
	for _, n := range notes {
		if w.newPage = 0; n.page != at {
			w.newPage, at = n.page, n.page
		}
		for i := range n.lines {
			w.line(&n.lines[i])
		}
		w.endParagraph()
	}
	if w.newPage = next; next == 0 && at != page {
		w.newPage = page
	}
}

// page returns the page of the last block, or 0 before the first.
func (w *writer) page() int {
	if n := len(w.blocks); n > 0 {
		return w.blocks[n-1].Place.Page
	}
	return 0
}
