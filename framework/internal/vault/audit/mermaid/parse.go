package mermaid

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/sagasu-search/sagasu/framework/internal/toolset"
)

// parser reads statement by statement.
type parser struct {
	scanner
	graph  Graph
	nodes  map[string]int  // ID → place in graph.Nodes
	edges  map[string]bool // IDs of edges
	framed map[string]bool // nodes that a subgraph has named
	open   []int           // subgraphs that are not ended, by place
	errors []Error
	failed bool // the current statement cannot be read
}

// Parse reads a flowchart whose lines end with LF. The graph holds all that could be read; the
// errors say what could not, in the order of their lines. ok is false for a text that draws
// another kind of diagram.
func Parse(src string) (graph Graph, errors []Error, ok bool) {
	p := parser{scanner: newScanner(src), nodes: map[string]int{}, edges: map[string]bool{}, framed: map[string]bool{}}
	p.preamble()
	if !p.header() {
		return Graph{}, nil, false
	}
	for p.between(); !p.done(); p.between() {
		p.statement()
	}
	for _, i := range p.open {
		sub := p.graph.Subgraphs[i]
		p.errors = append(p.errors, Error{sub.Line, fmt.Sprintf("the subgraph %q has no end", cut(sub.Title))})
	}
	p.dropFrames()
	slices.SortStableFunc(p.errors, func(a, b Error) int { return cmp.Compare(a.Line, b.Line) })
	return p.graph, p.errors, true
}

// dropFrames takes out the nodes that turned out to be subgraphs, which an edge
// may name before they are drawn.
func (p *parser) dropFrames() {
	frames := map[string]bool{}
	for _, sub := range p.graph.Subgraphs {
		frames[sub.ID] = true
	}
	p.graph.Nodes = slices.DeleteFunc(p.graph.Nodes, func(n Node) bool { return frames[n.ID] && !n.labelled })
	for i := range p.graph.Subgraphs {
		sub := &p.graph.Subgraphs[i]
		sub.Nodes = slices.DeleteFunc(sub.Nodes, func(id string) bool { return frames[id] })
	}
}

// preamble skips front matter and keeps comments before the header.
func (p *parser) preamble() {
	p.spaces()
	if p.has("---\n") {
		if end := strings.Index(p.rest()[3:], "\n---"); end >= 0 {
			p.at += 3 + end + 4
			p.restOfLine()
		}
	}
	for p.spaces(); p.has("%%"); p.spaces() {
		p.comment(false)
	}
}

var directions = []string{"TB", "TD", "BT", "RL", "LR", "<", ">", "^", "v"}

// header consumes the kind of the diagram and its direction, and reports whether it is a flowchart.
func (p *parser) header() bool {
	word := p.word()
	if word != "flowchart" && word != "graph" && word != "flowchart-elk" {
		return false
	}
	p.at += len(word)
	p.blanks()
	for _, direction := range directions {
		if p.take(direction) {
			break
		}
	}
	p.ended()
	return true
}

// comment consumes a comment, or a directive, which may hold several lines.
func (p *parser) comment(trailing bool) {
	line := p.line()
	if p.has("%%{") {
		if end := p.next("}%%", strings.Index); end < len(p.src) {
			p.at = end + len("}%%")
			return
		}
	}
	text := strings.TrimSpace(strings.TrimLeft(p.restOfLine(), "%"))
	p.graph.Comments = append(p.graph.Comments, Comment{text, line, trailing})
}

// between consumes the characters between statements.
func (p *parser) between() { p.skip(" \t\n;\v\f\r\u3000\u00a0") }

// statement consumes one statement and what ends it. One that cannot be read
// is skipped to the end of its line.
func (p *parser) statement() {
	p.failed = false
	if p.has("%%") {
		p.comment(false)
		return
	}
	if !p.keyword() {
		p.chain()
	}
	p.ended()
}

// ended consumes what ends a statement.
func (p *parser) ended() {
	p.blanks()
	switch {
	case p.failed:
		p.restOfLine()
	case p.has("%%"):
		p.comment(true)
	case !p.done() && !p.take(";") && !p.has("\n"):
		p.unexpected("an arrow or the end of the statement")
		p.restOfLine()
	}
}

// Limits on what a chart can ask for, as `A & B & … --> C & D & …` does.
const (
	mostEdges     = 100_000
	mostSubgraphs = 1000
)

// chain consumes `A & B --> C --> D`.
func (p *parser) chain() {
	from := p.group()
	for !p.failed {
		p.blanks()
		e, ok := p.link()
		if !ok {
			return
		}
		p.blanks()
		to := p.group()
		if len(p.graph.Edges)+len(from)*len(to) > mostEdges {
			p.fail("the chart has more than %d edges", mostEdges)
			return
		}
		for _, e.From = range from {
			for _, e.To = range to {
				p.graph.Edges = append(p.graph.Edges, e)
				p.edges[e.ID] = true
			}
		}
		from = to
	}
}

