package webpage

import (
	"cmp"
	"context"
	"strings"
	"unicode"

	"github.com/sagasu-search/sagasu/sdk/x/lazyregexp"
)

// holds is the set of things inside an element.
type holds uint8

const (
	holdsBlock holds = 1 << iota
	holdsHeading
	holdsTitle // a heading of level 1
	holdsTable
	holdsCode
)

// content records for each node what belongs to the text of the page.
type content struct {
	*tree
	dropped []bool
	inMain  []bool
	size    []int32 // of the text in bytes, without white space
	linked  []int32 // of the text in links
	holds   []holds
}

// choose separates the main content of a page from site navigation. Everything in a book is content. It returns early
// if ctx ends.
func choose(ctx context.Context, t *tree, book bool) *content {
	n := len(t.nodes)
	c := &content{tree: t, dropped: make([]bool, n), inMain: make([]bool, n)}
	for i := range t.nodes {
		node := &t.nodes[i]
		c.inMain[i] = i > 0 && c.inMain[node.parent] || isMain(node)
		c.dropped[i] = i > 0 && c.dropped[node.parent] || c.hidden(i, book)
	}
	if ctx.Err() != nil {
		return c
	}
	c.measure()
	if ctx.Err() != nil {
		return c
	}
	before := c.size[0]
	if c.dropSoft(); c.size[0] == 0 && before > 0 { // a page of only links
		for i := range t.nodes {
			c.dropped[i] = i > 0 && c.dropped[t.nodes[i].parent] || c.hidden(i, book)
		}
		c.measure()
	}
	return c
}

func isMain(n *node) bool {
	return n.name == "main" || n.attribute("role") == "main" || n.name == "article"
}

// roles are the roles of elements that are not part of a page's text.
var roles = set("navigation contentinfo search complementary dialog alertdialog menu menubar toolbar tablist")

// hidden reports whether a node is not shown, or whether its own markup says that it is not part of the page's text.
func (c *content) hidden(i int, book bool) bool {
	n := &c.nodes[i]
	if n.name == "" {
		return false
	}
	if raw[n.name] {
		return true
	}
	role := n.attribute("role")
	unseen := n.has("hidden") || n.attribute("aria-hidden") == "true" ||
		strings.Contains(strings.ReplaceAll(n.attribute("style"), " ", ""), "display:none")
	switch {
	case n.name == "body" || n.name == "html":
		return false
	case unseen && role != "tabpanel", n.name == "nav", n.name == "dialog" && !n.has("open"):
		return true
	case book:
		return false
	case n.name == "aside" || n.name == "footer" || roles[role]:
		return !c.inMain[i] || role == "navigation"
	case n.name == "button":
		return !headingLevels[c.nodes[n.parent].name]
	}
	return false
}

var headingLevels = set("h1 h2 h3 h4 h5 h6")

// measure counts the text of all elements, from last to first, so that children come before their parents.
func (c *content) measure() {
	n := len(c.nodes)
	c.size, c.linked, c.holds = make([]int32, n), make([]int32, n), make([]holds, n)
	for i := n - 1; i > 0; i-- {
		node := &c.nodes[i]
		if c.dropped[i] {
			continue
		}
		switch name := node.name; {
		case name == "":
			c.size[i] = visibleBytes(node.text)
		case name == "a" && node.has("href"):
			c.linked[i] = c.size[i]
		case headingLevels[name] && c.size[i] > 0:
			c.holds[node.parent] |= holdsHeading
			if name == "h1" {
				c.holds[node.parent] |= holdsTitle
			}
		case name == "table":
			c.holds[node.parent] |= holdsTable
		case name == "pre":
			c.holds[node.parent] |= holdsCode
		}
		if block[node.name] {
			c.holds[node.parent] |= holdsBlock
		}
		c.size[node.parent] += c.size[i]
		c.linked[node.parent] += c.linked[i]
		c.holds[node.parent] |= c.holds[i]
	}
}

func visibleBytes(s string) int32 {
	n := 0
	for i := range len(s) {
		if s[i] > ' ' {
			n++
		}
	}
	return int32(n)
}

