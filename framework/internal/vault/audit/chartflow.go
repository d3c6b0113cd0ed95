package audit

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/sagasu-search/sagasu/framework/internal/vault/audit/mermaid"
)

// terminals are the shapes that starts and ends are drawn with.
var terminals = []mermaid.Shape{mermaid.Stadium, mermaid.Circle, mermaid.DoubleCircle, mermaid.Ellipse}

// mostLinks bounds what edges between large subgraphs can ask for.
const mostLinks = 1_000_000

// flow returns the chart as steps. An edge to a subgraph leads to those of its nodes that no inner
// edge leads to. An edge from a subgraph starts at all its nodes. Invisible edges are ignored.
func (c *chart) flow(apart map[int]bool) Flow {
	f := Flow{}
	for i, n := range c.Nodes {
		f.Nodes = append(f.Nodes, Step{ID: n.ID, Label: c.to.Elements[c.first+i].Text,
			Line: c.above + n.Line, Apart: apart[i],
			Start: isStart(n.Label) || isStart(n.ID) ||
				slices.Contains([]mermaid.Shape{"start", "sm-circ", "small-circle"}, n.Shape),
			Terminal: slices.Contains(terminals, n.Shape), Decision: n.Shape == mermaid.Diamond})
	}
	framed, tooMany := []string{}, false
	for _, e := range c.Edges {
		if e.Invisible {
			continue
		}
		if e.Back && !e.Forth {
			e.From, e.To = e.To, e.From
		}
		both := e.Back == e.Forth
		for end, id := range [...]string{e.From, e.To} {
			if i, node := c.nodes[id]; !node {
				framed = append(framed, id)
			} else if f.Nodes[i].Joined = true; end == 0 || both {
				f.Nodes[i].Exits++
			}
		}
		leaving, entering := c.leaving(e.From), c.entering(e.To)
		if full := len(f.Links)+len(leaving)*len(entering) > mostLinks; full || tooMany {
			if !tooMany {
				c.to.Problems = append(c.to.Problems, Problem{c.above + e.Line,
					fmt.Sprintf("the edges of subgraphs join more than %d pairs of nodes", mostLinks)})
			}
			tooMany = true
			continue
		}
		for _, from := range leaving {
			for _, to := range entering {
				f.Links = append(f.Links, Link{from, to, both})
			}
		}
	}
	c.joinFramed(&f, framed)
	return f
}

// joinFramed treats a subgraph's edges as those of its nodes, if none of the nodes has an edge.
func (c *chart) joinFramed(f *Flow, framed []string) {
	done := map[string]bool{}
	for _, id := range slices.Backward(framed) { // the last one is the frame
		members := c.members(id)
		if !done[id] && !slices.ContainsFunc(members, func(i int) bool { return f.Nodes[i].Joined }) {
			for _, i := range members {
				f.Nodes[i].Frame = cmp.Or(f.Nodes[i].Frame, id)
			}
		}
		done[id] = true
	}
	for i := range f.Nodes {
		f.Nodes[i].Joined = f.Nodes[i].Joined || f.Nodes[i].Frame != ""
	}
}

// members returns the nodes in a subgraph and in those within it, which follow it.
func (c *chart) members(id string) []int {
	if places, known := c.within[id]; known {
		return places
	}
	var places []int
	within := map[string]bool{id: true}
	for _, sub := range c.Subgraphs {
		if sub.ID != id && (sub.Parent == "" || !within[sub.Parent]) {
			continue
		}
		within[sub.ID] = true
		for _, node := range sub.Nodes {
			if i, ok := c.nodes[node]; ok {
				places = append(places, i)
			}
		}
	}
	c.within[id] = places
	return places
}

func (c *chart) leaving(id string) []int {
	if i, ok := c.nodes[id]; ok {
		return []int{i}
	}
	return c.members(id)
}

func (c *chart) entering(id string) []int {
	if _, node := c.nodes[id]; node {
		return c.leaving(id)
	}
	if entries, known := c.entries[id]; known {
		return entries
	}
	members := c.members(id)
	within, inner := make([]bool, len(c.Nodes)), make([]bool, len(c.Nodes))
	for _, i := range members {
		within[i] = true
	}
	for _, e := range c.Edges {
		from, okFrom := c.nodes[e.From]
		to, okTo := c.nodes[e.To]
		if okFrom && okTo && from != to && within[from] && within[to] {
			inner[to] = true
		}
	}
	entries := slices.DeleteFunc(slices.Clone(members), func(i int) bool { return inner[i] })
	if len(entries) == 0 {
		entries = members
	}
	c.entries[id] = entries
	return entries
}
