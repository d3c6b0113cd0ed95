package corpus

import (
	"bufio"
	"bytes"
	"html"
	"strings"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	renderer "github.com/yuin/goldmark/renderer/html"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"

	"github.com/sagasu-search/sagasu/sdk/x/lazyregexp"
)

// inlineParser parses the text of one heading.
var inlineParser = parser.NewParser(
	parser.WithBlockParsers(util.Prioritized(parser.NewParagraphParser(), 1)),
	parser.WithInlineParsers(parser.DefaultInlineParsers()...),
)

// headingID is an anchor that site generators take from the end of a heading: {#id}, {: #id .class} or {/*id*/}.
var headingID = lazyregexp.New(`\s*\{(?::?\s*#\s*([^{}\s]+)(?:\s[^{}]*)?|/\*\s*#?([^{}\s*]+)\s*\*/)\}$`)

// cutID returns the markup of a heading without its anchor, and the anchor, or "".
func cutID(markup []byte) ([]byte, string) {
	markup = bytes.TrimSpace(markup)
	m := headingID().FindSubmatchIndex(markup)
	if m == nil {
		return markup, ""
	}
	id := max(m[2], m[4])
	return markup[:m[0]], string(markup[id:max(m[3], m[5])])
}

// title returns the text of a heading without its markup. context holds the link
// references of the file.
func title(markup []byte, context parser.Context) string {
	if !bytes.ContainsAny(markup, "\\`*_[]<>&!\n") {
		return string(markup)
	}
	if len(markup) > maxMarkup {
		return oneLine(string(markup))
	}
	var plain strings.Builder
	for node := inlineParser.Parse(text.NewReader(markup), parser.WithContext(context)).FirstChild(); node != nil; node = node.NextSibling() {
		writePlain(&plain, node, markup)
	}
	return oneLine(plain.String())
}

// writePlain writes the text under an inline node: the visible text of links and images, and nothing of HTML.
func writePlain(w *strings.Builder, node ast.Node, source []byte) {
	switch node := node.(type) {
	case *ast.RawHTML:
		return
	case *ast.AutoLink:
		w.Write(node.Label(source))
		return
	case *ast.Text:
		writeText(w, node, source)
		return
	}
	for child := node.FirstChild(); child != nil; child = child.NextSibling() {
		writePlain(w, child, source)
	}
}

func writeText(w *strings.Builder, node *ast.Text, source []byte) {
	value := node.Value(source)
	if node.IsRaw() || node.Parent().Kind() == ast.KindCodeSpan {
		w.Write(value)
	} else {
		w.WriteString(unescape(value))
	}
	if node.SoftLineBreak() || node.HardLineBreak() {
		w.WriteByte(' ')
	}
}

// unescape resolves backslash escapes and character references in one pass, using goldmark's HTML writer.
func unescape(value []byte) string {
	if !bytes.ContainsAny(value, `\&`) {
		return string(value)
	}
	var escaped bytes.Buffer
	w := bufio.NewWriter(&escaped)
	renderer.DefaultWriter.Write(w, value)
	w.Flush()
	return html.UnescapeString(escaped.String())
}
