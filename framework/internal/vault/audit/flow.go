package audit

import (
	"fmt"
	"slices"
)

// Flow is a graph whose nodes follow from each other: a flowchart, or objects
// that name the next.
type Flow struct {
	Nodes []Step
	Links []Link
}

// Step is a node of a flow.
type Step struct {
	ID, Label string
	Line      int
	Start     bool // it is declared as a start
	Terminal  bool // it looks like one: among its like, any without a way in is a start
	Decision  bool
	Exits     int    // ways out of the node itself
	Joined    bool   // an edge touches it, or the frame that stands for it
	Apart     bool   // it is no part of the flow, as in a legend
	Frame     string // the subgraph whose edges stand for its own, "" for none
}

// Link leads from a step to another, by their places, or both ways.
type Link struct {
	From, To int
	Both     bool
}

// orphans finds what hangs in the air: steps without an edge, branches that no
// start leads to (one finding each, at its first step), and decisions with
// fewer than two ways out.
func (f Flow) orphans() (found []Finding) {
	reached, anyWay := make([]bool, len(f.Nodes)), f.next(true)
	walk(f.next(false), f.starts(), reached)
	seen := slices.Clone(reached)
	for i, n := range f.Nodes {
		switch {
		case n.Apart || seen[i] && !reached[i]:
		case !n.Joined:
			found = append(found, finding(OrphanBranch, n.ID, n.Line, "%s has no edge", n.name()))
			continue
		case !reached[i]:
			found = append(found, finding(OrphanBranch, n.ID, n.Line,
				"the branch at %s cannot be reached from the start", n.name()))
			walk(anyWay, []int{i}, seen)
		}
		if n.Decision && n.Exits < 2 && n.Joined && !n.Apart {
			found = append(found, finding(OrphanBranch, n.ID, n.Line, "the decision %s has %s", n.name(),
				[...]string{"no way out", "a single way out"}[n.Exits]))
		}
	}
	return found
}

// name returns the step as a message names it.
func (n Step) name() string {
	if n.Label == "" || n.Label == n.ID {
		return n.ID
	}
	return fmt.Sprintf("%s (%s)", n.ID, short(n.Label))
}

// starts returns the declared starts, or else the first step and all steps without incoming edges
// that look like it or are in the same frame.
func (f Flow) starts() []int {
	var starts, sources []int
	entered := f.entered()
	for i, n := range f.Nodes {
		if n.Start {
			starts = append(starts, i)
		}
		if n.Joined && !entered[i] {
			sources = append(sources, i)
		}
	}
	if len(starts) == 0 && len(f.Nodes) > 0 {
		starts = []int{f.first(sources)}
	}
	if len(starts) == 0 {
		return nil
	}
	like := f.Nodes[starts[0]]
	for _, i := range sources {
		if n := f.Nodes[i]; like.Terminal && n.Terminal || like.Frame != "" && n.Frame == like.Frame {
			starts = append(starts, i)
		}
	}
	return starts
}

// first returns the step that a flow begins with where none is declared: the first
// source, unless a later one leads to at least twice as many steps; without a
// source, the first step that an edge touches.
func (f Flow) first(sources []int) int {
	if len(sources) == 0 {
		return max(0, slices.IndexFunc(f.Nodes, func(n Step) bool { return n.Joined }))
	}
	next := f.next(false)
	best, most := sources[0], reachable(next, sources[0])
	for _, i := range sources[1:min(len(sources), weighed)] {
		if count := reachable(next, i); count >= 2*most {
			best, most = i, count
		}
	}
	return best
}

// weighed is the maximum number of sources that are compared, to limit the time.
const weighed = 100

// reachable counts the steps that a step leads to, itself included.
func reachable(next [][]int, from int) (count int) {
	seen := make([]bool, len(next))
	walk(next, []int{from}, seen)
	for _, is := range seen {
		if is {
			count++
		}
	}
	return count
}

// entered returns the steps that another one leads to.
func (f Flow) entered() []bool {
	entered := make([]bool, len(f.Nodes))
	for _, l := range f.Links {
		if l.From != l.To {
			entered[l.To] = true
			entered[l.From] = entered[l.From] || l.Both
		}
	}
	return entered
}

// next returns the steps that each step leads to. With anyWay it also follows edges backwards.
func (f Flow) next(anyWay bool) [][]int {
	next := make([][]int, len(f.Nodes))
	for _, l := range f.Links {
		next[l.From] = append(next[l.From], l.To)
		if l.Both || anyWay {
			next[l.To] = append(next[l.To], l.From)
		}
	}
	return next
}

// walk marks the given steps and all steps reachable from them as seen. It does not continue from steps that were seen
// before.
func walk(next [][]int, from []int, seen []bool) {
	for len(from) > 0 {
		i := from[len(from)-1]
		from = from[:len(from)-1]
		if !seen[i] {
			seen[i] = true
			from = append(from, next[i]...)
		}
	}
}
