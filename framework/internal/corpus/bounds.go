package corpus

import (
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
)

// Bounds on what goldmark handles in a time that grows with the square of the
// size, so that no file keeps the indexer busy for hours. No heading of a
// document is lost by them, only structure that sections do not show.
const (
	maxDepth       = 64   // of quotes and lists in each other
	maxDefinitions = 5000 // lines of link definitions in one block
	maxMarkup      = 4096 // bytes of a heading whose markup is parsed; longer ones keep it
)

// container is a parser of quotes or lists that stops at maxDepth.
type container struct{ parser.BlockParser }

// Open implements [parser.BlockParser].
func (c container) Open(parent ast.Node, reader text.Reader, pc parser.Context) (ast.Node, parser.State) {
	if len(pc.OpenedBlocks()) >= maxDepth {
		return nil, parser.NoChildren
	}
	return c.BlockParser.Open(parent, reader, pc)
}

// definitions finds link definitions in paragraphs up to maxDefinitions lines.
type definitions struct{ parser.ParagraphTransformer }

// Transform implements [parser.ParagraphTransformer].
func (d definitions) Transform(node *ast.Paragraph, reader text.Reader, pc parser.Context) {
	if node.Lines().Len() <= maxDefinitions {
		d.ParagraphTransformer.Transform(node, reader, pc)
	}
}
