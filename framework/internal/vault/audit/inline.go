package audit

import (
	"bytes"
	"slices"
	"strings"

	"github.com/yuin/goldmark/ast"

	"github.com/sagasu-search/sagasu/sdk/x/lazyregexp"
)

// content is the parsed inline content of a block.
type content struct {
	text     parts // as read, without comments
	unlinked parts // without the texts of links and images too
	hidden   parts // comments
	ids      []string
	links    []mention
}

// mention is a link to an anchor in the same file.
type mention struct {
	to   string
	line int
	both bool // declared to go both ways
	from int  // place of the element it stands in, -1 for none
}

// parts are the pieces of a text, joined once: a block may have as many as it has bytes.
type parts []string

// partsOf returns the text of one piece, without the space around it.
func partsOf(text string) parts {
	if text = strings.TrimSpace(text); text == "" {
		return nil
	}
	return parts{text}
}

func (p parts) String() string { return strings.Join(p, " ") }

func (c *content) add(other content) {
	c.text = append(c.text, other.text...)
	c.unlinked = append(c.unlinked, other.unlinked...)
	c.hidden = append(c.hidden, other.hidden...)
	c.ids = append(c.ids, other.ids...)
	c.links = append(c.links, other.links...)
}

// citations takes the citations out of the text and the comments.
func (c content) citations() (cited Citation, text, unlinked string) {
	cited, text = citations(c.text.String())
	commented, _ := citations(strings.Join(c.hidden, "\n"))
	cited.add(commented)
	_, unlinked = citations(c.unlinked.String())
	return cited, text, unlinked
}

var (
	remark = lazyregexp.New(`(?s)<!--.*?-->`)
	tag    = lazyregexp.New(`<[^>]*>`)
	htmlID = lazyregexp.New(`(?i)<[a-z][^>]*\s(?:id|name)\s*=\s*["']?([^"'\s>]+)`)
	href   = lazyregexp.New(`(?i)<a\s[^>]*href\s*=\s*["']?#([^"'\s>]+)`)
	twoWay = lazyregexp.New(`(?i)(相互参照|双方向|two-way|bidirectional)`)
)

// html returns what a piece of HTML holds, which starts on a line.
func html(src string, line int) content {
	c := content{hidden: remark().FindAllString(src, -1)}
	shown := remark().ReplaceAllString(src, "")
	c.text = partsOf(tag().ReplaceAllString(shown, " "))
	c.unlinked = c.text
	for _, found := range htmlID().FindAllStringSubmatch(shown, -1) {
		c.ids = append(c.ids, found[1])
	}
	at := 0
	for _, found := range href().FindAllStringSubmatchIndex(shown, -1) {
		line += strings.Count(shown[at:found[0]], "\n")
		at = found[0]
		c.links = append(c.links, mention{to: shown[found[2]:found[3]], from: -1, line: line})
	}
	return c
}

// inline parses the inline content of a block, which starts on a line.
func (m *markdown) inline(block ast.Node, line int) content {
	var c content
	var text, unlinked strings.Builder
	depth := 0 // links around the current text
	_ = ast.Walk(block, func(node ast.Node, entering bool) (ast.WalkStatus, error) {
		if entering && node != block && node.Type() == ast.TypeBlock {
			return ast.WalkSkipChildren, nil
		}
		switch node.(type) {
		case *ast.Link, *ast.Image, *ast.AutoLink:
			depth += map[bool]int{true: 1, false: -1}[entering]
		}
		_, code := node.(*ast.CodeSpan)
		if !entering && !code {
			return ast.WalkContinue, nil
		}
		if pos := node.Pos(); node != block && pos >= 0 {
			line = m.lines.At(pos)
		}
		shown := m.leaf(&c, node, line)
		text.WriteString(shown)
		if depth == 0 {
			unlinked.WriteString(shown)
		}
		return ast.WalkContinue, nil
	})
	c.text, c.unlinked = partsOf(text.String()), partsOf(unlinked.String())
	return c
}

// leaf adds an inline node on a line and returns the text that it shows itself.
func (m *markdown) leaf(c *content, node ast.Node, line int) string {
	switch node := node.(type) {
	case *ast.Text:
		shown := string(node.Segment.Value(m.src))
		if node.SoftLineBreak() || node.HardLineBreak() {
			shown += " "
		}
		return shown
	case *ast.CodeSpan:
		return "`" // so that a citation without a number is known to be spoken of
	case *ast.RawHTML:
		of := html(string(node.Segments.Value(m.src)), line)
		of.text, of.unlinked = nil, nil
		c.add(of)
	case *ast.Link:
		if to, ok := m.local(string(node.Destination)); ok {
			c.links = append(c.links, mention{to: to, line: line, both: m.declaredBoth(node), from: -1})
		} else if out, ok := m.outward(string(node.Destination), line); ok {
			m.to.Outward = append(m.to.Outward, out)
		}
	}
	return ""
}

// local returns the anchor of a link within the file.
func (m *markdown) local(destination string) (string, bool) {
	name := m.to.Path[strings.LastIndexByte(m.to.Path, '/')+1:]
	if file, anchor, ok := strings.Cut(destination, "#"); ok && (file == "" || strings.TrimPrefix(file, "./") == name) {
		return anchor, true
	}
	return "", false
}

// arrows declare the link behind them to go both ways.
var arrows = []string{"↔", "⇔", "⟷", "⟺", "<->", "<=>"}

// declaredBoth reports whether a link is declared to go both ways: by an arrow
// right before it, or by a word on its line.
func (m *markdown) declaredBoth(node ast.Node) bool {
	pos := node.Pos()
	if pos < 0 {
		return false
	}
	line := m.lines.At(pos)
	before := bytes.TrimRight(m.src[m.lines.Start(line):pos], " \t*_")
	if slices.ContainsFunc(arrows, func(arrow string) bool { return bytes.HasSuffix(before, []byte(arrow)) }) {
		return true
	}
	both, known := m.twoWay[line]
	if !known {
		both = twoWay().MatchString(m.raw(line, line))
		m.twoWay[line] = both
	}
	return both
}
