package webpage

import (
	"cmp"
	"path"
	"strconv"
	"strings"

	"github.com/sagasu-search/sagasu/sdk/x/lazyregexp"
	"github.com/sagasu-search/sagasu/sdk/x/markdown"
)

// inline adds the content of a node to a text. Blocks inside it are separated by spaces.
func (c *converter) inline(in *markdown.Inline, i int) {
	n := &c.nodes[i]
	if c.dropped[i] {
		return
	}
	switch n.name {
	case "":
		in.Text(n.text)
	case "br":
		in.Break()
	case "img":
		if alt := n.attribute("alt"); path.Base(n.attribute("src")) != alt {
			in.Picture(alt)
		}
	case "code", "tt", "samp":
		in.Code(c.plain(i))
	case "a":
		c.link(in, i)
	case "rt":
		// The phonetic reading would split a word that people search for.
	case "sup":
		in.Raised(c.plain(i))
	case "math":
		if alt := n.attribute("alttext"); alt != "" {
			in.Text(alt)
			return
		}
		c.formula(in, i)
	default:
		if c.repeats(i) {
			in.Unspace()
			return
		}
		if block[n.name] {
			in.Space()
			defer in.Space()
		}
		for at := n.first; at != 0; at = c.nodes[at].next {
			c.inline(in, int(at))
		}
	}
}

// formula writes MathML in the form in which people write it on one line.
func (c *converter) formula(in *markdown.Inline, i int) {
	n, count := &c.nodes[i], 0
	for at := n.first; at != 0; at = c.nodes[at].next {
		if c.dropped[at] {
			continue
		}
		if c.nodes[at].name != "" {
			count++
		}
		switch {
		case n.name == "msup" && count == 2:
			in.Raised(c.plain(int(at)))
		case c.nodes[at].name == "":
			in.Text(c.nodes[at].text)
		default:
			if n.name == "mfrac" && count == 2 {
				in.Text("/")
			}
			c.formula(in, int(at))
		}
	}
}

func (c *converter) link(in *markdown.Inline, i int) {
	n := &c.nodes[i]
	var text markdown.Inline
	for at := n.first; at != 0; at = c.nodes[at].next {
		c.inline(&text, int(at))
	}
	target := n.attribute("href")
	switch plain := text.Plain(); {
	case strings.HasPrefix(target, "#") && isMark(plain):
	case n.attribute("epub:type") == "noteref" || n.attribute("role") == "doc-noteref":
		in.Text("[" + strings.Trim(plain, "[]") + "]") // otherwise it runs into the word before it
	case strings.TrimSpace(target) == "":
		in.Append(&text)
	default:
		in.Link(&text, target)
		c.address = target
	}
}

// repeats reports whether an element only repeats the target of the link before it, as on pages for printing.
func (c *converter) repeats(i int) bool {
	if c.address == "" || c.nodes[i].name != "span" || int(c.size[i]) > len(c.address)+2 {
		return false
	}
	return strings.Trim(strings.TrimSpace(c.plain(i)), "[]()<>") == c.address
}

// list writes a list.
func (c *converter) list(i int) {
	c.flush()
	n, number := &c.nodes[i], 0
	if n.name == "ol" {
		number = 1
		if start, err := strconv.Atoi(n.attribute("start")); err == nil {
			number = start
		}
	}
	for at := n.first; at != 0; at = c.nodes[at].next {
		if child := &c.nodes[at]; child.name == "li" && !c.dropped[at] {
			if value, err := strconv.Atoi(child.attribute("value")); err == nil && number > 0 {
				number = value
			}
			c.mark(int(at))
			c.item(int(at), number)
			if number > 0 {
				number++
			}
			continue
		}
		c.walk(int(at))
	}
	c.flush()
}

func (c *converter) item(i, number int) {
	c.flush()
	c.w.Item(number)
	c.children(i)
	c.flush()
	c.w.Close()
}

// definitions writes the terms and definitions of a list as items. open and the result report whether an item is open.
func (c *converter) definitions(i int, open bool) bool {
	for at := c.nodes[i].first; at != 0; at = c.nodes[at].next {
		n := &c.nodes[at]
		switch {
		case c.dropped[at]:
		case n.name == "dt":
			c.flush()
			if open {
				c.w.Close()
			}
			c.w.Item(0)
			open = true
			c.mark(int(at))
			c.children(int(at))
			c.flush()
		case n.name == "dd":
			c.flush()
			if !open {
				c.w.Item(0)
				open = true
			}
			c.w.Join()
			c.mark(int(at))
			c.children(int(at))
			c.flush()
		case n.name == "div":
			open = c.definitions(int(at), open)
		default:
			c.walk(int(at))
		}
	}
	return open
}

var (
	languageOf = lazyregexp.New(
		`(?:^|\s)(?:language-|lang-|highlight-source-|highlight-|brush:\s*|sourceCode\s+)([\w+#.-]+)`)
	noLanguage = set("none default text plaintext notranslate plain txt")
)

// code writes preformatted text. Headings inside it stay headings, as in manual pages.
func (c *converter) code(i int) {
	c.flush()
	language := c.language(i)
	var b strings.Builder
	write := func() {
		c.w.Code(language, strings.ReplaceAll(b.String(), "\u00a0", " "))
		b.Reset()
	}
	for at := i; at < int(c.nodes[i].end); at++ {
		n := &c.nodes[at]
		switch {
		case c.dropped[at]:
		case headingLevels[n.name]:
			write()
			c.heading(at)
			at = int(n.end) - 1
		case n.name == "br":
			b.WriteByte('\n')
		default:
			b.WriteString(n.text)
		}
	}
	write()
	c.anchor, c.label = "", ""
}

// language returns the language of code according to its class, or the classes around and inside it.
func (c *converter) language(i int) string {
	near := []int{i, int(c.nodes[i].parent), int(c.nodes[c.nodes[i].parent].parent), int(c.nodes[i].first)}
	for _, at := range near {
		n := &c.nodes[at]
		name := cmp.Or(n.attribute("data-lang"), n.attribute("data-language"))
		if name != "" && !strings.ContainsAny(name, " `\n") {
			return name
		}
		if found := languageOf().FindStringSubmatch(n.attribute("class")); found != nil && !noLanguage[found[1]] {
			return found[1]
		}
	}
	return ""
}
