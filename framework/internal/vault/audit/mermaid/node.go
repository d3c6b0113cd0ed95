package mermaid

import (
	"cmp"
	"html"
	"slices"
	"strings"

	"github.com/sagasu-search/sagasu/sdk/x/lazyregexp"
)

// Shape is the form of a node, by its name in `@{ shape: … }`; "" where brackets draw one that
// has no constant.
type Shape string

// The shapes that mean something in a flow.
const (
	Stadium      Shape = "stadium"
	Circle       Shape = "circle"
	DoubleCircle Shape = "dbl-circ"
	Ellipse      Shape = "ellipse"
	Diamond      Shape = "diam"
)

// bracket opens a label, which any of its closings ends.
type bracket struct {
	open   string
	shape  Shape
	closes []string
}

// brackets are tried in order, the longer before its prefix.
var brackets = []bracket{
	{"(((", DoubleCircle, []string{")))"}},
	{"((", Circle, []string{"))"}},
	{"([", Stadium, []string{"])"}},
	{"(-", Ellipse, []string{"-)"}},
	{"(", "", []string{")"}},
	{"[[", "", []string{"]]"}},
	{"[(", "", []string{")]"}},
	{"[/", "", []string{"/]", `\]`}},
	{`[\`, "", []string{`\]`, "/]"}},
	{"[", "", []string{"]"}},
	{"{{", "", []string{"}}"}},
	{"{", Diamond, []string{"}"}},
	{">", "", []string{"]"}},
}

// aliases are other names of the shapes that have a constant.
var aliases = map[string]Shape{
	"terminal": Stadium, "pill": Stadium,
	"circ":          Circle,
	"double-circle": DoubleCircle,
	"decision":      Diamond, "diamond": Diamond, "question": Diamond,
}

// node consumes a node with its label and classes and returns its ID, "" when
// none comes next. A node whose label cannot be read is one all the same.
func (p *parser) node() string {
	line := p.line()
	id := p.identifier()
	if id == "" {
		p.unexpected("a node")
		return ""
	}
	n := p.named(id, line)
	if p.take("@{") {
		p.attributes(n, line)
	} else {
		p.label(n, line)
	}
	for !p.failed && p.take(":::") {
		for p.identifier() != "" && p.take(",") {
		}
	}
	return id
}

// named returns the node of an ID, made on its first mention. It belongs to the
// subgraph that is the first to name it.
func (p *parser) named(id string, line int) *Node {
	if len(p.open) > 0 && !p.framed[id] {
		inner := &p.graph.Subgraphs[p.open[len(p.open)-1]]
		inner.Nodes = append(inner.Nodes, id)
		p.framed[id] = true
	}
	at, ok := p.nodes[id]
	if !ok {
		at = len(p.graph.Nodes)
		p.nodes[id] = at
		p.graph.Nodes = append(p.graph.Nodes, Node{ID: id, Label: id, Line: line})
	}
	return &p.graph.Nodes[at]
}

// label consumes a label in brackets, if one comes next.
func (p *parser) label(n *Node, line int) {
	for _, b := range brackets {
		if !p.take(b.open) {
			continue
		}
		if text := p.untilClosed(b.closes); !p.failed {
			n.define(text, b.shape, line)
		}
		return
	}
}

// define sets a node's label. The first one sets its line, too.
func (n *Node) define(label string, shape Shape, line int) {
	if !n.labelled {
		n.Line = line
	}
	n.Label, n.labelled, n.Shape = plain(label), true, shape
}

// untilClosed consumes a label and its closing bracket. Without quotes a label
// holds no brackets, pipes or quotes.
func (p *parser) untilClosed(closes []string) string {
	closed := func() bool { return slices.ContainsFunc(closes, p.take) }
	start := p.at
	p.spaces()
	if text, ok := p.quoted(); ok {
		if p.spaces(); !closed() {
			p.fail("the label %q is not closed with %s", cut(text), closes[0])
		}
		return text
	}
	p.at = start
	end := p.next(`[](){}|"`, strings.IndexAny)
	for p.at = max(start, end-1); p.at <= end; p.at++ { // a closing has one of these at its start or behind it
		if text := p.src[start:p.at]; closed() {
			return text
		}
	}
	text := p.src[start:end]
	p.at = start
	p.fail("the label %q is not closed with %s; a label with brackets or quotes in it needs quotes around it",
		cut(text), closes[0])
	return text
}

// attributes consumes `key: value, … }` behind @{.
func (p *parser) attributes(n *Node, line int) {
	start := p.at
	for {
		p.skip(" \t\n,")
		if p.take("}") {
			return
		}
		key := p.identifier()
		p.spaces()
		if key == "" || !p.take(":") {
			break
		}
		switch value := p.value(); key {
		case "shape":
			value = strings.ToLower(value)
			n.define(n.Label, cmp.Or(aliases[value], Shape(value)), line)
		case "label":
			n.define(value, n.Shape, line)
		}
	}
	failed := p.at
	p.at = start
	p.fail("the attributes in @{ } are not pairs such as shape: diam, closed with }")
	p.at = max(start, strings.LastIndexByte(p.src[:failed], '\n')) // the line that is no pair may be a statement
}

// value consumes the value of an attribute.
func (p *parser) value() string {
	p.spaces()
	if text, ok := p.quoted(); ok {
		return text
	}
	return strings.Trim(strings.TrimSpace(p.until(",}\n")), "'")
}

var (
	lineBreak = lazyregexp.New(`(?i)<br\s*/?>`)
	entity    = lazyregexp.New(`#(\w+);`)
)

// plain returns a label as a reader sees it: without the quotes of a Markdown
// string, line breaks as spaces, entities such as #quot; and #9829; resolved.
func plain(label string) string {
	label = strings.TrimSpace(label)
	if inner, ok := strings.CutPrefix(label, "`"); ok && strings.HasSuffix(inner, "`") {
		label = strings.TrimSuffix(inner, "`")
	}
	label = lineBreak().ReplaceAllString(label, " ")
	label = entity().ReplaceAllStringFunc(label, func(code string) string {
		if code[1] >= '0' && code[1] <= '9' {
			return html.UnescapeString("&" + code)
		}
		return html.UnescapeString("&" + code[1:])
	})
	return strings.Join(strings.Fields(label), " ")
}
