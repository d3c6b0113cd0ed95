package mermaid

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"
)

// parser reads statement by statement.
type parser struct {
	scanner
	graph  Graph
	nodes  map[string]int  // ID → place in graph.Nodes
	framed map[string]bool // nodes that a subgraph has named
	open   []int           // subgraphs that are not ended, by place
	errors []Error
	failed bool // the current statement cannot be read
}

// IsFlowchart reports whether a Mermaid text draws a flowchart and not one of
// the other kinds of diagram.
func IsFlowchart(src string) bool {
	p := parser{scanner: newScanner(src)}
	p.preamble()
	return slices.Contains([]string{"flowchart", "flowchart-elk", "graph"}, p.word())
}

// Parse reads a flowchart. The graph holds all that could be read; the errors
// say what could not, in the order of their lines.
func Parse(src string) (Graph, []Error) {
	p := parser{scanner: newScanner(strings.ReplaceAll(src, "\r\n", "\n")), nodes: map[string]int{},
		framed: map[string]bool{}}
	p.preamble()
	p.header()
	for {
		p.skip(" \t\n;\v\f\r\u3000\u00a0")
		if p.done() {
			break
		}
		p.statement()
	}
	for _, i := range p.open {
		sub := &p.graph.Subgraphs[i]
		sub.EndLine = p.line()
		p.errors = append(p.errors, Error{sub.Line, fmt.Sprintf("the subgraph %q has no end", cut(sub.Title))})
	}
	p.dropFrames()
	slices.SortStableFunc(p.errors, func(a, b Error) int { return a.Line - b.Line })
	return p.graph, p.errors
}

// dropFrames takes out the nodes that turned out to be subgraphs, which an edge
// may name before they are drawn.
func (p *parser) dropFrames() {
	frames := map[string]bool{}
	for _, sub := range p.graph.Subgraphs {
		frames[sub.ID] = true
	}
	p.graph.Nodes = slices.DeleteFunc(p.graph.Nodes, func(n Node) bool { return frames[n.ID] && !n.Labelled })
	for i := range p.graph.Subgraphs {
		sub := &p.graph.Subgraphs[i]
		sub.Nodes = slices.DeleteFunc(sub.Nodes, func(id string) bool { return frames[id] })
	}
}

// preamble skips front matter and keeps comments before the header.
func (p *parser) preamble() {
	p.skip(" \t\r\n")
	if p.has("---\n") || p.has("---\r\n") {
		if end := strings.Index(p.rest()[3:], "\n---"); end >= 0 {
			p.at += 3 + end + 4
			p.restOfLine()
		}
	}
	for p.skip(" \t\r\n"); p.has("%%"); p.skip(" \t\r\n") {
		p.comment(false)
	}
}

var directions = []string{"TB", "TD", "BT", "RL", "LR", "<", ">", "^", "v"}

func (p *parser) header() {
	word := p.word()
	p.at += len(word)
	if word != "flowchart" && word != "graph" && word != "flowchart-elk" {
		p.fail("a flowchart begins with flowchart or graph and a direction")
		p.restOfLine()
	}
	p.blanks()
	for _, direction := range directions {
		if p.take(direction) {
			p.graph.Direction = direction
			break
		}
	}
	p.failed = false
	p.ended()
}

// comment consumes a comment, or a directive, which may hold several lines.
func (p *parser) comment(trailing bool) {
	line := p.line()
	if p.has("%%{") {
		if end := strings.Index(p.rest(), "}%%"); end >= 0 {
			p.at += end + len("}%%")
			return
		}
	}
	text := strings.TrimSpace(strings.TrimLeft(p.restOfLine(), "%"))
	p.graph.Comments = append(p.graph.Comments, Comment{text, line, trailing})
}

// statement consumes one statement and what ends it. One that cannot be read
// is skipped to the end of its line.
func (p *parser) statement() {
	p.failed = false
	switch {
	case p.has("%%"):
		p.comment(false)
		return
	case p.keyword():
	default:
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
	case !p.done() && !p.take(";") && p.peek(0) != '\n':
		p.unexpected("an arrow or the end of the statement")
		p.restOfLine()
	}
}

// mostEdges bounds what a short `A & B & … --> C & D & …` can ask for.
const mostEdges = 100_000

// chain consumes `A & B --> C --> D`.
func (p *parser) chain() {
	from := p.group()
	for !p.failed {
		p.blanks()
		line := p.line()
		l, ok := p.link()
		if !ok {
			return
		}
		p.blanks()
		to := p.group()
		if len(p.graph.Edges)+len(from)*len(to) > mostEdges {
			p.fail("the chart has more than %d edges", mostEdges)
			return
		}
		for _, a := range from {
			for _, b := range to {
				p.graph.Edges = append(p.graph.Edges, Edge{l.id, a, b, l.label, l.arrow, line})
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
	id := p.identifier()
	if !p.has("@{") || !slices.ContainsFunc(p.graph.Edges, func(e Edge) bool { return id != "" && e.ID == id }) {
		p.at = start
		return false
	}
	p.at++
	p.attributes(&Node{}, 0)
	return true
}

// skip consumes a run of the given characters.
func (p *parser) skip(set string) { p.at += len(p.rest()) - len(strings.TrimLeft(p.rest(), set)) }

// spaces skips white space, line ends too.
func (p *parser) spaces() { p.skip(" \t\r\n") }

// fail notes why the current statement cannot be read; only its first error.
func (p *parser) fail(format string, args ...any) {
	if !p.failed {
		p.errors = append(p.errors, Error{p.line(), fmt.Sprintf(format, args...)})
	}
	p.failed = true
}

func (p *parser) unexpected(wanted string) {
	if p.done() || p.peek(0) == '\n' {
		p.fail("%s is missing at the end of the line", wanted)
		return
	}
	r, _ := utf8.DecodeRuneInString(p.rest())
	p.fail("%q stands where %s is expected", string(r), wanted)
}

// cut shortens what an error quotes.
func cut(text string) string {
	runes := []rune(strings.Join(strings.Fields(text), " "))
	if len(runes) > 30 {
		return string(runes[:30]) + "…"
	}
	return string(runes)
}
