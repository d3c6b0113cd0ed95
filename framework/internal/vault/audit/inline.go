package audit

import (
	"strings"

	"github.com/yuin/goldmark/ast"

	"github.com/sagasu-search/sagasu/sdk/x/lazyregexp"
)

// content is what the text of a block holds.
type content struct {
	text     string // as read, without comments
	unlinked string // without the texts of links and images too
	hidden   string // comments
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

func (c *content) add(other content) {
	c.text = strings.TrimSpace(c.text + " " + other.text)
	c.unlinked = strings.TrimSpace(c.unlinked + " " + other.unlinked)
	c.hidden += "\n" + other.hidden
	c.ids = append(c.ids, other.ids...)
	c.links = append(c.links, other.links...)
}

// citations takes the citations out of the text and the comments.
func (c content) citations() (cited Citation, text, unlinked string) {
	cited, text = citations(c.text)
	commented, _ := citations(c.hidden)
	cited.add(commented)
	_, unlinked = citations(c.unlinked)
	return cited, text, unlinked
}

var (
	remark = lazyregexp.New(`(?s)<!--.*?-->`)
	tag    = lazyregexp.New(`<[^>]*>`)
	htmlID = lazyregexp.New(`(?i)<[a-z][^>]*\s(?:id|name)\s*=\s*["']?([^"'\s>]+)`)
	href   = lazyregexp.New(`(?i)<a\s[^>]*href\s*=\s*["']?#([^"'\s>]+)`)
	arrow  = lazyregexp.New(`(↔|⇔|⟷|⟺|<->|<=>)$`)
	twoWay = lazyregexp.New(`(?i)(相互参照|双方向|two-way|bidirectional)`)
)

// html returns what a piece of HTML holds, which starts on a line.
func html(src string, line int) content {
	c := content{hidden: strings.Join(remark().FindAllString(src, -1), "\n")}
	shown := remark().ReplaceAllString(src, "")
	c.text = strings.TrimSpace(tag().ReplaceAllString(shown, " "))
	c.unlinked = c.text
	for _, found := range htmlID().FindAllStringSubmatch(shown, -1) {
		c.ids = append(c.ids, found[1])
	}
	for _, found := range href().FindAllStringSubmatchIndex(shown, -1) {
		c.links = append(c.links, mention{to: shown[found[2]:found[3]], from: -1,
			line: line + strings.Count(shown[:found[0]], "\n")})
	}
	return c
}

// inline returns what the inline text of a block holds. line is where it starts.
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
	c.text, c.unlinked = strings.TrimSpace(text.String()), strings.TrimSpace(unlinked.String())
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
	case *ast.String:
		return string(node.Value)
	case *ast.CodeSpan:
		return "`" // so that a citation without a number is known to be spoken of
	case *ast.RawHTML:
		of := html(string(node.Segments.Value(m.src)), line)
		of.text, of.unlinked = "", ""
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

// declaredBoth reports whether a link is declared to go both ways: by an arrow
// right before it, or by a word on its line.
func (m *markdown) declaredBoth(node ast.Node) bool {
	pos := node.Pos()
	if pos < 0 {
		return false
	}
	line := m.lines.At(pos)
	before := strings.TrimRight(string(m.src[m.lines.Start(line):pos]), " \t*_")
	return arrow().MatchString(before) || twoWay().MatchString(m.raw(line, line))
}
