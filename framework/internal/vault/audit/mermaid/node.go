package mermaid

import (
	"html"
	"regexp"
	"slices"
	"strings"
)

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
	if p.has("@{") {
		p.at++
		p.attributes(n, line)
	} else {
		p.label(n, line)
	}
	for !p.failed && p.take(":::") {
		n.Classes = append(n.Classes, strings.Split(p.identifierList(), ",")...)
	}
	return id
}

// identifierList consumes names that commas join.
func (p *parser) identifierList() string {
	start := p.at
	for p.identifier() != "" && p.take(",") {
	}
	return p.src[start:p.at]
}

// named is the node of an ID, made on its first mention. It belongs to the
// subgraph that is the first to name it.
func (p *parser) named(id string, line int) *Node {
	if len(p.open) > 0 && !p.framed[id] {
		inner := &p.graph.Subgraphs[p.open[len(p.open)-1]]
		inner.Nodes = append(inner.Nodes, id)
		p.framed[id] = true
	}
	if i, ok := p.nodes[id]; ok {
		return &p.graph.Nodes[i]
	}
	p.nodes[id] = len(p.graph.Nodes)
	p.graph.Nodes = append(p.graph.Nodes, Node{ID: id, Label: id, Shape: Rectangle, Line: line})
	return &p.graph.Nodes[len(p.graph.Nodes)-1]
}

// label consumes a label in brackets, if one comes next.
func (p *parser) label(n *Node, line int) bool {
	for _, b := range brackets {
		if !p.take(b.open) {
			continue
		}
		text, shape, ok := p.untilClosed(b)
		if ok {
			n.define(text, shape, line)
		}
		return ok
	}
	return true
}

// define sets a node's label. The first one sets its line, too.
func (n *Node) define(label string, shape Shape, line int) {
	if !n.Labelled {
		n.Line = line
	}
	n.Label, n.Labelled, n.Shape = plain(label), true, shape
}

// untilClosed consumes a label and its closing bracket. Without quotes a label
// holds no brackets, pipes or quotes.
func (p *parser) untilClosed(b bracket) (string, Shape, bool) {
	start := p.at
	p.spaces()
	if text, ok := p.quoted(); ok {
		p.spaces()
		if c, ok := p.closed(b); ok {
			return text, c.shape, true
		}
		p.fail("the label %q is not closed with %s", cut(text), b.closes[0].text)
		return "", "", false
	}
	for p.at = start; !p.done(); p.at++ {
		if c, ok := p.closed(b); ok {
			return p.src[start : p.at-len(c.text)], c.shape, true
		}
		if strings.IndexByte(`[](){}|"`, p.peek(0)) >= 0 {
			break
		}
	}
	text := p.src[start:p.at]
	p.at = start
	p.fail("the label %q is not closed with %s; a label with brackets or quotes in it needs quotes around it",
		cut(text), b.closes[0].text)
	return "", "", false
}

func (p *parser) closed(b bracket) (closing, bool) {
	i := slices.IndexFunc(b.closes, func(c closing) bool { return p.take(c.text) })
	if i < 0 {
		return closing{}, false
	}
	return b.closes[i], true
}

// attributes consumes `{ key: value, … }` behind an @.
func (p *parser) attributes(n *Node, line int) {
	start := p.at
	p.at++
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
		n.set(key, p.value(), line)
	}
	p.at = start
	p.fail("the attributes in @{ } are not pairs such as shape: diam, closed with }")
}

// value consumes the value of an attribute.
func (p *parser) value() string {
	p.spaces()
	if text, ok := p.quoted(); ok {
		return text
	}
	end := strings.IndexAny(p.rest(), ",}\n")
	if end < 0 {
		end = len(p.rest())
	}
	p.at += end
	return strings.Trim(strings.TrimSpace(p.src[p.at-end:p.at]), "'")
}

func (n *Node) set(key, value string, line int) {
	switch key {
	case "shape":
		n.define(n.Label, shapeNamed(value), line)
	case "label":
		n.define(value, n.Shape, line)
	}
}

var (
	lineBreak = regexp.MustCompile(`(?i)<br\s*/?>`)
	entity    = regexp.MustCompile(`#(\w+);`)
)

// plain is a label as a reader sees it: without the quotes of a Markdown
// string, line breaks as spaces, entities such as #quot; and #9829; resolved.
func plain(label string) string {
	label = strings.TrimSpace(label)
	if inner, ok := strings.CutPrefix(label, "`"); ok && strings.HasSuffix(inner, "`") {
		label = strings.TrimSuffix(inner, "`")
	}
	label = lineBreak.ReplaceAllString(label, " ")
	label = entity.ReplaceAllStringFunc(label, func(code string) string {
		name := code[1:]
		if name[0] >= '0' && name[0] <= '9' {
			name = "#" + name
		}
		return html.UnescapeString("&" + name)
	})
	return strings.Join(strings.Fields(label), " ")
}
