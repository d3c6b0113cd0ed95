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
func (f Flow) orphans() []Finding {
	found := []Finding{}
	reached := f.reach(f.starts())
	told := make([]bool, len(f.Nodes))
	for i, n := range f.Nodes {
		switch {
		case n.Apart || told[i]:
		case !n.Joined:
			found = append(found, orphan(n, "%s has no edge", n.name()))
			continue
		case !reached[i]:
			found = append(found, orphan(n, "the branch at %s cannot be reached from the start", n.name()))
			f.mark(i, reached, told)
		}
		if n.Decision && n.Exits < 2 && n.Joined && !n.Apart {
			found = append(found, orphan(n, "the decision %s has %s", n.name(),
				[...]string{"no way out", "a single way out"}[n.Exits]))
		}
	}
	return found
}

func orphan(n Step, format string, args ...any) Finding {
	return Finding{Kind: OrphanBranch, Message: fmt.Sprintf(format, args...), NodeID: given(n.ID), Line: n.Line}
}

// name returns the step as a message names it.
func (n Step) name() string {
	if n.Label == "" || n.Label == n.ID {
		return n.ID
	}
	return fmt.Sprintf("%s (%s)", n.ID, short(n.Label))
}

// starts are the declared starts, else the first step; and all without a way
// in that look like it or stand in the same frame.
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

// first is the step that a flow begins with where none is declared: the first
// source, unless a later one leads to at least twice as many steps; without a
// source, the first step that an edge touches.
func (f Flow) first(sources []int) int {
	if len(sources) == 0 {
		return max(0, slices.IndexFunc(f.Nodes, func(n Step) bool { return n.Joined }))
	}
	best, most := sources[0], f.reachable(sources[0])
	for _, i := range sources[1:min(len(sources), weighed)] {
		if count := f.reachable(i); count >= 2*most {
			best, most = i, count
		}
	}
	return best
}

// weighed is how many sources are compared, to bound the time.
const weighed = 100

// reachable counts the steps that a step leads to, itself included.
func (f Flow) reachable(from int) int {
	count := 0
	for _, reached := range f.reach([]int{from}) {
		if reached {
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

// reach returns the steps that some steps lead to, these included.
func (f Flow) reach(from []int) []bool {
	next := make([][]int, len(f.Nodes))
	for _, l := range f.Links {
		next[l.From] = append(next[l.From], l.To)
		if l.Both {
			next[l.To] = append(next[l.To], l.From)
		}
	}
	reached := make([]bool, len(f.Nodes))
	for len(from) > 0 {
		i := from[len(from)-1]
		from = from[:len(from)-1]
		if !reached[i] {
			reached[i] = true
			from = append(from, next[i]...)
		}
	}
	return reached
}

// mark notes all unreached steps that hang together with one.
func (f Flow) mark(from int, reached, told []bool) {
	beside := make([][]int, len(f.Nodes))
	for _, l := range f.Links {
		beside[l.From] = append(beside[l.From], l.To)
		beside[l.To] = append(beside[l.To], l.From)
	}
	for todo := []int{from}; len(todo) > 0; {
		i := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		if !told[i] && !reached[i] {
			told[i] = true
			todo = append(todo, beside[i]...)
		}
	}
}
