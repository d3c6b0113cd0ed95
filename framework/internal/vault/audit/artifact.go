package audit

import (
	"context"
	"path"
	"strings"

	"github.com/sagasu-search/sagasu/framework/internal/corpus"
)

// Kind is the kind of an element.
type Kind string

// The kinds of elements.
const (
	Heading  Kind = "heading"
	ListItem Kind = "list_item"
	TableRow Kind = "table_row"
	Node     Kind = "node"
	Edge     Kind = "edge"
	Object   Kind = "object"
)

// Element is a part of an artifact that can cite lines of the source.
type Element struct {
	Kind     Kind
	ID       string // the first anchor, node ID or JSON id, "" for none
	Text     string // without its citations
	Says     string // all that it asserts, "" for Text
	Line     int
	Asserts  bool // it must cite; see the package comment
	Citation Citation
	// Of an element without citations: it is a copy of lines of the source, or of another file.
	Copied, Elsewhere bool
}

// Reference leads from a place of the artifact to an ID or anchor in it.
type Reference struct {
	From string // ID of the element that refers, "" for none
	To   string
	Line int
	// Missing is set when nothing has that ID.
	Missing bool
	// Unreturned is set when the link is declared to go both ways, and the other
	// side does not lead back.
	Unreturned bool
}

// Outward is a link to another file.
type Outward struct {
	Path   string // from the same root as the artifact's
	To     string // as it is written, from the artifact's folder
	Anchor string // "" for the file as a whole
	Line   int
}

// Problem is a part of an artifact that cannot be read.
type Problem struct {
	Line    int
	Message string
}

// Loose is a citation beside no element.
type Loose struct {
	Line int
	Citation
}

// Artifact is the structure of an artifact. Lines count from 1.
type Artifact struct {
	Path       string
	Empty      bool // it has no line
	Elements   []Element
	Flows      []Flow
	References []Reference
	Outward    []Outward
	Loose      []Loose
	Problems   []Problem

	lines  []string // without space around them
	copies []string // by line, the file that it was copied from
}

// Read finds the structure of an artifact, which is UTF-8 text: of a .json file as JSON, of .mmd
// and .mermaid as a flowchart, of all else as Markdown. It reads no more once the context ends.
func Read(ctx context.Context, name string, artifact []byte) Artifact {
	a := Artifact{Path: name, Empty: len(artifact) == 0}
	text := plainText(artifact)
	if corpus.IsMarkdown(name) {
		text = withoutFrontMatter(text)
	}
	for line := range strings.SplitSeq(text, "\n") {
		a.lines = append(a.lines, strings.TrimSpace(line))
	}
	switch {
	case corpus.IsJSON(name):
		readJSON(&a, text)
	case isChart(name):
		readChart(&a, text, 0)
	default:
		readMarkdown(ctx, &a, text)
	}
	return a
}

func isChart(name string) bool {
	extension := strings.ToLower(path.Ext(name))
	return extension == ".mmd" || extension == ".mermaid"
}

// plainText returns a text without a byte order mark whose lines all end with LF.
func plainText(src []byte) string {
	return strings.NewReplacer("\r\n", "\n", "\r", "\n").Replace(strings.TrimPrefix(string(src), "\ufeff"))
}
