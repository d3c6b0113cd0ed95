package mermaid

import (
	"slices"
	"strings"
)

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
	alone := p.done() || p.peek(0) == '\n' || p.peek(0) == ';' || p.has("%%")
	switch {
	case word == "end" && alone:
		p.endSubgraph()
	case word == "subgraph" && !p.atLink():
		p.subgraph(line)
	case alone || p.atLink():
		p.at = start
		return false
	default:
		return p.about(word, line, start)
	}
	return true
}

// about consumes the statements that are about what others draw.
func (p *parser) about(word string, line, start int) bool {
	switch word {
	case "direction":
		p.direction(p.restOfStatement())
	case "class", "style", "linkStyle":
		names, _, _ := strings.Cut(p.restOfStatement(), " ")
		p.mention(word, names, "", line)
	case "click":
		name, rest, _ := strings.Cut(p.restOfStatement(), " ")
		p.mention(word, name, target(rest), line)
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

func (p *parser) direction(name string) {
	switch {
	case !slices.Contains(directions, name):
		p.fail("%q is no direction; use TB, TD, BT, LR or RL", cut(name))
	case len(p.open) == 0:
		p.graph.Direction = name
	default:
		p.graph.Subgraphs[p.open[len(p.open)-1]].Direction = name
	}
}

func (p *parser) mention(keyword, names, link string, line int) {
	p.graph.Mentions = append(p.graph.Mentions, Mention{keyword, strings.Split(names, ","), link, line})
}

// target is the address of `click A "address"` or `click A href "address"`.
func target(rest string) string {
	rest = strings.TrimSpace(strings.TrimPrefix(strings.TrimSpace(rest), "href "))
	s := scanner{src: rest}
	text, _ := s.quoted()
	return text
}

// accessible skips the title or the description for screen readers.
func (p *parser) accessible() {
	if p.take("{") {
		if end := strings.IndexByte(p.rest(), '}'); end >= 0 {
			p.at += end + 1
			return
		}
		p.fail("the description is not closed with }")
		return
	}
	p.restOfLine()
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
	bracketed := Node{}
	if sub.ID != "" && strings.IndexByte("[({", p.peek(0)) >= 0 && !p.done() {
		if !p.label(&bracketed, line) {
			return
		}
		sub.Title = bracketed.Label
	} else {
		p.at = start
		sub.Title = plain(strings.Trim(p.restOfStatement(), `"`))
		sub.ID = sub.Title
	}
	p.open = append(p.open, len(p.graph.Subgraphs))
	p.graph.Subgraphs = append(p.graph.Subgraphs, sub)
}

func (p *parser) endSubgraph() {
	if len(p.open) == 0 {
		p.fail("end stands outside any subgraph")
		return
	}
	last := len(p.open) - 1
	p.graph.Subgraphs[p.open[last]].EndLine = p.line()
	p.open = p.open[:last]
}
