package markdown

import (
	"strconv"
	"strings"
	"unicode"

	"github.com/sagasu-search/sagasu/sdk"
	"github.com/sagasu-search/sagasu/sdk/x/border"
)

const (
	// deepest is the maximum nesting depth of lists and quotes; deeper ones are written at the last level.
	deepest = 12
	// maxText is the maximum number of bytes that are written, and maxBlocks the maximum number of blocks.
	maxText   = border.MaxText
	maxBlocks = border.MaxBlocks
	// maxHeading is the maximum length of a heading in bytes; a longer one is a paragraph that only looks like a
	// heading.
	maxHeading = 1000
)

// Writer collects the blocks of a document. Its zero value is ready to use.
type Writer struct {
	blocks []sdk.Block
	block  sdk.Block
	text   strings.Builder
	inside []container
	deeper int  // number of containers beyond deepest
	torn   int  // number of containers that a heading ended
	joined bool // the next lines belong to the last ones
	listed bool // the last lines are in a list
	size   int
	full   bool
}

// container is a list item or a quote.
type container struct {
	marker string // of the first line
	indent string // of the others
	begun  bool
}

// Heading begins a block below a heading of level 1 to 6.
func (w *Writer) Heading(level int, heading *Inline, place sdk.Place) {
	plain := heading.Plain()
	if len(plain) <= maxHeading && strings.ContainsFunc(plain, unicode.IsGraphic) {
		w.begin(sdk.Block{Level: min(max(level, 1), 6), Heading: plain, Place: place})
		return
	}
	w.Place(place)
	w.Paragraph(heading)
}

// Place begins a block that continues at a place.
func (w *Writer) Place(place sdk.Place) { w.begin(sdk.Block{Place: place}) }

func (w *Writer) begin(b sdk.Block) {
	w.end()
	if len(b.Place.Anchor)+len(b.Place.Sheet) > border.MaxPlace {
		b.Place = sdk.Place{}
	}
	if w.full = w.full || len(w.blocks) >= maxBlocks-1 || w.size+len(b.Heading) > maxText; w.full {
		return
	}
	w.block = b
	w.size += len(b.Heading)
	w.torn += len(w.inside) + w.deeper // a heading is never in a list
	w.inside, w.deeper = w.inside[:0], 0
}

// end ends the current block.
func (w *Writer) end() {
	w.block.Text = w.text.String()
	if w.block.Text != "" || w.block.Heading != "" {
		w.blocks = append(w.blocks, w.block)
	}
	w.text.Reset()
	w.joined, w.listed = false, false
	w.block = sdk.Block{}
}

// Blocks returns the blocks that were written.
func (w *Writer) Blocks() []sdk.Block {
	w.end()
	return w.blocks
}

// Len returns the size of the written text in bytes.
func (w *Writer) Len() int { return w.size }

// Full reports whether the document has more text than was written.
func (w *Writer) Full() bool { return w.full }

// Item opens a list item with a number, or with a bullet if number is 0.
func (w *Writer) Item(number int) {
	marker := "- "
	if number > 0 && number < 1e9 {
		marker = strconv.Itoa(number) + ". "
	}
	w.open(container{marker: marker, indent: strings.Repeat(" ", len(marker))})
}

// Quote opens a quote.
func (w *Writer) Quote() { w.open(container{marker: "> ", indent: "> "}) }

func (w *Writer) open(c container) {
	if len(w.inside) == deepest {
		w.deeper++
		return
	}
	w.inside = append(w.inside, c)
}

// Close closes the last item or quote.
func (w *Writer) Close() {
	switch {
	case w.deeper > 0:
		w.deeper--
	case len(w.inside) > 0:
		w.inside = w.inside[:len(w.inside)-1]
	default:
		w.torn--
	}
}

// Paragraph writes a paragraph.
func (w *Writer) Paragraph(in *Inline) {
	if !in.Empty() {
		w.lines(in.String())
	}
}

// Code writes lines of code unchanged. language may be "".
func (w *Writer) Code(language, text string) {
	text = strings.Trim(strings.ReplaceAll(strings.ReplaceAll(text, "\r\n", "\n"), "\r", "\n"), "\n")
	if strings.TrimSpace(text) == "" {
		return
	}
	fence := "```"
	for strings.Contains(text, fence) {
		fence += "`"
	}
	w.lines(fence + language + "\n" + text + "\n" + fence)
}

// Join makes the next lines follow the last ones without a blank line.
func (w *Writer) Join() { w.joined = true }

// lines writes lines that belong together.
func (w *Writer) lines(s string) {
	const room = 1000 // for the marks of lists and quotes before the first line
	before, lines := w.text.Len(), strings.Count(s, "\n")+1
	if w.full = w.full || w.size+len(s)+lines*3*deepest+room > maxText; w.full {
		return
	}
	defer func() { w.size += w.text.Len() - before }()
	if w.text.Len() > 0 {
		w.text.WriteByte('\n')
		if !w.joined && !(w.listed && w.atItem()) {
			w.text.WriteString(strings.TrimRight(w.prefix(true), " ") + "\n")
		}
	}
	for i, line := range strings.Split(s, "\n") {
		if i > 0 {
			w.text.WriteByte('\n')
		}
		w.text.WriteString(strings.TrimRight(w.prefix(false)+line, " "))
	}
	w.joined, w.listed = false, len(w.inside) > 0
}

// atItem reports whether the next line starts an item.
func (w *Writer) atItem() bool {
	for _, c := range w.inside {
		if !c.begun {
			return c.marker != c.indent
		}
	}
	return false
}

// prefix returns the marks before a line, for the lists and quotes around it. For a blank line it only has marks of
// containers that have begun.
func (w *Writer) prefix(blank bool) string {
	var b strings.Builder
	for i := range w.inside {
		switch c := &w.inside[i]; {
		case c.begun:
			b.WriteString(c.indent)
		case !blank:
			b.WriteString(c.marker)
			c.begun = true
		}
	}
	return b.String()
}

// Table writes a table. The first row is the header. Rows may have fewer cells than others.
func (w *Writer) Table(rows [][]*Inline) {
	columns := 0
	for _, row := range rows {
		columns = max(columns, len(row))
	}
	if columns == 0 {
		return
	}
	var b strings.Builder
	for i, row := range rows {
		for n := range columns {
			b.WriteString("|")
			if n < len(row) && row[n] != nil && !row[n].Empty() {
				b.WriteString(" " + row[n].cell())
			}
			b.WriteByte(' ')
		}
		b.WriteString("|\n")
		if i == 0 {
			b.WriteString(strings.Repeat("| --- ", columns) + "|\n")
		}
	}
	w.lines(strings.TrimSuffix(b.String(), "\n"))
}
