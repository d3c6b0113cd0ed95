package mermaid

// Graph is a flowchart, its parts in the order of the text. Lines count from 1 within the text
// that was parsed.
type Graph struct {
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
	Shape Shape
	// Line is the line that gives the node its label or shape, or else the line that first names it.
	Line int

	labelled bool // it has a label or a shape of its own
}

// Edge joins two nodes or subgraphs.
type Edge struct {
	ID       string // from `id@-->`, often ""
	From, To string
	Label    string
	Line     int
	// Back and Forth report whether the arrow has a head at its start and at its end.
	Back, Forth bool
	Invisible   bool // ~~~, which only moves nodes apart
}

// Subgraph is a frame around nodes.
type Subgraph struct {
	ID, Title string
	Parent    string   // ID of the subgraph around it, "" for none
	Nodes     []string // IDs of the nodes that it is the first subgraph to name
	Line      int
}

// Comment is the text after %%, trimmed.
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
