package search

import (
	"math"

	"github.com/sagasu-search/sagasu/framework/internal/fusion"
	"github.com/sagasu-search/sagasu/framework/internal/toolset"
)

// Row is one item of a page; which members are set depends on the kind.
type Row struct {
	Ref    *HitRef  `json:"ref,omitempty"`
	Score  *float64 `json:"score,omitempty"`
	Reason string   `json:"reason,omitempty"`
	// Lines are the first and last line of a section's own text, such as 12-18.
	Lines      string `json:"lines,omitempty"`
	Breadcrumb string `json:"breadcrumb,omitempty"` // title and headings
	// Changed says that the file has changed since the search.
	Changed bool `json:"changed,omitempty"`
	// Sections is the number of sections that a row represents: those of a whole manual, or those beyond a gathered
	// part.
	Sections int `json:"sections,omitempty"`
	// Cursor is the engine's cursor after the gathered part of a collection.
	Cursor  string                `json:"cursor,omitempty"`
	Explain []fusion.Contribution `json:"explain,omitempty"`
	// Queries holds the numbers of the queries that found the section, from 0, if there were several.
	Queries []int `json:"queries,omitempty"`
	// Terms are the terms that any strategy matched, normalised; set with Explain.
	Terms []string `json:"terms,omitempty"`
	// Facet and Missing describe a gap.
	Facet   string   `json:"facet,omitempty"`
	Missing []string `json:"missing_terms,omitempty"`
	// ConflictWith are the sections that contradict a candidate.
	ConflictWith []toolset.Ref `json:"conflict_with,omitempty"`
	// GapHint is the reference in a candidate's text to what it does not say itself.
	GapHint string `json:"gap_hint,omitempty"`
	// Part replaces the whole row if it is a part of the claim graph, a [judge.Claim],
	// [judge.Witness], [judge.Edge] or [judge.Conflict], or a [toolset.Skip].
	Part any `json:"-"`
}

// MarshalJSON encodes the part that replaces a row, with its place, and scores with 3 decimals.
func (r Row) MarshalJSON() ([]byte, error) {
	type plain Row
	if r.Score != nil {
		r.Score = new(math.Round(*r.Score*1000) / 1000)
	}
	own, err := toolset.Marshal(plain(r))
	if r.Part == nil || err != nil {
		return own, err
	}
	part, err := toolset.Marshal(r.Part)
	if err != nil || len(own) <= len("{}") {
		return part, err
	}
	return append(append(part[:len(part)-1], ','), own[1:]...), nil
}

// HitRef is a ref as a row of hits carries it.
type HitRef struct {
	toolset.Ref
	Title   string   `json:"title,omitempty"`
	Signals []string `json:"signals,omitempty"`
}
