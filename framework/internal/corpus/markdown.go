package corpus

import (
	"bytes"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"

	"github.com/sagasu-search/sagasu/sdk/x/guard"
	"github.com/sagasu-search/sagasu/sdk/x/lazyregexp"
	"github.com/sagasu-search/sagasu/sdk/x/refer"
)

// blockParser finds the block structure of CommonMark, in goldmark's own order. It ignores inline markup, which only
// titles need.
var blockParser = parser.NewParser(
	parser.WithBlockParsers(
		util.Prioritized(pruning{parser.NewSetextHeadingParser()}, 100),
		util.Prioritized(pruning{parser.NewThematicBreakParser()}, 200),
		util.Prioritized(pruning{container{parser.NewListParser()}}, 300),
		util.Prioritized(pruning{parser.NewListItemParser()}, 400),
		util.Prioritized(pruning{parser.NewCodeBlockParser()}, 500),
		util.Prioritized(pruning{parser.NewATXHeadingParser()}, 600),
		util.Prioritized(pruning{parser.NewFencedCodeBlockParser()}, 700),
		util.Prioritized(pruning{container{parser.NewBlockquoteParser()}}, 800),
		util.Prioritized(pruning{parser.NewHTMLBlockParser()}, 900),
		util.Prioritized(pruning{parser.NewParagraphParser()}, 1000),
	),
	parser.WithParagraphTransformers(util.Prioritized(definitions{parser.LinkReferenceParagraphTransformer}, 100)),
)

// heading is a heading of a file, with lines of that file. A file can have millions.
type heading struct {
	title string
	line  uint32 // where it starts
	body  uint32 // the line after it
	end   uint32 // the last line before the next heading of the same or a higher level
	level uint8  // 0 for the text before the first heading
}

// headings finds the headings in src from the byte skip on, and their explicit anchors. It takes only children of the
// document, not headings in quotes and lists. If the parser fails, it returns nothing.
func headings(src []byte, skip int, lines Lines) (found []heading, anchors []label) {
	markdown := plainNewlines(src[skip:])
	found = []heading{}
	context := parser.NewContext()
	context.Set(noteKey, note(func(node ast.Node) {
		h, ok := node.(*ast.Heading)
		if !ok {
			found = append(found, htmlHeadings(node, markdown, skip, lines)...)
			return
		}
		at := lines.At(skip + h.Pos())
		found = append(found, heading{
			title: string(h.Lines().Value(markdown)),
			line:  uint32(at),
			body:  uint32(bodyLine(h, markdown, skip, at, lines)),
			level: uint8(h.Level),
		})
	}))
	if !parseBlocks(markdown, context) {
		return nil, nil
	}
	for i := range found { // link definitions may come last
		h := &found[i]
		markup, id := cutID([]byte(h.title))
		if h.title = title(markup, context); id != "" {
			anchors = append(anchors, label{refer.Label(id), int(h.line), int(h.line)})
		}
	}
	return found, anchors
}

// A line that is a heading in HTML, with a text, and the anchor among its attributes.
var (
	htmlHeading = lazyregexp.New(`(?i)^ {0,3}<h([1-6])(\s[^<>]*)?>((?:\s|<[^<>]*>)*[^<>\s].*)</h([1-6])\s*>\s*$`)
	htmlID      = lazyregexp.New(`(?i)\sid\s*=\s*["']?([^"'{}\s]+)`)
)

// htmlHeadings finds the headings in a block of HTML that begins with one. Anchors are written as Markdown does.
func htmlHeadings(block ast.Node, markdown []byte, skip int, lines Lines) (found []heading) {
	parts := block.Lines()
	for i := range parts.Len() {
		part := parts.At(i)
		m := htmlHeading().FindSubmatch(part.Value(markdown))
		if m == nil || m[1][0] != m[4][0] {
			if i == 0 {
				return nil
			}
			continue
		}
		at, title := lines.At(skip+part.Start), string(m[3])
		if id := htmlID().FindSubmatch(m[2]); id != nil {
			title += " {#" + string(id[1]) + "}"
		}
		found = append(found, heading{title: title, line: uint32(at), body: uint32(at + 1), level: m[1][0] - '0'})
	}
	return found
}

// parseBlocks parses a document and notes its headings. It returns false if the parser panics on
// the text, so that one file cannot end the host.
func parseBlocks(markdown []byte, context parser.Context) (parsed bool) {
	return guard.Call(func() error {
		document := blockParser.Parse(text.NewReader(markdown), parser.WithContext(context))
		prune(document, nil, context)
		return nil
	}) == nil
}

var atx = lazyregexp.New(`^ {0,3}#{1,6}([ \t\n]|$)`)

// bodyLine returns the line after a heading. A setext heading includes the line after its text, the underline.
func bodyLine(node *ast.Heading, markdown []byte, skip, at int, lines Lines) int {
	parts := node.Lines()
	if parts.Len() == 0 || atx().Match(markdown[max(0, lines.Start(at)-skip):]) {
		return at + 1
	}
	return lines.At(skip+parts.At(parts.Len()-1).Start) + 2
}

// plainNewlines ends every line with LF, the only end that goldmark knows, and keeps the length.
func plainNewlines(src []byte) []byte {
	if bytes.IndexByte(src, '\r') < 0 {
		return src
	}
	plain := bytes.ReplaceAll(src, []byte("\r\n"), []byte(" \n"))
	for i, b := range plain {
		if b == '\r' {
			plain[i] = '\n'
		}
	}
	return plain
}
