package audit

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/sagasu-search/sagasu/framework/internal/vault/audit/mermaid"
	"github.com/sagasu-search/sagasu/sdk/x/lazyregexp"
)

// chart is a flowchart that is being read into an artifact.
type chart struct {
	mermaid.Graph
	to       *Artifact
	lines    []string
	above    int              // lines of the file before the chart
	nodes    map[string]int   // ID → place in Graph.Nodes
	first    int              // place of the first node among the elements
	labelled map[string]int   // ID → labelled edges that leave the node
	named    map[string]int   // IDs, and edges as a comment names them → place among the elements
	within   map[string][]int // subgraph → places of its nodes
	entries  map[string][]int // subgraph → those of them that no inner edge leads to
}

// readChart adds the nodes and edges of a flowchart that follows so many lines. It adds nothing
// of other diagrams.
func readChart(to *Artifact, src string, above int) {
	graph, errs, ok := mermaid.Parse(src)
	if !ok {
		return
	}
	for _, e := range errs {
		to.Problems = append(to.Problems, Problem{above + e.Line, e.Message})
	}
	c := chart{
		Graph: graph, to: to, lines: strings.Split(src, "\n"), above: above, nodes: map[string]int{},
		first: len(to.Elements), labelled: map[string]int{}, named: map[string]int{},
		within: map[string][]int{}, entries: map[string][]int{},
	}
	for i, n := range c.Nodes {
		c.nodes[n.ID] = i
	}
	apart := c.legend()
	for i, n := range c.Nodes {
		c.name(n.ID)
		cited, text := citations(n.Label)
		to.Elements = append(to.Elements, Element{Kind: Node, ID: n.ID, Text: text, Line: above + n.Line,
			Citation: cited,
			Asserts:  !cited.empty() || !apart[i] && !isMark(text) && !slices.Contains(junctions, n.Shape)})
	}
	for _, e := range c.Edges {
		if e.Label != "" {
			c.labelled[e.From]++
		}
	}
	for _, e := range c.Edges {
		c.addEdge(e)
	}
	c.attachComments()
	c.to.Flows = append(c.to.Flows, c.flow(apart))
	c.addMentions()
}

// junctions are shapes that join arrows or mark an end and say nothing.
var junctions = []mermaid.Shape{"fork", "join", "f-circ", "filled-circle", "junction", "sm-circ", "small-circle",
	"start", "stop", "fr-circ", "framed-circle"}

// decides reports whether a node is a diamond or has several labelled ways out,
// whose labels then are its answers.
func (c *chart) decides(id string) bool {
	i, ok := c.nodes[id]
	return ok && (c.Nodes[i].Shape == mermaid.Diamond || c.labelled[id] > 1)
}

func (c *chart) addEdge(e mermaid.Edge) {
	c.name(e.ID)
	c.name(e.From + "-->" + e.To)
	cited, text := citations(e.Label)
	c.to.Elements = append(c.to.Elements, Element{
		Kind: Edge, ID: e.ID, Text: strings.TrimSpace(fmt.Sprintf("%s → %s %s", e.From, e.To, text)),
		Line: c.above + e.Line, Citation: cited,
		Asserts: !cited.empty() || text != "" && !e.Invisible &&
			!isAnswer(text, c.decides(e.From)),
	})
}

// name registers a name for comments of the element that is added next. The first of
// a name keeps it.
func (c *chart) name(name string) {
	if _, taken := c.named[name]; !taken {
		c.named[name] = len(c.to.Elements)
	}
}

// legend returns the nodes that only explain the chart.
func (c *chart) legend() map[int]bool {
	apart := map[int]bool{}
	for _, sub := range c.Subgraphs {
		if legend().MatchString(sub.Title) {
			for _, id := range sub.Nodes {
				apart[c.nodes[id]] = true
			}
		}
	}
	return apart
}

// attachComments adds the citations in comments to the elements that they
// name or stand beside.
func (c *chart) attachComments() {
	owners := map[int][]int{}
	for i := c.first; i < len(c.to.Elements); i++ {
		line := c.to.Elements[i].Line
		owners[line] = append(owners[line], i)
	}
	var notes []note
	for _, comment := range c.Comments {
		cited, _ := citations(comment.Text)
		line := c.above + comment.Line
		named := c.namedBy(comment.Text)
		switch {
		case cited.empty():
		case len(named) > 0:
			c.to.give(named, cited, line)
		case comment.Trailing && len(owners[line]) > 0:
			c.to.give(owners[line], cited, line)
		default:
			notes = append(notes, note{line, line, cited})
		}
	}
	attach(c.to, owners, notes, func(line int) bool {
		line -= c.above
		return line >= 1 && line <= len(c.lines) && strings.TrimSpace(c.lines[line-1]) == ""
	})
}

var beforeKey = lazyregexp.New(`(?i)^(.*?)[\s:：]*source_lines`)

// namedBy returns the elements whose IDs a comment begins with, all of them known.
func (c *chart) namedBy(comment string) []int {
	found := beforeKey().FindStringSubmatch(comment)
	if found == nil {
		return nil
	}
	var elements []int
	for _, id := range strings.FieldsFunc(found[1], func(r rune) bool { return strings.ContainsRune(" ,、:", r) }) {
		at, ok := c.named[id]
		if !ok {
			return nil
		}
		elements = append(elements, at)
	}
	return elements
}

// addMentions adds references to nodes from statements that draw none.
func (c *chart) addMentions() {
	for _, m := range c.Mentions {
		line := c.above + m.Line
		for _, id := range m.IDs {
			if id = strings.TrimSpace(id); id != "" && !c.has(m.Keyword, id) {
				c.to.References = append(c.to.References, Reference{From: m.Keyword, To: id, Line: line, Missing: true})
			}
		}
		if anchor, ok := strings.CutPrefix(m.Link, "#"); ok {
			c.to.References = append(c.to.References, Reference{From: m.IDs[0], To: anchor, Line: line})
		}
	}
}

// has reports whether the chart has the node, subgraph or edge that a statement names.
func (c *chart) has(keyword, id string) bool {
	if keyword == "linkStyle" {
		number, err := strconv.Atoi(id)
		return id == "default" || err == nil && number >= 0 && number < len(c.Edges)
	}
	_, ok := c.named[id]
	return ok || slices.ContainsFunc(c.Subgraphs, func(s mermaid.Subgraph) bool { return s.ID == id })
}
