package webpage

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/sagasu-search/sagasu/sdk"
	"github.com/sagasu-search/sagasu/sdk/x/charset"
	"github.com/sagasu-search/sagasu/sdk/x/lazyregexp"
	"github.com/sagasu-search/sagasu/sdk/x/markdown"
)

// Options configure how a page is converted.
type Options struct {
	// Chapter is the name of the page in its book, or "" for a separate page. It becomes part of places.
	Chapter string
	// Titles are the titles of places by fragment, "" for the whole page. They are used where the page has no heading.
	Titles map[string]Title
}

// Title is the title of a place in a table of contents.
type Title struct {
	Text  string
	Level int
}

// Page describes a converted page.
type Page struct {
	Title string
	// Home is the title of the book or site that the page belongs to according to its markup, or "".
	Home string
	// Encoding is the original encoding of the page, or "" for UTF-8.
	Encoding string
	// Full reports whether the page has more content than was read.
	Full bool
}

// Convert writes the main content of a page, which may be in any encoding.
func Convert(ctx context.Context, w *markdown.Writer, src []byte, o Options) (Page, error) {
	text, encoding, err := Decode(src)
	if err != nil {
		return Page{}, err
	}
	t, err := parse(ctx, bytes.NewReader(text))
	if err != nil {
		return Page{}, err
	}
	content := choose(ctx, t, o.Chapter != "")
	if ctx.Err() != nil {
		return Page{}, context.Cause(ctx)
	}
	c := &converter{content: content, ctx: ctx, w: w, options: o}
	if o.Chapter != "" {
		w.Place(c.place(""))
		c.title("", 0)
	}
	root := 0
	if o.Chapter == "" {
		root = content.root()
	}
	c.walk(root)
	c.flush()
	if ctx.Err() != nil {
		return Page{}, context.Cause(ctx)
	}
	return Page{Title: t.title, Home: t.home, Encoding: encoding, Full: t.full}, nil
}

// Decode returns a page in UTF-8 and its original encoding, which is "" for UTF-8. It fails if the encoding is unknown.
func Decode(src []byte) (text []byte, encoding string, err error) {
	if said := declared(src); said != "" && charset.Name(said) == "" && !utf8.Valid(src) {
		return nil, "", fmt.Errorf("the encoding %.40q is not known", said)
	}
	switch guess := charset.Detect(src); {
	case guess.Probability >= charset.Surely:
		if guess.Name != charset.UTF8 {
			encoding = guess.String()
		}
		text, err = charset.Decode(src, guess.Name)
		return text, encoding, err
	case utf8.Valid(src):
		return src, "", nil
	case guess.Name != "":
		return nil, "", fmt.Errorf("its encoding is not sure: it may be %s", guess)
	default:
		return nil, "", errors.New("the encoding of the text is not known")
	}
}

var encodingOf = lazyregexp.New(
	`(?i)<\?xml[^>]*encoding\s*=\s*["']([\w.:-]+)|<meta[^>]*charset\s*=\s*["']?\s*([\w.:-]+)`)

// declared returns the encoding that a page declares, or "".
func declared(src []byte) string {
	found := encodingOf().FindSubmatch(src[:min(len(src), 8192)])
	if found == nil {
		return ""
	}
	return string(found[1]) + string(found[2])
}

// converter writes the content of a page.
type converter struct {
	*content
	ctx       context.Context
	w         *markdown.Writer
	options   Options
	paragraph markdown.Inline
	anchor    string // the last one since the last text
	label     string // the last one of an element that is only an anchor
	titled    string // the title of the current place in a table of contents
	address   string // the target of the last link
	visited   int
}

func (c *converter) place(fragment string) sdk.Place {
	switch chapter := c.options.Chapter; {
	case fragment == "":
		return sdk.Place{Anchor: chapter}
	case chapter == "":
		return sdk.Place{Anchor: fragment}
	default:
		return sdk.Place{Anchor: chapter + "#" + fragment}
	}
}

// flush ends the current paragraph.
func (c *converter) flush() {
	if c.paragraph.Empty() {
		c.paragraph = markdown.Inline{}
		return
	}
	if said := c.titled; said == "" || c.paragraph.Plain() != said {
		c.w.Paragraph(&c.paragraph)
	}
	c.titled = ""
	c.paragraph = markdown.Inline{}
	c.anchor, c.label = "", ""
}

// children walks the children of an element.
func (c *converter) children(i int) {
	for at := c.nodes[i].first; at != 0; at = c.nodes[at].next {
		c.walk(int(at))
	}
}

// walk writes a node and its descendants. Elements are nested at most maxDepth deep.
func (c *converter) walk(i int) {
	n := &c.nodes[i]
	if c.visited++; c.dropped[i] || c.visited%4096 == 0 && c.ctx.Err() != nil {
		return
	}
	if n.name == "" {
		c.words(n.text)
		return
	}
	c.mark(i)
	switch name := n.name; {
	case headingLevels[name] || n.attribute("role") == "heading" && c.holds[i]&holdsBlock == 0:
		c.heading(i)
	case name == "ul" || name == "ol" || name == "menu" || name == "dir":
		c.list(i)
	case name == "li":
		c.item(i, 0)
	case name == "dl":
		c.flush()
		if c.definitions(i, false) {
			c.flush()
			c.w.Close()
		}
	case name == "blockquote":
		c.flush()
		c.w.Quote()
		c.children(i)
		c.flush()
		c.w.Close()
	case name == "pre" || name == "xmp" || name == "listing":
		c.code(i)
	case name == "table":
		c.flush()
		c.table(i)
	case block[name] || i == 0:
		c.flush()
		c.children(i)
		c.flush()
	case c.holds[i]&holdsBlock != 0:
		c.children(i)
	default:
		c.inline(&c.paragraph, i)
	}
}

