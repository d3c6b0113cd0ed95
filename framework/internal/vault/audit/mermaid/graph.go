package mermaid

import "fmt"

// Graph is a flowchart, its parts in the order of the text. Lines count from 1 within the text
// that was parsed.
type Graph struct {
	Direction string // TB, TD, BT, LR or RL; "" when the header names none
	Nodes     []Node
	Edges     []Edge
	Subgraphs []Subgraph
	Comments  []Comment
	Mentions  []Mention
}

// Node is a box of the chart.
type Node struct {
	ID    string
	Label string // the ID when the node was never given a label
	// Labelled is set when the node has a label of its own.
	Labelled bool
	Shape    Shape
	Classes  []string
	// Line is where the node got its label or shape, else where it is first named.
	Line int
}

// Edge joins two nodes or subgraphs.
type Edge struct {
	ID       string // from `id@-->`, often ""
	From, To string
	Label    string
	Arrow    Arrow
	Line     int
}

// Arrow is how an edge is drawn.
type Arrow struct {
	Stroke     Stroke
	Start, End Head
	Length     int // in ranks, at least 1
}

// Stroke is the line of an arrow.
type Stroke int

// The strokes of Mermaid.
const (
	Normal    Stroke = iota // --
	Thick                   // ==
	Dotted                  // -.-
	Invisible               // ~~~, which only moves nodes apart
)

// Head is an end of an arrow.
type Head int

// The heads of Mermaid.
const (
	Open   Head = iota // none
	Point              // < or >
	Circle             // o
	Cross              // x
)

// Subgraph is a frame around nodes.
type Subgraph struct {
	ID, Title string
	Direction string   // as of the graph
	Parent    string   // ID of the subgraph around it, "" for none
	Nodes     []string // IDs of the nodes that it is the first subgraph to name
	Line      int
	EndLine   int
}

// Comment is what follows %%, trimmed.
type Comment struct {
	Text string
	Line int
	// Trailing comments stand behind a statement on the same line.
	Trailing bool
}

// Mention is a statement that names nodes or edges which others draw.
type Mention struct {
	Keyword string   // class, style, linkStyle or click
	IDs     []string // of nodes; of linkStyle the numbers of edges, from 0
	Link    string   // where a click leads, "" for none
	Line    int
}

// Error is a statement that could not be read.
type Error struct {
	Line    int
	Message string
}

// Error implements error.
func (e Error) Error() string { return fmt.Sprintf("line %d: %s", e.Line, e.Message) }
