package webpage

import (
	"cmp"
	"context"
	"errors"
	"io"
	"slices"
	"strings"

	"golang.org/x/net/html"
)

const (
	// maxNodes is the maximum number of elements and texts of a page.
	maxNodes = 2 << 20
	// maxDepth is the maximum nesting depth. The text of deeper elements is added to the innermost one that
	// is kept.
	maxDepth = 256
	// maxToken is the maximum size of a tag or a text in bytes.
	maxToken = 32 << 20
	// maxAttribute is the maximum length in bytes of the attribute values that are kept.
	maxAttribute = 4096
)

// node is an element, or a text if name is "". Nodes are in one slice, parents before their children.
type node struct {
	name               string
	text               string
	attributes         []html.Attribute
	parent, first, end int32 // first child, and the node after the last descendant
	next               int32 // next sibling, or 0
}

// tree is a page. Its first node is the root.
type tree struct {
	nodes []node
	title string
	home  string // title of the book or site that the page belongs to according to its markup
	full  bool   // the page has more content
}

// attribute returns the value of an attribute, or "".
func (n *node) attribute(name string) string {
	for _, a := range n.attributes {
		if a.Key == name {
			return a.Val
		}
	}
	return ""
}

func (n *node) has(name string) bool {
	return slices.ContainsFunc(n.attributes, func(a html.Attribute) bool { return a.Key == name })
}

// kept are the attributes that affect the text.
var kept = set("id name class role href src alt hidden aria-hidden aria-level style colspan rowspan start value " +
	"type lang title epub:type summary data-lang data-language xml:id open rel")

// void are the elements without content, and raw those whose content is not text of the page.
var (
	void = set("area base br col embed hr img input link meta param source track wbr frame keygen")
	raw  = set("script style template noscript iframe noembed noframes object applet svg canvas audio video select " +
		"textarea datalist rp map head title annotation annotation-xml")
)

// block are the elements that end a paragraph.
var block = set("address article aside blockquote body center dd details dialog dir div dl dt fieldset figcaption " +
	"figure footer form frameset h1 h2 h3 h4 h5 h6 header hgroup hr html legend li main menu nav ol p pre section " +
	"summary table tbody td tfoot th thead tr ul caption")

// implied lists for an element which open elements its start tag ends, up to one of the scope.
var implied = map[string]struct{ ends, scope map[string]bool }{
	"li":       {set("li"), set("ul ol menu dir table")},
	"dt":       {set("dt dd"), set("dl table")},
	"dd":       {set("dt dd"), set("dl table")},
	"tr":       {set("tr td th"), set("table")},
	"td":       {set("td th"), set("tr table")},
	"th":       {set("td th"), set("tr table")},
	"tbody":    {set("tbody thead tfoot tr td th caption"), set("table")},
	"thead":    {set("tbody thead tfoot tr td th caption"), set("table")},
	"tfoot":    {set("tbody thead tfoot tr td th caption"), set("table")},
	"caption":  {set("caption"), set("table")},
	"rt":       {set("rt rp rb"), set("ruby")},
	"rp":       {set("rt rp rb"), set("ruby")},
	"rb":       {set("rt rp rb"), set("ruby")},
	"option":   {set("option"), set("select")},
	"a":        {set("a"), set("table td th")},
	"h1":       {set("h1 h2 h3 h4 h5 h6 p"), set("table td th li div section article")},
	"optgroup": {set("optgroup option"), set("select")},
}

func set(names string) map[string]bool {
	all := map[string]bool{}
	for _, name := range strings.Fields(names) {
		all[name] = true
	}
	return all
}

// parser builds a tree.
type parser struct {
	tree
	open   []int32        // the open elements
	names  map[string]int // number of open elements with each name
	last   []int32        // the last child of each open element
	beyond int            // number of open elements below maxDepth
	spelt  map[string]string
}

// reader fails when its context ends. It reads in small pieces, since a token may be as long as the page.
type reader struct {
	ctx context.Context
	src io.Reader
}

func (r reader) Read(p []byte) (int, error) {
	if r.ctx.Err() != nil {
		return 0, context.Cause(r.ctx)
	}
	return r.src.Read(p[:min(len(p), 64<<10)])
}

