package audit

import (
	"context"
	"strings"

	"github.com/yuin/goldmark/ast"
	tables "github.com/yuin/goldmark/extension/ast"

	"github.com/sagasu-search/sagasu/sdk/x/lazyregexp"
)

// item adds a list item and its content.
func (m *markdown) item(ctx context.Context, node *ast.ListItem) {
	var own content
	inner, first, last := false, m.lines.At(max(0, node.Pos())), 0
	for block := node.FirstChild(); block != nil; block = block.NextSibling() {
		switch block.(type) {
		case *ast.Paragraph, *ast.TextBlock, *ast.HTMLBlock:
			of, _, end := m.block(block)
			own.add(of)
			last = max(last, end)
		case *ast.List:
			inner = true
		}
	}
	cited, text, unlinked := own.citations()
	at := m.add(Element{Kind: ListItem, Text: text, Citation: cited,
		Asserts: !cited.empty() || !m.aside() && !saysNothing(unlinked) && !(inner && introduces(text))}, first,
		max(first, last))
	m.own(at, own, first)
	m.holdsElements()
	for block := node.FirstChild(); block != nil; block = block.NextSibling() {
		switch block.(type) {
		case *ast.Paragraph, *ast.TextBlock, *ast.HTMLBlock, *ast.Heading: // its own
		default:
			m.read(ctx, block)
		}
	}
}

// aside reports whether the current section is about the document itself.
func (m *markdown) aside() bool {
	s := m.section()
	return s != nil && aside().MatchString(m.to.Elements[s.element].Text)
}

// holdsElements records on the current section that it has elements.
func (m *markdown) holdsElements() {
	if s := m.section(); s != nil {
		s.elems = true
	}
}

// block returns what a paragraph or a block of HTML holds, and its lines.
func (m *markdown) block(node ast.Node) (c content, first, last int) {
	first, last = m.extent(node)
	if node, ok := node.(*ast.HTMLBlock); ok {
		text := node.Lines().Value(m.src)
		if node.HasClosure() {
			text = append(text, node.ClosureLine.Value(m.src)...)
		}
		return html(string(text), first), first, last
	}
	return m.inline(node, first), first, last
}

// prose adds a paragraph or a block of HTML outside of elements. If it is just a citation, it is a
// note on the adjacent elements.
func (m *markdown) prose(node ast.Node) {
	of, first, last := m.block(node)
	cited, rest, _ := of.citations()
	rest = strings.Trim(rest, " *_`:：")
	var owners []int
	if s := m.section(); s != nil {
		owners = []int{s.element}
		for i := range of.links {
			of.links[i].from = s.element
		}
	}
	if !cited.empty() && saysNothing(rest) {
		m.notes = append(m.notes, note{first, last, cited})
	} else {
		if s := m.section(); s != nil {
			s.prose = append(s.prose, "\n", rest)
			m.spans = append(m.spans, span{first, last, s.element})
		}
		if !cited.empty() {
			m.to.give(owners, cited, first)
		}
	}
	for _, id := range of.ids {
		m.anchors.add(id, first)
	}
	m.links = append(m.links, of.links...)
}

var lineColumn = lazyregexp.New("(?i)^[`*\\s]*source[_ ]lines[`*\\s]*$")

// table adds the rows of a table below its header.
func (m *markdown) table(node *tables.Table) {
	m.holdsElements()
	column := -1
	for row := node.FirstChild(); row != nil; row = row.NextSibling() {
		if _, ok := row.(*tables.TableHeader); ok {
			column = m.columnOfLines(row)
		} else {
			m.row(row, column)
		}
	}
}

// columnOfLines returns the column named source_lines, -1 for none.
func (m *markdown) columnOfLines(header ast.Node) int {
	at := 0
	for cell := header.FirstChild(); cell != nil; cell = cell.NextSibling() {
		if lineColumn().MatchString(m.inline(cell, 1).text.String()) {
			return at
		}
		at++
	}
	return -1
}

// row adds a row. It looks for citations in the whole line, since text after the last column is not
// part of the table.
func (m *markdown) row(node ast.Node, column int) {
	line := m.lines.At(max(0, node.Pos()))
	cited, _ := citations(m.raw(line, line))
	var own content
	at := 0
	for cell := node.FirstChild(); cell != nil; cell = cell.NextSibling() {
		of := m.inline(cell, line)
		if at == column {
			if strings.Trim(of.text.String(), " -–—") != "" && cited.empty() {
				cited.add(wholeCitation(of.text.String()))
			}
			of.text, of.unlinked = nil, nil
		}
		own.add(of)
		at++
	}
	_, text, unlinked := own.citations()
	element := m.add(Element{Kind: TableRow, Text: text, Citation: cited,
		Asserts: !cited.empty() || !m.aside() && !saysNothing(unlinked)}, line, line)
	m.own(element, own, line)
}
