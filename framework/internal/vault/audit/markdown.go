package audit

import (
	"context"
	"slices"
	"strings"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	tables "github.com/yuin/goldmark/extension/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"

	"github.com/sagasu-search/sagasu/framework/internal/corpus"
	"github.com/sagasu-search/sagasu/framework/internal/toolset"
	"github.com/sagasu-search/sagasu/sdk/x/guard"
)

// markdown is a Markdown text that is being read into an artifact.
type markdown struct {
	to      *Artifact
	src     []byte
	lines   corpus.Lines
	spans   []span
	notes   []note
	parts   []part
	titled  int // place of the last heading among the parts, -1 for none
	links   []mention
	anchors anchors
	twoWay  map[int]bool            // whether a line with links has a word that declares them to go both ways
	back    map[int][]toolset.Range // where the links of a region lead, by its first line
}

// span is a run of lines that belongs to an element.
type span struct{ first, last, element int }

// part is an element of Markdown with what only its text shows.
type part struct {
	element int // place among the elements
	level   int // of a heading, else 0
	first   int
	last    int  // of its own lines
	elems   bool // a heading has elements in its own part
	below   bool // a heading has headings under it
	prose   []string
	until   int // last line of what an anchor on it refers to: its own lines, or a heading's section
}

// readMarkdown adds the elements of a Markdown text.
func readMarkdown(ctx context.Context, to *Artifact, src string) *markdown {
	src = withoutFrontMatter(src)
	m := markdown{to: to, src: []byte(src), lines: corpus.NewLines([]byte(src)), titled: -1, twoWay: map[int]bool{},
		back: map[int][]toolset.Range{}, anchors: anchors{map[string]int{}, map[string]int{}}}
	m.read(ctx, parse(m.src))
	m.judgeHeadings()
	attach(to, m.owners(), m.notes, m.blank)
	m.resolve(ctx)
	return &m
}

// withoutFrontMatter blanks the front matter, so that lines stay where they are.
func withoutFrontMatter(src string) string {
	length := corpus.FrontMatter([]byte(src))
	return strings.Repeat("\n", strings.Count(src[:length], "\n")) + src[length:]
}

// parse parses a document. One that the parser fails on has no elements, so
// that one file cannot end the host.
func parse(src []byte) (document ast.Node) {
	md := goldmark.New(goldmark.WithExtensions(extension.Table), goldmark.WithParserOptions(parser.WithAttribute()))
	if guard.Call(func() error { document = md.Parser().Parse(text.NewReader(src)); return nil }) != nil {
		return ast.NewDocument()
	}
	return document
}

// read adds what a block holds, in order, until the context ends.
func (m *markdown) read(ctx context.Context, node ast.Node) {
	if ctx.Err() != nil {
		return
	}
	switch node := node.(type) {
	case *ast.Heading:
		m.heading(node)
	case *ast.ListItem:
		m.item(ctx, node)
	case *tables.Table:
		m.table(node)
	case *ast.FencedCodeBlock:
		m.fence(node)
	case *ast.Paragraph, *ast.TextBlock, *ast.HTMLBlock:
		m.prose(node)
	default:
		for child := node.FirstChild(); child != nil; child = child.NextSibling() {
			m.read(ctx, child)
		}
	}
}

// extent returns the lines that a block has text on.
func (m *markdown) extent(node ast.Node) (first, last int) {
	parts := node.Lines()
	if parts == nil || parts.Len() == 0 {
		first = m.lines.At(max(0, node.Pos()))
		last = first
	} else {
		first = m.lines.At(parts.At(0).Start)
		last = m.lines.At(max(parts.At(parts.Len()-1).Stop-1, parts.At(0).Start))
	}
	if html, ok := node.(*ast.HTMLBlock); ok && html.HasClosure() {
		last = max(last, m.lines.At(html.ClosureLine.Start))
	}
	return first, last
}

// raw returns the text of lines as they are written.
func (m *markdown) raw(first, last int) string {
	return string(m.src[m.lines.Start(first):m.lines.Start(last+1)])
}

func (m *markdown) blank(line int) bool {
	return line <= m.lines.Count() && strings.TrimSpace(m.raw(line, line)) == ""
}

// add adds an element with its own lines, and returns its index.
func (m *markdown) add(e Element, first, last int) int {
	at := len(m.to.Elements)
	e.Line = first
	m.to.Elements = append(m.to.Elements, e)
	m.spans = append(m.spans, span{first, last, at})
	m.parts = append(m.parts, part{element: at, first: first, last: last})
	return at
}

// section returns the part of the heading that the end of the text so far belongs
// to, nil before the first.
func (m *markdown) section() *part {
	if m.titled < 0 {
		return nil
	}
	return &m.parts[m.titled]
}

func (m *markdown) heading(node *ast.Heading) {
	first, last := m.extent(node)
	title := m.inline(node, first)
	cited, text, _ := title.citations()
	if above := m.section(); above != nil && above.level < node.Level {
		above.below = true
	}
	at := m.add(Element{Kind: Heading, Text: text, Citation: cited, Asserts: !cited.empty()}, first, last)
	m.titled = len(m.parts) - 1
	m.parts[m.titled].level = node.Level
	m.anchors.heading(node, text, first)
	m.own(at, title, first)
}

// own adds the anchors and links of its text to an element.
func (m *markdown) own(at int, of content, line int) {
	for _, id := range of.ids {
		m.anchors.add(id, line)
		if m.to.Elements[at].ID == "" {
			m.to.Elements[at].ID = id
		}
	}
	for i := range of.links {
		of.links[i].from = at
	}
	m.links = append(m.links, of.links...)
}

// judgeHeadings decides which headings assert.
func (m *markdown) judgeHeadings() {
	for _, p := range m.parts {
		if p.level == 0 {
			continue
		}
		e, prose := &m.to.Elements[p.element], strings.Join(p.prose, "")
		alone := !p.elems && !p.below
		if rules(e.Text) || alone && (isRule(e.Text) || statesRule(prose)) {
			e.Asserts = true
		}
		e.Says = e.Text + prose
	}
}

// owners returns the elements that lines belong to. A span ends before the next begins, as an
// item's does before the items in it.
func (m *markdown) owners() map[int][]int {
	owners := map[int][]int{}
	slices.SortFunc(m.spans, func(a, b span) int { return a.first - b.first })
	for i, s := range m.spans {
		if i+1 < len(m.spans) {
			s.last = min(s.last, m.spans[i+1].first-1)
		}
		for line := s.first; line <= s.last; line++ {
			owners[line] = []int{s.element}
		}
	}
	return owners
}

// fence reads a block of code if it is a flowchart.
func (m *markdown) fence(node *ast.FencedCodeBlock) {
	m.holdsElements()
	code := string(node.Lines().Value(m.src))
	if !strings.EqualFold(string(node.Language(m.src)), "mermaid") {
		return
	}
	first, _ := m.extent(node)
	before := len(m.to.Elements)
	readChart(m.to, code, first-1)
	for _, e := range m.to.Elements[before:] {
		if e.Kind == Node {
			m.anchors.add(e.ID, e.Line)
		}
	}
}
