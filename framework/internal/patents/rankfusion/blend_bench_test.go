package rankfusion

import (
	"fmt"
	"math/rand/v2"
	"testing"
)

// The lanes of the benchmark: three of 10,000 publications each, drawn from
// 20,000, with codes of all kinds and two facets.
const (
	benchPool  = 20_000
	benchDepth = 10_000
)

var benchWords = []string{"顔認証", "顔識別", "マスク", "遮蔽", "補完", "画像処理装置", "制御部", "撮像部", "重み付け", "学習済みモデル"}

func benchParams() Params {
	p := DefaultParams()
	p.Profile = Profile{FI: map[string]float64{}, FT: map[string]float64{}, CPC: map[string]float64{"G06V10/01": 0.2}}
	for i := range 8 {
		p.Profile.FI[fmt.Sprintf("G06V%d/%02d", 10+i, i)] = 1
		p.Profile.FI[fmt.Sprintf("G06V%d/%02dA", 10+i, i+1)] = 0.5
		p.Profile.FT[fmt.Sprintf("5B089AA%02d", i)] = 0.6
	}
	p.FacetTerms = map[string][]string{"A": benchWords[:2], "B": benchWords[2:4]}
	p.FacetWeights = map[string]float64{"A": 1, "B": 0.5}
	p.LaneWeights = map[string]float64{"recall": 1, "precision": 1.2, "semantic": 0.8}
	p.Representatives = map[string]string{"JP17A": "A", "JP4711A": "B"}
	return p
}

func benchCodes(r *rand.Rand) Codes {
	var c Codes
	for range 3 {
		c.FI = append(c.FI, fmt.Sprintf("G06V%d/%02d%s", 10+r.IntN(40), r.IntN(30), []string{"", "A", "@Z"}[r.IntN(3)]))
		c.FT = append(c.FT, fmt.Sprintf("5B089AA%02d", r.IntN(60)))
		c.CPC = append(c.CPC, fmt.Sprintf("G06V%d/%02d", 10+r.IntN(40), r.IntN(30)))
	}
	c.IPC = append(c.IPC, fmt.Sprintf("G06V%d/%02d", 10+r.IntN(40), r.IntN(30)))
	return c
}

// benchInput returns a filled catalog and the lanes by publication.
func benchInput(p Params) (*Catalog, [3][]string) {
	r := rand.New(rand.NewPCG(1, 2))
	c := NewCatalog()
	for i := range benchPool {
		row := c.Add(fmt.Sprintf("JP%dA", i), benchCodes(r))
		text := ""
		for range 8 {
			text += benchWords[r.IntN(len(benchWords))] + "。"
		}
		c.look(row, p.FacetTerms, text)
	}
	var lanes [3][]string
	for i := range lanes {
		for _, row := range r.Perm(benchPool)[:benchDepth] {
			lanes[i] = append(lanes[i], c.ID(uint32(row)))
		}
	}
	return c, lanes
}

func benchLanes(c *Catalog, ids [3][]string) []Lane {
	lanes := []Lane{{Type: "fulltext", Name: "fulltext_recall", Weight: 1}, {Type: "fulltext", Name: "fulltext_precision", Weight: 0.8}, {Type: "semantic", Name: "semantic", Weight: 1.2}}
	for i := range lanes {
		lanes[i].Rows = make([]uint32, len(ids[i]))
		for j, id := range ids[i] {
			lanes[i].Rows[j], _ = c.Row(id)
		}
	}
	return lanes
}

// BenchmarkBlend is the fusion core: ranks, codes and facets to an ordered list.
func BenchmarkBlend(b *testing.B) {
	p := benchParams()
	c, ids := benchInput(p)
	lanes := benchLanes(c, ids)
	b.ReportAllocs()
	for b.Loop() {
		c.Blend(lanes, p)
	}
}

// BenchmarkBlendFromIDs adds what leads from publication ids to rows, and
// metrics, frontier and shares.
func BenchmarkBlendFromIDs(b *testing.B) {
	p := benchParams()
	c, ids := benchInput(p)
	b.ReportAllocs()
	for b.Loop() {
		lanes := benchLanes(c, ids)
		ranked := c.Blend(lanes, p)
		c.Measure(lanes, ranked)
		Frontier(ranked, DefaultParams())
		c.Shares(lanes, ranked, p)
	}
}
