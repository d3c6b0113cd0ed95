package lane

import (
	"fmt"
	"sort"
	"strings"
	"unicode/utf8"

	"github.com/sagasu-search/sagasu/framework/internal/patents/publication"
	"github.com/sagasu-search/sagasu/framework/internal/toolset"
	"github.com/sagasu-search/sagasu/sdk/text"
)

// page is an answer of snippets that must fit a budget.
type page struct {
	frame   Snippets // all but the rows
	rows    []row
	cutting Cutting
	fields  []string
	finders []finder
}

// row is a publication and its place among all that could be shown.
type row struct {
	pub    *publication.Publication
	offset int
	bare   Snippet
}

const (
	// narrowest is the width, in characters, below which no text is shrunk.
	narrowest = 16
	// steps is how finely widths shrink.
	steps = 256
)

// fit builds the page at full width; when that is too much, texts shrink evenly
// down to the narrowest; when that is still too much, rows drop from the end and
// the rest get what is left.
func (p page) fit() (*Snippets, error) {
	full := p.build(len(p.rows), steps)
	if p.cutting.BudgetBytes == nil {
		return full, nil
	}
	budget := int(*p.cutting.BudgetBytes)
	if bytesOf(full) <= budget {
		return full, nil
	}
	fits := func(rows, step int) bool { return bytesOf(p.build(rows, step)) <= budget }
	fewest := min(1, len(p.rows))
	if !fits(fewest, 0) {
		least := bytesOf(p.build(fewest, 0))
		smallest := "smallest answer with one row"
		if fewest == 0 {
			smallest = "answer, which has no rows"
		}
		return nil, wrong("budget_bytes", budget,
			fmt.Sprintf("an integer of %d or more, the size of the %s", least, smallest)).
			With("minimum", least)
	}
	rows := len(p.rows)
	if !fits(rows, 0) {
		rows = fewest + sort.Search(len(p.rows)-fewest, func(i int) bool { return !fits(fewest+i+1, 0) })
	}
	step := sort.Search(steps, func(i int) bool { return !fits(rows, i+1) })
	return p.build(rows, step), nil
}

// build returns the page with its first rows and with texts of a width between the
// narrowest (step 0) and the full one.
func (p page) build(rows, step int) *Snippets {
	out := p.frame
	out.Snippets, out.Returned = make([]Snippet, rows), rows
	out.Truncated = rows < len(p.rows) || step < steps
	for i, r := range p.rows[:rows] {
		out.Snippets[i] = r.with(p.fields, func(field string) int {
			width := p.cutting.chars(field)
			least := min(width, narrowest)
			return least + (width-least)*step/steps
		})
		if step == steps && r.pub != nil && len(p.finders) > 0 {
			out.Snippets[i].Keywords = contexts(r.pub, p.finders, out.Snippets[i].Shown)
		}
	}
	if next := p.next(rows); next < p.frame.Total {
		out.NextOffset = &next
	}
	return &out
}

// next returns the offset of the first row that is not shown.
func (p page) next(rows int) int {
	switch {
	case rows < len(p.rows):
		return p.rows[rows].offset
	case rows > 0 && len(p.frame.Missing) == 0:
		return p.rows[rows-1].offset + 1
	}
	return p.frame.Total
}

func (c Cutting) chars(field string) int {
	if n, ok := c.Chars[field]; ok {
		return n
	}
	return defaultChars()[field]
}

// with adds the texts of a row, cut to their widths.
func (r row) with(fields []string, width func(field string) int) Snippet {
	s := r.bare
	if r.pub == nil {
		return s
	}
	s.Shown = show(r.pub, fields, func(field, text string) string { return cut(text, width(field)) })
	return s
}

// bytesOf returns the size of an answer as it is sent.
func bytesOf(s *Snippets) int {
	data, _ := toolset.Marshal(s) // texts and finite numbers
	return len(data)
}

// cut shortens s to at most n characters (code points), between user-perceived
// ones. It ends behind the last 。 or newline when one lies in the last fifth.
func cut(s string, n int) string {
	c := text.CutRunes(s, n)
	if len(c) == len(s) {
		return s
	}
	end := strings.LastIndexByte(c, '\n') + 1
	if stop := strings.LastIndex(c, "。"); stop >= 0 {
		end = max(end, stop+len("。"))
	}
	if 5*utf8.RuneCountInString(c[:end]) > 4*n {
		return c[:end]
	}
	return c
}
