package office

import (
	"encoding/xml"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/sagasu-search/sagasu/sdk"
	"github.com/sagasu-search/sagasu/sdk/x/archive"
	"github.com/sagasu-search/sagasu/sdk/x/border"
	"github.com/sagasu-search/sagasu/sdk/x/markdown"
)

const (
	// maxRows is the maximum number of rows of a sheet.
	maxRows = 100_000
	// maxSheetColumns is the maximum number of columns of a row.
	maxSheetColumns = 256
	// maxCells is the maximum number of cells of a workbook.
	maxCells = 2_000_000
	// maxTable is the maximum number of rows of a table below one heading. A longer table is split into parts of
	// rowsAtOnce rows.
	maxTable   = 60
	rowsAtOnce = 40
)

type workbook struct {
	*pkg
	shared []string // strings that cells share
	values values
	cells  int
	size   int  // bytes of their texts, of which many may share one string
	wide   bool // whether the sheet has text beyond the columns that are read
	unset  int  // number of formulas in the sheet without a saved value
}

func (p *pkg) workbook(part string) error {
	relations := p.relations(part)
	b := &workbook{pkg: p}
	if err := b.readShared(related(relations, "sharedStrings")); err != nil {
		return err
	}
	b.values.formats = p.readFormats(related(relations, "styles"))
	return p.each(part, func(_ *archive.XML, e xml.StartElement) (bool, error) {
		switch e.Name.Local {
		case "workbookPr":
			if v := archive.Attribute(e, "date1904"); v == "1" || v == "true" {
				b.values.since1904 = true
			}
		case "sheet":
			name := archive.Attribute(e, "name")
			to := target(relations, relationID(e))
			if !to.is("worksheet") {
				return false, nil // a chart or a macro
			}
			place := sdk.Place{Sheet: name}
			if err := b.sheet(to.target, name, place); err != nil {
				if p.ctx.Err() != nil {
					return false, err
				}
				p.fail(place, err)
			}
			return false, nil
		}
		return true, nil
	})
}

// readShared reads the strings that cells share, without the phonetic readings of Japanese words.
func (b *workbook) readShared(part string) error {
	if part == "" {
		return nil
	}
	return b.each(part, func(x *archive.XML, e xml.StartElement) (bool, error) {
		if e.Name.Local != "si" {
			return true, nil
		}
		text, err := richText(x)
		b.shared = append(b.shared, text)
		return false, err
	})
}

// richText reads the text of a string with runs.
func richText(x *archive.XML) (string, error) {
	var text strings.Builder
	err := x.Each(func(e xml.StartElement) (bool, error) {
		switch e.Name.Local {
		case "t":
			s, err := x.Text()
			text.WriteString(s)
			return false, err
		case "rPh", "phoneticPr", "rPr":
			return false, nil
		}
		return true, nil
	})
	return text.String(), err
}

var errTooLarge = errors.New("too large")

// sheet writes a sheet: a heading, and a table for each group of rows without an empty row in between.
func (b *workbook) sheet(part, name string, place sdk.Place) error {
	var heading markdown.Inline
	heading.Text(name)
	b.w.Heading(1, &heading, place)
	var rows [][]*markdown.Inline
	last, count := 0, 0
	b.wide, b.unset = false, 0
	err := b.each(part, func(x *archive.XML, e xml.StartElement) (bool, error) {
		switch e.Name.Local {
		case "sheetData", "worksheet", "AlternateContent", "Choice":
			return true, nil
		case "row":
		default:
			return false, nil
		}
		row, err := b.row(x)
		if count++; count > maxRows || b.cells > maxCells || errors.Is(err, errTooLarge) {
			return false, errTooLarge
		}
		at := number(e, "r", last+1)
		if len(row) == 0 {
			return false, err
		}
		if at != last+1 {
			b.table(rows, last, place)
			rows = nil
		}
		rows, last = append(rows, row), at
		return false, err
	})
	b.table(rows, last, place)
	relations := b.relations(part)
	b.shapes(related(relations, "drawing"))
	b.comments(related(relations, "comments"))
	if b.wide {
		b.fail(place, fmt.Errorf("columns beyond the %dth were not read", maxSheetColumns))
	}
	if b.unset > 0 { // programs that write workbooks do not calculate
		b.fail(place, fmt.Errorf("formulas without a saved value: %d", b.unset))
	}
	if errors.Is(err, errTooLarge) {
		return fmt.Errorf("the sheet is too large: its rows from %d on were not read", last+1)
	}
	return err
}

// shapes writes the text of the drawings on a sheet.
func (b *workbook) shapes(part string) {
	b.each(part, func(x *archive.XML, e xml.StartElement) (bool, error) {
		if e.Name.Local != "p" {
			return e.Name.Local != "Fallback", nil
		}
		text, err := richText(x)
		var line markdown.Inline
		line.Text(text)
		b.w.Paragraph(&line)
		return false, err
	})
}

