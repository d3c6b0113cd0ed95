package rankfusion

import (
	"cmp"
	"slices"
)

// Lane is one run of a lane: a ranking of publications, each once, best first.
type Lane struct {
	Type   string // fulltext, semantic, …
	Name   string // as the caller named it, such as fulltext_recall
	Weight float64
	Rows   []uint32 // of the catalog
}

// Placed is a publication in the fused order, with what its score is made of.
type Placed struct {
	Row   uint32
	Best  uint32 // its best rank in a single lane, from 1
	Lanes uint32 // how many hold it

	Parts
}

// Parts are the parts of a score.
type Parts struct {
	RRF     float64 `json:"rrf" optional:""`
	PiCode  float64 `json:"pi_code" schema:"-"`
	PiFacet float64 `json:"pi_facet" schema:"-"`
	PiLane  float64 `json:"pi_lane" schema:"-"`
	PiRep   float64 `json:"pi_rep" schema:"-"`
	Pi      float64 `json:"pi" optional:""`
	Score   float64 `json:"score"` // RRF · (1 + beta · π)
}

// Blend fuses lanes by code-aware reciprocal rank fusion (docs/reference/rank-fusion.md):
//
//	RRF(d) = Σ W(run) / (k + rank_run(d)),  score(d) = RRF(d) · (1 + beta · π(d))
//
// Order: score, best single rank, id. Facet terms must have been looked for, see
// [Catalog.Unread]. It does not change the catalog.
func (c *Catalog) Blend(lanes []Lane, p Params) []Placed {
	rows, at := c.distinct(lanes)
	docs := gather(lanes, rows, at, p)
	c.favourCodes(docs, at, p)
	c.favour(docs, len(lanes), p)
	return c.order(docs)
}

// distinct returns the rows of lanes, each once, and by row its number among them, from 1.
func (c *Catalog) distinct(lanes []Lane) (rows, at []uint32) {
	at = make([]uint32, len(c.ids))
	for _, l := range lanes {
		for _, row := range l.Rows {
			if at[row] == 0 {
				rows = append(rows, row)
				at[row] = uint32(len(rows))
			}
		}
	}
	return rows, at
}

// tally is the evidence of the lanes for a publication.
type tally struct {
	sum, lost float64
	best      uint32 // inverted, so that the best of none is 0
	lanes     uint32
}

// gather sums W/(k+rank) for every publication of the lanes. The sums are
// compensated (Knuth's TwoSum), so that equal ranks in other lanes of equal weight
// make an exact tie, in whatever order they are added.
func gather(lanes []Lane, rows, at []uint32, p Params) []Placed {
	tallies := make([]tally, len(rows)) // which the lanes jump about in: they are small, docs are not
	for _, l := range lanes {
		w := p.weight(l)
		for i, row := range l.Rows {
			t, amount := &tallies[at[row]-1], w/(p.K+float64(i+1))
			t.best = max(t.best, ^uint32(i+1)) // without a branch, which would be guessed wrong often
			t.lanes++
			s := t.sum + amount
			b := s - t.sum
			t.lost += (t.sum - (s - b)) + (amount - b)
			t.sum = s
		}
	}
	docs := make([]Placed, len(rows))
	for i, t := range tallies {
		docs[i] = Placed{Row: rows[i], Best: ^t.best, Lanes: t.lanes, Parts: Parts{RRF: t.sum + t.lost}}
	}
	return docs
}

// favour computes the rest of π(d), and the score. The conversions keep compilers
// from fusing a product with a sum, so that every machine gets the same figures.
func (c *Catalog) favour(docs []Placed, lanes int, p Params) {
	facets, pi := c.facets(p), filled(p.PiWeights, PiDefaults())
	code, facet, lane, rep := pi["code"], pi["facet"], pi["lane"], pi["rep"]
	representatives := c.representatives(p)
	for i := range docs {
		d := &docs[i]
		for _, f := range facets {
			d.PiFacet += f.share(d.Row)
		}
		if len(facets) > 0 {
			d.PiFacet /= float64(len(facets))
		}
		d.PiLane = float64(d.Lanes) / float64(lanes)
		if len(representatives) > 0 {
			d.PiRep = representatives[d.Row]
		}
		d.Pi = float64(code*d.PiCode) + float64(facet*d.PiFacet) + float64(lane*d.PiLane) + float64(rep*d.PiRep)
		d.Score = d.RRF * (1 + float64(p.Beta*d.Pi))
	}
}

// representatives returns π_rep of the rows that have one.
func (c *Catalog) representatives(p Params) map[uint32]float64 {
	worth, out := Representativeness(), map[uint32]float64{}
	for id, category := range p.Representatives {
		if row, ok := c.rows[id]; ok {
			out[row] = worth[category]
		}
	}
	return out
}

// order puts publications in order: score descending, best single rank, id.
func (c *Catalog) order(docs []Placed) []Placed {
	type key struct {
		score float64
		at    uint32
	}
	keys := make([]key, len(docs))
	for i, d := range docs {
		keys[i] = key{d.Score, uint32(i)}
	}
	slices.SortFunc(keys, func(a, b key) int {
		if a.score != b.score {
			return cmp.Compare(b.score, a.score)
		}
		p, q := &docs[a.at], &docs[b.at]
		return cmp.Or(cmp.Compare(p.Best, q.Best), cmp.Compare(c.ids[p.Row], c.ids[q.Row]))
	})
	out := make([]Placed, len(docs))
	for i, k := range keys {
		out[i] = docs[k.at]
	}
	return out
}
