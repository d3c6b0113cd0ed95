package audit

import (
	"slices"

	"github.com/sagasu-search/sagasu/framework/internal/vault/audit/mermaid"
)

// terminals are the shapes that starts and ends are drawn with.
var terminals = []mermaid.Shape{mermaid.Stadium, mermaid.CircleShape, mermaid.DoubleCircle, mermaid.Ellipse}

// flow is the chart as steps. An edge to a subgraph leads to the nodes in it
// that none of its own leads to; one from a subgraph leaves from all its nodes.
// Invisible edges are none.
func (c *chart) flow(apart map[int]bool) Flow {
	f := Flow{}
	for i, n := range c.Nodes {
		f.Nodes = append(f.Nodes, Step{ID: n.ID, Label: c.to.Elements[c.first+i].Text,
			Line: c.above + n.Line, Apart: apart[i],
			Start: isStart(n.Label) || isStart(n.ID) ||
				slices.Contains([]mermaid.Shape{"start", "sm-circ", "small-circle"}, n.Shape),
			Terminal: slices.Contains(terminals, n.Shape), Decision: n.Shape == mermaid.Diamond})
	}
	framed := []string{}
	for _, e := range c.Edges {
		if e.Arrow.Stroke == mermaid.Invisible {
			continue
		}
		f.count(c, e)
		for _, id := range [...]string{e.From, e.To} {
			if _, node := c.nodes[id]; !node {
				framed = append(framed, id)
			}
		}
		for _, from := range c.leaving(e.From) {
			for _, to := range c.entering(e.To) {
				f.Links = append(f.Links, linkOf(from, to, e.Arrow))
			}
		}
	}
	c.joinFramed(&f, framed)
	return f
}

// linkOf turns an arrow the way that it points. One without a point, or with
// one on each side, leads both ways.
func linkOf(from, to int, a mermaid.Arrow) Link {
	if a.Start != mermaid.Open && a.End == mermaid.Open {
		from, to = to, from
	}
	return Link{from, to, (a.Start == mermaid.Open) == (a.End == mermaid.Open)}
}

// count notes what an edge means to the nodes that it touches itself.
func (f *Flow) count(c *chart, e mermaid.Edge) {
	l := linkOf(0, 1, e.Arrow)
	ends := [...]string{e.From, e.To}
	for end, id := range ends {
		if i, ok := c.nodes[id]; ok {
			f.Nodes[i].Joined = true
			if l.From == end || l.Both {
				f.Nodes[i].Exits++
			}
		}
	}
}

// joinFramed lets a subgraph's edges stand for its nodes, if none of these has
// an edge of its own.
func (c *chart) joinFramed(f *Flow, framed []string) {
	standIns := map[int]string{}
	for _, id := range framed {
		members := c.members(id)
		if !slices.ContainsFunc(members, func(i int) bool { return f.Nodes[i].Joined }) {
			for _, i := range members {
				standIns[i] = id
			}
		}
	}
	for i, id := range standIns {
		f.Nodes[i].Joined, f.Nodes[i].Frame = true, id
	}
}

// members are the nodes in a subgraph and in those within it.
func (c *chart) members(id string) []int {
	var places []int
	for at, sub := range c.Subgraphs {
		if c.frames(id, at) {
			for _, node := range sub.Nodes {
				if i, ok := c.nodes[node]; ok {
					places = append(places, i)
				}
			}
		}
	}
	return places
}

// frames reports whether the subgraph at a place is the one named or within it.
func (c *chart) frames(id string, at int) bool {
	for range len(c.Subgraphs) {
		sub := c.Subgraphs[at]
		if sub.ID == id {
			return true
		}
		at = slices.IndexFunc(c.Subgraphs, func(s mermaid.Subgraph) bool { return s.ID == sub.Parent })
		if at < 0 || sub.Parent == "" {
			return false
		}
	}
	return false
}

func (c *chart) leaving(id string) []int {
	if i, ok := c.nodes[id]; ok {
		return []int{i}
	}
	return c.members(id)
}

func (c *chart) entering(id string) []int {
	if i, ok := c.nodes[id]; ok {
		return []int{i}
	}
	members := c.members(id)
	inner := map[int]bool{}
	for _, e := range c.Edges {
		from, okFrom := c.nodes[e.From]
		to, okTo := c.nodes[e.To]
		if okFrom && okTo && from != to && slices.Contains(members, from) && slices.Contains(members, to) {
			inner[to] = true
		}
	}
	entries := slices.DeleteFunc(slices.Clone(members), func(i int) bool { return inner[i] })
	if len(entries) == 0 {
		return members
	}
	return entries
}