// comments writes the comments on cells.
func (b *workbook) comments(part string) {
	b.each(part, func(x *archive.XML, e xml.StartElement) (bool, error) {
		if e.Name.Local != "comment" {
			return e.Name.Local != "authors", nil
		}
		text, err := richText(x)
		var line markdown.Inline
		if line.Text(text); !line.Empty() {
			b.w.Paragraph(labelled(archive.Attribute(e, "ref")+":", &line))
		}
		return false, err
	})
}

// row reads the cells of the row that has just begun. It returns nil if the row has no text.
func (b *workbook) row(x *archive.XML) ([]*markdown.Inline, error) {
	var row []*markdown.Inline
	filled, next := false, 0
	err := x.Each(func(e xml.StartElement) (bool, error) {
		if e.Name.Local != "c" {
			return false, nil
		}
		if at := column(archive.Attribute(e, "r")); at >= 0 {
			next = at
		}
		at := next
		next++
		text, err := b.cell(x, e)
		if strings.TrimSpace(text) == "" {
			return false, err
		}
		if at >= maxSheetColumns {
			b.wide = true
			return false, err
		}
		for len(row) <= at {
			row = append(row, nil)
		}
		row[at] = &markdown.Inline{}
		row[at].Text(text)
		filled = true
		b.cells++
		if b.size += len(text); b.size > border.MaxText && err == nil {
			err = errTooLarge
		}
		return false, err
	})
	if !filled {
		return nil, err
	}
	return row, err
}

// column returns the column number, from 0, in a reference such as "AB12", or -1.
func column(ref string) int {
	n := 0
	for i := range len(ref) {
		switch c := ref[i]; {
		case c >= 'A' && c <= 'Z' && n < 1<<16:
			n = n*26 + int(c-'A') + 1
		default:
			return n - 1
		}
	}
	return n - 1
}

// cell returns what a cell shows.
func (b *workbook) cell(x *archive.XML, c xml.StartElement) (string, error) {
	var value string
	kind, calculated := archive.Attribute(c, "t"), false
	err := x.Each(func(e xml.StartElement) (enter bool, err error) {
		switch e.Name.Local {
		case "f":
			calculated = true
		case "v":
			value, err = x.Text()
		case "is":
			value, err = richText(x)
		}
		return false, err
	})
	if calculated && value == "" && kind != "str" { // an empty value is valid for a text
		b.unset++
		return "", err
	}
	if kind == "s" {
		var at int
		if _, err := fmt.Sscan(value, &at); err != nil || at < 0 || at >= len(b.shared) {
			return "", nil
		}
		return b.shared[at], err
	}
	return b.values.show(value, kind, number(c, "s", 0)), err
}

// table writes adjacent rows that end with row last. Titles above a table and columns without neighbours become text. A
// long table is written in parts, each below its range and with the column names.
func (b *workbook) table(rows [][]*markdown.Inline, last int, place sdk.Place) {
	lone := 0
	for _, row := range rows {
		if alone(row) {
			lone++
		}
	}
	isText := lone*5 >= len(rows)*4 // for most rows
	for len(rows) > 0 && (isText || len(rows) == 1 || alone(rows[0])) {
		var text markdown.Inline
		for _, cell := range rows[0] {
			if cell != nil {
				text.Space()
				text.Append(cell)
			}
		}
		b.w.Paragraph(&text)
		rows = rows[1:]
	}
	var columns []int
	for at := range maxSheetColumns {
		if slices.ContainsFunc(rows, func(row []*markdown.Inline) bool { return at < len(row) && row[at] != nil }) {
			columns = append(columns, at)
		}
	}
	table := make([][]*markdown.Inline, len(rows))
	for i, row := range rows {
		for _, at := range columns {
			if at < len(row) {
				table[i] = append(table[i], row[at])
			}
		}
	}
	if len(table) <= maxTable {
		b.w.Table(table)
		return
	}
	left, right := columnName(columns[0]), columnName(columns[len(columns)-1])
	first := last - len(table) + 2 // after the column names
	for i, part := range slices.Collect(slices.Chunk(table[1:], rowsAtOnce)) {
		var cells markdown.Inline
		from := first + i*rowsAtOnce
		cells.Text(fmt.Sprintf("%s%d:%s%d", left, from, right, from+len(part)-1))
		b.w.Heading(2, &cells, place)
		b.w.Table(slices.Insert(part, 0, table[0]))
	}
}

// columnName returns the name of a column from its number, which starts at 0.
func columnName(n int) string {
	if n < 26 {
		return string(rune('A' + n))
	}
	return columnName(n/26-1) + columnName(n%26)
}

// alone reports whether a row has a single cell.
func alone(row []*markdown.Inline) bool {
	n := 0
	for _, cell := range row {
		if cell != nil {
			n++
		}
	}
	return n == 1
}