// group consumes nodes that & joins, or the attributes of an edge.
func (p *parser) group() []string {
	if p.edgeAttributes() {
		return nil
	}
	var ids []string
	for {
		if id := p.node(); id != "" {
			ids = append(ids, id)
		}
		if p.failed {
			return ids
		}
		before := p.at
		p.spaces()
		if !p.take("&") {
			p.at = before
			return ids
		}
		p.spaces()
	}
}

// edgeAttributes consumes `e1@{ … }` of an edge, which only sets how it looks.
func (p *parser) edgeAttributes() bool {
	start := p.at
	if id := p.identifier(); id == "" || !p.has("@{") || !p.edges[id] {
		p.at = start
		return false
	}
	p.take("@{")
	p.attributes(&Node{}, 0)
	return true
}

// keyword consumes a statement that begins with a word of the language. It
// reports false, and consumes nothing, where that word is a node's ID.
func (p *parser) keyword() bool {
	word, line, start := p.word(), p.line(), p.at
	p.at += len(word)
	if next := p.peek(0); next != 0 && !strings.ContainsRune(" \t\n;:{", rune(next)) {
		p.at = start
		return false
	}
	p.blanks()
	alone := p.done() || p.has("\n") || p.has(";") || p.has("%%")
	switch {
	case word == "end" && alone:
		p.endSubgraph()
		return true
	case word == "subgraph" && !p.atLink():
		p.subgraph(line)
		return true
	case alone || p.atLink():
		p.at = start
		return false
	}
	switch word {
	case "direction":
		if name := p.restOfStatement(); !slices.Contains(directions, name) {
			p.fail("%q is no direction; use TB, TD, BT, LR or RL", cut(name))
		}
	case "class", "style", "linkStyle", "click":
		names, rest, _ := strings.Cut(p.restOfStatement(), " ")
		m := Mention{Keyword: word, IDs: strings.Split(names, ","), Line: line}
		if word == "click" {
			m.Link = target(rest)
		}
		p.graph.Mentions = append(p.graph.Mentions, m)
	case "classDef":
		p.restOfStatement()
	case "accTitle", "accDescr":
		p.accessible()
	default:
		p.at = start
		return false
	}
	return true
}

// target returns the address of `click A "address"` or `click A href "address"`.
func target(rest string) string {
	rest = strings.TrimSpace(strings.TrimPrefix(strings.TrimSpace(rest), "href "))
	s := scanner{src: rest}
	text, _ := s.quoted()
	return text
}

// accessible skips the title or the description for screen readers.
func (p *parser) accessible() {
	if !p.has("{") {
		p.restOfLine()
		return
	}
	end := p.next("}", strings.Index)
	if end == len(p.src) {
		p.fail("the description is not closed with }")
		return
	}
	p.at = end + 1
}

// subgraph consumes the title of a subgraph: `id`, `id [title]` or a title
// alone, which then is the ID.
func (p *parser) subgraph(line int) {
	sub := Subgraph{Line: line}
	if len(p.open) > 0 {
		sub.Parent = p.graph.Subgraphs[p.open[len(p.open)-1]].ID
	}
	start := p.at
	sub.ID = p.identifier()
	p.blanks()
	if sub.ID != "" && (p.has("[") || p.has("(") || p.has("{")) {
		var titled Node
		if p.label(&titled, line); p.failed {
			return
		}
		sub.Title = titled.Label
	} else {
		p.at = start
		sub.Title = plain(strings.Trim(p.restOfStatement(), `"`))
		sub.ID = sub.Title
	}
	if len(p.graph.Subgraphs) == mostSubgraphs {
		p.fail("the chart has more than %d subgraphs", mostSubgraphs)
		return
	}
	p.open = append(p.open, len(p.graph.Subgraphs))
	p.graph.Subgraphs = append(p.graph.Subgraphs, sub)
}

func (p *parser) endSubgraph() {
	if len(p.open) == 0 {
		p.fail("end stands outside any subgraph")
		return
	}
	p.open = p.open[:len(p.open)-1]
}

// fail records why the current statement cannot be parsed. Only the first error of a statement counts.
func (p *parser) fail(format string, args ...any) {
	if !p.failed {
		p.errors = append(p.errors, Error{p.line(), fmt.Sprintf(format, args...)})
	}
	p.failed = true
}

func (p *parser) unexpected(wanted string) {
	if p.done() || p.has("\n") {
		p.fail("%s is missing at the end of the line", wanted)
		return
	}
	r, _ := utf8.DecodeRuneInString(p.rest())
	p.fail("%q stands where %s is expected", string(r), wanted)
}

// cut shortens what an error quotes, which may be the rest of the chart.
func cut(text string) string {
	const most = 30
	var start []string
	for word := range strings.FieldsSeq(text) {
		if start = append(start, word); len(start) > most {
			break
		}
	}
	return toolset.First(strings.Join(start, " "), most)
}
