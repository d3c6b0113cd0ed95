package corpus

import (
	"strings"
	"testing"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
)

// TestPruning counts what remains of the tree of a document.
func TestPruning(t *testing.T) {
	for name, line := range map[string]string{
		"headings": "# a\n", "setext headings": "a\n-\n", "paragraphs": "a\n\n", "items": "- a\n", "quotes": "> a\n\n",
		"rules": "---\n\n", "code": "```\na\n```\n", "tags": "<p>\n\n",
		"paragraphs of a quote": "> a\n>\n", "items of an item": "  - a\n",
	} {
		t.Run(name, func(t *testing.T) {
			noted, context := 0, parser.NewContext()
			context.Set(noteKey, note(func(node ast.Node) {
				if node.Kind() == ast.KindHeading {
					noted++
				}
			}))
			src := []byte(strings.Repeat(line, 1000) + "\n# last\n\nend\n")
			document := blockParser.Parse(text.NewReader(src), parser.WithContext(context))
			left := 0
			_ = ast.Walk(document, func(ast.Node, bool) (ast.WalkStatus, error) { left++; return ast.WalkContinue, nil })
			if left > 20 {
				t.Errorf("%d visits of nodes", left)
			}
			if want := strings.Contains(name, "headings"); want != (noted >= 1000) {
				t.Errorf("%d headings noted before the end", noted)
			}
		})
	}
}
