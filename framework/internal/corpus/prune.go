package corpus

import (
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
)

// noteKey is the key under which a context holds the [note] of its document.
var noteKey = parser.NewContextKey()

// note is called for each heading and each block of HTML of a document, in order.
type note func(ast.Node)

// pruning is a block parser that removes finished blocks from the tree, which for a file of short lines would otherwise
// be a hundred times as large as the file.
type pruning struct{ parser.BlockParser }

// Close implements [parser.BlockParser]. The block itself stays, since lists look at their last item.
func (p pruning) Close(node ast.Node, reader text.Reader, pc parser.Context) {
	p.BlockParser.Close(node, reader, pc)
	if parent := node.Parent(); parent != nil {
		prune(parent, node, pc)
	}
}

// prune removes the children before end, or all if it is nil, and notes those of the document.
func prune(parent, end ast.Node, pc parser.Context) {
	noted, _ := pc.Get(noteKey).(note)
	for first := parent.FirstChild(); first != nil && first != end; first = parent.FirstChild() {
		kind := first.Kind()
		if parent.Kind() == ast.KindDocument && (kind == ast.KindHeading || kind == ast.KindHTMLBlock) {
			noted(first)
		}
		parent.RemoveChild(parent, first)
	}
}
