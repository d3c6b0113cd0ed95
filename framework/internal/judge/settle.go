package judge

import "slices"

// settle draws statuses, counts and the order from the edges.
func (b *builder) settle() {
	touched := make(map[string]bool)
	for k := range b.graph.Claims {
		c := &b.graph.Claims[k]
		var count [3]int
		for _, e := range b.graph.Edges {
			if e.From == c.ID {
				count[relationIndex(e.Relation)]++
				touched[e.To] = true
			}
		}
		c.Status = Unresolved
		switch {
		case count[1] > 0:
			c.Status = Conflicted
		case count[0] > 0:
			c.Status = Supported
		}
		if count[0] > 0 {
			c.Confidence = hundredths(b.q.share(b.sentences[b.stood[k]].near) * float64(count[0]) / float64(count[0]+count[1]))
		}
	}
	b.countFacets()
	for _, wanted := range [...]bool{true, false} {
		for i := range b.evidences {
			if (i < firm || touched[evidenceID(i)]) == wanted {
				b.graph.Top = append(b.graph.Top, i)
			}
		}
	}
	b.currentFirst()
}

// currentFirst puts what has been replaced behind the current texts among the first,
// as long as one of those is on the query too.
func (b *builder) currentFirst() {
	first := b.graph.Top[:min(firm, len(b.graph.Top))]
	if slices.ContainsFunc(first, func(i int) bool { return !b.outdated(i) && b.q.about(b.places[i].text) }) {
		slices.SortStableFunc(first, func(x, y int) int { return order(b.outdated(x)) - order(b.outdated(y)) })
	}
}

func order(last bool) int {
	if last {
		return 1
	}
	return 0
}

// firm is how many of the best evidences keep their place in the judged order:
// there rank says more than an edge.
const firm = 5

func relationIndex(r Relation) int {
	return slices.Index([]Relation{Supports, Contradicts, RequiresFollowup}, r)
}

func (b *builder) countFacets() {
	for _, f := range facets {
		row := FacetRow{Facet: f, Coverage: Missing}
		for _, c := range b.graph.Claims {
			if c.Facet != f {
				continue
			}
			row.Claims++
			switch c.Status {
			case Supported:
				row.Supported++
			case Conflicted:
				row.Conflicted++
			default:
				row.Unresolved++
			}
		}
		lacks := slices.ContainsFunc(b.graph.Gaps, func(g Gap) bool { return g.Facet == f })
		switch {
		case row.Claims > 0 && row.Supported == row.Claims && !lacks:
			row.Coverage = Covered
		case row.Supported+row.Conflicted > 0:
			row.Coverage = Partial
		}
		if row.Claims > 0 || lacks || f == b.q.intent {
			b.graph.Facets = append(b.graph.Facets, row)
		}
	}
}
