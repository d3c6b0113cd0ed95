package corpus

import (
	"bytes"
	"regexp"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"

	"github.com/sagasu-search/sagasu/sdk/x/guard"
)

// blockParser finds the block structure of CommonMark, in goldmark's own order,
// and leaves inline markup alone, which only titles need.
var blockParser = parser.NewParser(
	parser.WithBlockParsers(
		util.Prioritized(parser.NewSetextHeadingParser(), 100),
		util.Prioritized(parser.NewThematicBreakParser(), 200),
		util.Prioritized(container{parser.NewListParser()}, 300),
		util.Prioritized(parser.NewListItemParser(), 400),
		util.Prioritized(parser.NewCodeBlockParser(), 500),
		util.Prioritized(parser.NewATXHeadingParser(), 600),
		util.Prioritized(parser.NewFencedCodeBlockParser(), 700),
		util.Prioritized(container{parser.NewBlockquoteParser()}, 800),
		util.Prioritized(parser.NewHTMLBlockParser(), 900),
		util.Prioritized(parser.NewParagraphParser(), 1000),
	),
	parser.WithParagraphTransformers(util.Prioritized(definitions{parser.LinkReferenceParagraphTransformer}, 100)),
)

// heading is a heading of a file, in lines of that file.
type heading struct {
	line  int // where it starts
	body  int // the line after it
	level int
	title string
}

// headings finds the headings in src from the byte skip on: those that are
// children of the document, not those in quotes and lists.
func headings(src []byte, skip int, lines Lines) []heading {
	markdown := plainNewlines(src[skip:])
	context := parser.NewContext()
	document := parseBlocks(markdown, context)
	found := []heading{}
	for node := document.FirstChild(); node != nil; node = node.NextSibling() {
		if node, ok := node.(*ast.Heading); ok {
			at := lines.At(skip + node.Pos())
			found = append(found, heading{
				line:  at,
				body:  bodyLine(node, markdown, skip, at, lines),
				level: node.Level,
				title: title(node.Lines().Value(markdown), context),
			})
		}
	}
	return found
}

// parseBlocks parses a document. A text that the parser fails on has no
// headings, so that one file cannot end the host.
func parseBlocks(markdown []byte, context parser.Context) (document ast.Node) {
	if guard.Call(func() error {
		document = blockParser.Parse(text.NewReader(markdown), parser.WithContext(context))
		return nil
	}) != nil {
		return ast.NewDocument()
	}
	return document
}

var atx = regexp.MustCompile(`^ {0,3}#{1,6}([ \t\n]|$)`)

// bodyLine is the line after a heading. A setext heading goes on to the line
// after its text, the underline.
func bodyLine(node *ast.Heading, markdown []byte, skip, at int, lines Lines) int {
	parts := node.Lines()
	if parts.Len() == 0 || atx.Match(markdown[max(0, lines.Start(at)-skip):]) {
		return at + 1
	}
	return lines.At(skip+parts.At(parts.Len()-1).Start) + 2
}

// plainNewlines gives every line an LF as its end, which is all that goldmark
// knows, and keeps the length.
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
