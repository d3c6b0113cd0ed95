package corpus

import (
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
)

// Limits on what takes parsers time quadratic in size, so that no file keeps the indexer busy for hours. They lose no
// heading of a document, only structure that sections do not show, and the title in very long TOML.
const (
	maxDepth       = 64       // of nested quotes and lists
	maxDefinitions = 5000     // lines of link definitions in one block
	maxTOML        = 64 << 10 // bytes of front matter
	maxMarkup      = 4096     // bytes of a heading whose markup is parsed; a longer one keeps it
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
