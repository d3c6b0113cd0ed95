package lane

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"io"

	"github.com/sagasu-search/sagasu/framework/internal/patents/rankfusion"
)

// Case is a fusion with all that it needs, for trying figures without a
// collection.
type Case struct {
	Lanes  []CaseLane         `json:"lanes"`
	Docs   map[string]CaseDoc `json:"docs"`
	Params rankfusion.Params  `json:"params"`
}

// CaseLane is a run: publications by their id, best first.
type CaseLane struct {
	Lane     string   `json:"lane"`
	LaneName string   `json:"lane_name"` // Lane when empty
	Weight   *float64 `json:"weight"`    // 1 when not given
	Docs     []string `json:"docs"`
}

// CaseDoc is what a fusion looks at in a publication. One that a lane holds and
// the case does not describe has no codes and no text.
type CaseDoc struct {
	rankfusion.Codes
	Title string `json:"title"`
	Abst  string `json:"abst"`
	Claim string `json:"claim"`
}

// CaseResult is a fused case.
type CaseResult struct {
	Ranked  []CaseRanked       `json:"ranked"`
	Metrics rankfusion.Metrics `json:"metrics"`
}

// CaseRanked is a publication with what its score is made of.
type CaseRanked struct {
	PubID string `json:"pub_id"`
	rankfusion.Parts
}

// ReadCase reads a case and refuses what it does not know, what is no number ≥ 0
// and a publication that stands in a lane twice.
func ReadCase(raw []byte) (Case, error) {
	c := Case{Params: rankfusion.DefaultParams()}
	dec := json.NewDecoder(bytes.NewReader(raw))
	dec.DisallowUnknownFields()
	if err := dec.Decode(&c); err != nil {
		return Case{}, fmt.Errorf("read case: %w", err)
	}
	if _, err := dec.Token(); err != io.EOF {
		return Case{}, fmt.Errorf("read case: there is text after the object")
	}
	var types []string
	for i, l := range c.Lanes {
		if err := l.check(i); err != nil {
			return Case{}, err
		}
		types = append(types, l.Lane)
	}
	if err := checkParams(c.Params, types...); err != nil {
		return Case{}, err
	}
	return c, nil
}

func (l CaseLane) check(i int) error {
	if l.Lane == "" {
		return wrong(fmt.Sprintf("lanes.%d.lane", i), "", "the type of the lane, such as fulltext or semantic")
	}
	if l.Weight != nil {
		if err := checkWeight(fmt.Sprintf("lanes.%d.weight", i), *l.Weight); err != nil {
			return err
		}
	}
	seen := make(map[string]bool, len(l.Docs))
	for _, id := range l.Docs {
		if id == "" || seen[id] {
			return wrong(fmt.Sprintf("lanes.%d.docs", i), id, "publications by their id, each once")
		}
		seen[id] = true
	}
	return nil
}

// Fuse ranks the publications of the case.
func (c Case) Fuse() CaseResult {
	catalog, finder := rankfusion.NewCatalog(), rankfusion.NewFinder(c.Params.FacetTerms)
	lanes := make([]rankfusion.Lane, len(c.Lanes))
	for i, l := range c.Lanes {
		lanes[i] = rankfusion.Lane{Type: l.Lane, Name: cmp.Or(l.LaneName, l.Lane), Weight: 1}
		if l.Weight != nil {
			lanes[i].Weight = *l.Weight
		}
		for _, id := range l.Docs {
			lanes[i].Rows = append(lanes[i].Rows, c.add(catalog, finder, id))
		}
	}
	lanes = c.Params.Cut(lanes)
	ranked := catalog.Blend(lanes, c.Params)
	result := CaseResult{Ranked: make([]CaseRanked, len(ranked)), Metrics: catalog.Measure(lanes, ranked)}
	for i, d := range ranked {
		result.Ranked[i] = CaseRanked{catalog.ID(d.Row), d.Parts}
	}
	return result
}

func (c Case) add(catalog *rankfusion.Catalog, finder *rankfusion.Finder, id string) uint32 {
	if row, ok := catalog.Row(id); ok {
		return row
	}
	d := c.Docs[id]
	row := catalog.Add(id, d.Codes)
	catalog.Note(row, finder, finder.Held(d.Title, d.Abst, d.Claim))
	return row
}