var (
	// banner matches names of consent banners.
	banner = lazyregexp.New(`(?i)cookie[-_]?(?:banner|consent|notice|bar|popup|message|law|alert|dialog|modal|overlay)|` +
		`consent[-_]?(?:banner|manager|popup|modal)|onetrust|gdpr|usercentrics|cookiebot`)
	// skipping matches a link past the content above the text.
	skipping = lazyregexp.New(`(?i)^\s*(?:skip|jump) (?:to|navigation)|^\s*(?:本文|メインコンテンツ|コンテンツ|メニュー)(?:へ|を)`)

	// guiding are words in classes and ids of site navigation. Those in dense count if most of the text is links, and
	// those in list if a whole class or id is the word.
	guiding = set("navheader navfooter navbar navbars breadcrumb breadcrumbs skiplink skiplinks skip pagination " +
		"pager sphinxsidebar prevnext docnav headerlink linenos linenodiv lineno")
	dense = set("nav navigation menu sidebar toc toctree tableofcontents topnav sidenav leftnav subnav")
	list  = set("contents footer header related share social banner")
)

// dropSoft drops elements that look like navigation by their names and by their share of links.
func (c *content) dropSoft() {
	for i := range c.nodes {
		n := &c.nodes[i]
		if i > 0 && c.dropped[n.parent] {
			c.dropped[i] = true
		}
		if c.dropped[i] || n.name == "" || n.name == "body" || n.name == "html" || n.name == "#root" {
			continue
		}
		c.dropped[i] = c.guides(i, n)
	}
	c.measure()
}

func (c *content) guides(i int, n *node) bool {
	const most, share = 1500, 0.6 // bytes of text, and share of text in links
	mostlyLinks := float64(c.linked[i]) >= share*float64(c.size[i])
	titled := c.holds[i]&holdsTitle != 0
	switch {
	case n.name == "a":
		return strings.HasPrefix(n.attribute("href"), "#") && c.size[i] < 100 && skipping().MatchString(c.plain(i))
	case n.name == "header" || n.attribute("role") == "banner":
		return !c.inMain[i] && (!titled || mostlyLinks)
	case n.name == "form":
		return c.holds[i]&(holdsHeading|holdsBlock) == 0
	case n.name == "section" || headingLevels[n.name] || titled:
		return false
	case c.size[i] < 2*most && banner().MatchString(n.attribute("class")+" "+n.attribute("id")):
		return true
	}
	isSmall := c.size[i] < most && c.holds[i]&holdsHeading == 0
	isList := mostlyLinks && c.size[i] > 0 && c.holds[i]&holdsTable == 0
	for _, name := range strings.Fields(strings.ToLower(n.attribute("class") + " " + n.attribute("id"))) {
		if isList && list[name] {
			return true
		}
		for _, word := range strings.FieldsFunc(name, func(r rune) bool { return !unicode.IsLetter(r) }) {
			if isSmall && guiding[word] || isList && dense[word] {
				return true
			}
		}
	}
	return false
}

// plain returns the text of a node as written, without dropped parts.
func (c *content) plain(i int) string {
	var b strings.Builder
	for at := i; at < int(c.nodes[i].end); at++ {
		if c.dropped[at] {
			continue
		}
		b.WriteString(c.nodes[at].text)
		if c.nodes[at].name == "br" {
			b.WriteByte('\n')
		}
	}
	return b.String()
}

// text returns the whole text of a node.
func (c *content) text(i int) string {
	var b strings.Builder
	for at := i; at < int(c.nodes[i].end); at++ {
		b.WriteString(c.nodes[at].text)
	}
	return b.String()
}

// bodies are names of elements with the text of a page, for pages without a main element.
var bodies = set("content main bodycontent maincontent document body article post markdown documentation entry")

// root returns the node with the main content.
func (c *content) root() int {
	best, share := 0, 0.0
	for i := range c.nodes {
		n := &c.nodes[i]
		if n.name == "" || c.dropped[i] {
			continue
		}
		least := 2.0
		switch {
		case n.name == "main" || n.attribute("role") == "main":
			least = 0.25
		case n.name == "article":
			least = 0.6
		case n.name == "div" && bodies[strings.ToLower(cmp.Or(n.attribute("id"), n.attribute("class")))]:
			least = 0.8
		}
		if s := float64(c.size[i]) / float64(max(c.size[0], 1)); s >= least && s > share {
			best, share = i, s
		}
	}
	return best
}