// parse reads a page.
func parse(ctx context.Context, src io.Reader) (*tree, error) {
	p := &parser{names: map[string]int{}, spelt: map[string]string{}}
	p.nodes = append(p.nodes, node{name: "#root"})
	p.open, p.last = []int32{0}, []int32{0}
	z := html.NewTokenizer(reader{ctx, src})
	z.SetMaxBuf(maxToken)
	z.AllowCDATA(true)
	for {
		kind := z.Next()
		if kind == html.ErrorToken {
			if err := z.Err(); errors.Is(err, html.ErrBufferExceeded) {
				p.full = true
			} else if !errors.Is(err, io.EOF) {
				return nil, err
			}
			break
		}
		if len(p.nodes) >= maxNodes {
			p.full = true
			break
		}
		switch kind {
		case html.TextToken:
			text := string(z.Text())
			if p.add(node{text: text}); p.title == "" && p.names["title"] > 0 && p.names["svg"] == 0 {
				p.title = strings.Join(strings.Fields(text), " ")
			}
		case html.StartTagToken, html.SelfClosingTagToken:
			p.start(z, kind == html.SelfClosingTagToken)
		case html.EndTagToken:
			name, _ := z.TagName()
			p.close(p.name(name))
		}
	}
	p.unwind(0)
	p.nodes[0].end = int32(len(p.nodes))
	return &p.tree, nil
}

func (p *parser) start(z *html.Tokenizer, closed bool) {
	name, more := z.TagName()
	n := node{name: p.name(name)}
	for more {
		var key, value []byte
		key, value, more = z.TagAttr()
		if kept[string(key)] && len(value) <= maxAttribute && len(n.attributes) < len(kept) {
			n.attributes = append(n.attributes, html.Attribute{Key: string(key), Val: string(value)})
		}
	}
	if closed {
		z.NextIsNotRawText() // XHTML may have an empty script
	}
	if rel := n.attribute("rel"); n.name == "link" && p.home == "" && (rel == "home" || rel == "start") {
		p.home = strings.Join(strings.Fields(n.attribute("title")), " ")
	}
	p.imply(n.name)
	index := p.add(n)
	if closed || void[n.name] {
		return
	}
	if len(p.open) > maxDepth {
		p.beyond++
		return
	}
	p.open, p.last = append(p.open, index), append(p.last, 0)
	p.names[n.name]++
}

// name returns the name of a tag, with one copy of each.
func (p *parser) name(tag []byte) string {
	if name, found := p.spelt[string(tag)]; found {
		return name
	}
	name := cmp.Or(strings.TrimPrefix(string(tag), "html:"), "#unnamed")
	if len(p.spelt) < 1000 {
		p.spelt[string(tag)] = name
	}
	return name
}

// imply ends the elements whose end tags were omitted before an element that starts.
func (p *parser) imply(name string) {
	if block[name] && p.names["head"] > 0 {
		p.end(map[string]bool{"head": true}, nil)
	}
	if block[name] && p.names["p"] > 0 {
		p.end(map[string]bool{"p": true}, paragraphScope)
	}
	if len(name) == 2 && name[0] == 'h' && name[1] > '1' && name[1] <= '6' {
		name = "h1"
	}
	rule, found := implied[name]
	if !found {
		return
	}
	for ended := true; ended; {
		ended = p.end(rule.ends, rule.scope)
	}
}

var paragraphScope = set("table td th caption object button")

// end closes the innermost open element with one of some names, unless one of the scope is inside it.
func (p *parser) end(names, scope map[string]bool) bool {
	for i := len(p.open) - 1; i > 0; i-- {
		name := p.nodes[p.open[i]].name
		if names[name] {
			p.unwind(i)
			return true
		}
		if scope[name] {
			return false
		}
	}
	return false
}

// close handles an end tag. It ignores one without a start tag.
func (p *parser) close(name string) {
	if p.beyond > 0 {
		p.beyond--
		return
	}
	if p.names[name] == 0 {
		return
	}
	scope := map[string]bool(nil)
	if name != "table" && name != "body" && name != "html" {
		scope = cellScope
		if name == "td" || name == "th" || name == "tr" || name == "tbody" || name == "thead" || name == "tfoot" {
			scope = tableScope
		}
	}
	p.end(map[string]bool{name: true}, scope)
}

var (
	tableScope = set("table")
	cellScope  = set("td th table")
)

// unwind closes open elements down to a depth; 0 keeps the root.
func (p *parser) unwind(depth int) {
	for i := len(p.open) - 1; i >= max(depth, 1); i-- {
		n := &p.nodes[p.open[i]]
		n.end = int32(len(p.nodes))
		p.names[n.name]--
	}
	p.open, p.last = p.open[:max(depth, 1)], p.last[:max(depth, 1)]
}

// add appends a node below the innermost open element.
func (p *parser) add(n node) int32 {
	index, top := int32(len(p.nodes)), len(p.open)-1
	n.parent, n.end = p.open[top], index+1
	p.nodes = append(p.nodes, n)
	if last := p.last[top]; last != 0 {
		p.nodes[last].next = index
	} else {
		p.nodes[p.open[top]].first = index
	}
	p.last[top] = index
	return index
}
