package audit

import (
	"slices"
	"strings"
)

// flows returns the groups of objects that lead to each other: those listed in one
// array, of which some name another one as what follows.
func (d *document) flows() []Flow {
	var flows []Flow
	place := map[int]int{} // object → step
	groups := map[*value]int{}
	links := d.steps()
	for _, l := range links {
		for _, i := range [...]int{l.From, l.To} {
			if group := d.objects[i].group; group != nil {
				if _, ok := groups[group]; !ok {
					groups[group] = len(flows)
					flows = append(flows, Flow{})
				}
			}
		}
	}
	for i, o := range d.objects {
		if at, ok := groups[o.group]; ok {
			place[i] = len(flows[at].Nodes)
			flows[at].Nodes = append(flows[at].Nodes, d.step(o))
		}
	}
	for _, l := range links {
		at, ok := groups[d.objects[l.From].group]
		to, same := groups[d.objects[l.To].group]
		if ok {
			flows[at].Nodes[place[l.From]].Joined = true
			flows[at].Nodes[place[l.From]].Exits++
		}
		if same {
			flows[to].Nodes[place[l.To]].Joined = true
		}
		if ok && same && at == to {
			flows[at].Links = append(flows[at].Links, Link{place[l.From], place[l.To], l.Both})
		}
	}
	return flows
}

// steps returns the links that lead on, between places among the objects.
func (d *document) steps() []Link {
	var links []Link
	for _, p := range d.pointed {
		to, ok := d.byID[p.to]
		switch {
		case !ok:
		case p.around.joins:
			if from, known := d.byID[p.around.from]; known && (p.key == "to" || p.key == "target") {
				links = append(links, Link{from, to, p.around.both})
			}
		case p.from >= 0 && leadsOn(p.key):
			links = append(links, Link{p.from, to, p.around.both})
		}
	}
	return links
}

// step returns an object as a step of a flow.
func (d *document) step(o object) Step {
	kind := strings.ToLower(o.get("type").scalar() + o.get("kind").scalar())
	return Step{ID: o.id, Label: titleOf(o.value), Line: o.line,
		Start: d.starts[o.id] || isStart(kind) || isStart(o.id) || isStart(titleOf(o.value)) ||
			o.truth("start", "initial", "is_start"),
		Decision: slices.Contains([]string{"decision", "branch", "gateway", "choice", "condition", "分岐", "判断"}, kind)}
}