// maxParagraph is the maximum length of a paragraph in bytes. The rest of a longer text becomes the next paragraph.
const maxParagraph = 64 << 10

// words adds text to the current paragraph.
func (c *converter) words(s string) {
	for len(s) > maxParagraph {
		if c.ctx.Err() != nil {
			return
		}
		cut := strings.LastIndexAny(s[:maxParagraph], " \n\t")
		for cut = max(cut, maxParagraph/2); !utf8.RuneStart(s[cut]); {
			cut--
		}
		c.paragraph.Text(s[:cut])
		c.flush()
		s = s[cut:]
	}
	c.paragraph.Text(s)
}

// numberedID matches an anchor that was generated by a program.
var numberedID = lazyregexp.New(`^id[-.]?\d+$`)

// mark records an anchor, and writes the title that a table of contents gives to the place.
func (c *converter) mark(i int) {
	id := c.identity(i)
	if id == "" {
		return
	}
	if c.paragraph.Empty() {
		if c.anchor = id; c.size[i] == 0 && !block[c.nodes[i].name] && !numberedID().MatchString(id) {
			c.label = id
		}
	}
	c.title(id, i)
}

func (c *converter) identity(i int) string {
	n := &c.nodes[i]
	for _, key := range []string{"id", "xml:id", "name"} {
		if id := n.attribute(key); id != "" && (key != "name" || n.name == "a") && utf8.ValidString(id) {
			return id
		}
	}
	return ""
}

// title writes the title that a table of contents gives to a place, unless the page has a heading there.
func (c *converter) title(fragment string, from int) {
	title, found := c.options.Titles[fragment]
	if !found {
		return
	}
	delete(c.options.Titles, fragment)
	if c.headed(from) {
		return
	}
	c.flush()
	var in markdown.Inline
	in.Text(title.Text)
	c.w.Heading(title.Level, &in, c.place(fragment))
	c.titled = in.Plain()
}

// headed reports whether the first text from a node on is in a heading.
func (c *converter) headed(from int) bool {
	const far = 1000
	for i := from; i < min(len(c.nodes), from+far); i++ {
		if headingLevels[c.nodes[i].name] && c.size[i] > 0 {
			return true
		}
		if c.nodes[i].name == "" && c.size[i] > 0 {
			for i > 0 && !headingLevels[c.nodes[i].name] {
				i = int(c.nodes[i].parent)
			}
			return i > 0
		}
	}
	return false
}

// longest is the maximum length of a heading in bytes; a longer one is a paragraph in large type.
const longest = 400

func (c *converter) heading(i int) {
	c.flush()
	n := &c.nodes[i]
	level, _ := strconv.Atoi(n.attribute("aria-level"))
	if headingLevels[n.name] {
		level = int(n.name[1] - '0')
	}
	if c.size[i] > longest || c.holds[i]&(holdsHeading|holdsTable|holdsCode) != 0 || c.boxed(i) {
		c.children(i)
		c.flush()
		return
	}
	anchor := c.headingAnchor(i)
	var in markdown.Inline
	c.inline(&in, i)
	if c.label != "" && strings.HasSuffix(letters(in.Plain()), letters(anchor)) {
		anchor = c.label // the title implies its own anchor
	}
	if c.anchor, c.label = "", ""; !in.Empty() {
		c.w.Heading(max(level, 1), &in, c.place(anchor))
	}
}

// boxes are the classes of notes and warnings, which do not end their section.
var boxes = set("note tip hint important warning caution danger attention admonition callout notecard sidebar")

// boxed reports whether a heading is the title of a quotation or a note, after which the section continues.
func (c *converter) boxed(i int) bool {
	for i = int(c.nodes[i].parent); i > 0; i = int(c.nodes[i].parent) {
		n := &c.nodes[i]
		if n.name == "aside" || n.name == "blockquote" || n.attribute("role") == "note" {
			return true
		}
		if n.name == "div" && slices.ContainsFunc(strings.Fields(n.attribute("class")), func(class string) bool {
			return boxes[strings.ToLower(class)]
		}) {
			return true
		}
	}
	return false
}

// letters returns the characters of a title that remain in a fragment made from it.
func letters(s string) string {
	return strings.Map(func(r rune) rune {
		if isMark(string(r)) {
			return -1
		}
		return unicode.ToLower(r)
	}, s)
}

// headingAnchor returns the fragment of a heading: its own, that of its link to itself, one inside it, or the last one
// before it.
func (c *converter) headingAnchor(i int) string {
	if id := c.identity(i); id != "" {
		return id
	}
	inside := ""
	for at := i + 1; at < int(c.nodes[i].end); at++ {
		fragment, found := strings.CutPrefix(c.nodes[at].attribute("href"), "#")
		if found && fragment != "" && utf8.ValidString(fragment) && isMark(c.text(at)) {
			return fragment
		}
		if inside == "" {
			inside = c.identity(at)
		}
	}
	if inside != "" {
		return inside
	}
	return c.anchor
}

// isMark reports whether a text contains no words, as in the link of a heading to itself.
func isMark(text string) bool {
	return !strings.ContainsFunc(text, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) })
}
