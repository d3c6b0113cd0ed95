package lane

import (
	"encoding/json"
	"time"

	"github.com/sagasu-search/sagasu/framework/internal/patents/publication"
	"github.com/sagasu-search/sagasu/framework/internal/patents/rankfusion"
)

// fusionLane is the lane of a run that was fused from others.
const fusionLane = "fusion"

// Run is a ranking and all that shaped it. It never changes.
type Run struct {
	ID         string    `json:"run_id"`
	Created    time.Time `json:"created"`
	Collection string    `json:"collection"` // fingerprint
	Request    *Request  `json:"request,omitempty"`
	Fusion     *Fusion   `json:"fusion,omitempty"`
	HitCount   int       `json:"hit_count"` // all that matched
	Docs       []string  `json:"docs"`      // publications, best first
	Scores     []float64 `json:"scores"`
}

// Request is the request to a lane, with defaults filled in.
type Request struct {
	Lane         string              `json:"lane"` // its type
	LaneName     string              `json:"lane_name"`
	Query        string              `json:"query,omitempty"`
	Text         string              `json:"text,omitempty"`
	Filters      publication.Filters `json:"filters"`
	FieldBoosts  map[string]float64  `json:"field_boosts,omitempty"`
	FeatureScope string              `json:"feature_scope,omitempty"`
	Sort         string              `json:"sort,omitempty"`
	TopK         int                 `json:"top_k"`
}

// Fusion holds the inputs of a fused run, and its figures.
type Fusion struct {
	Base      string            `json:"base_run_id,omitempty"` // the run it was mutated from
	Ancestors []string          `json:"ancestors"`             // Base and those before it, the nearest first
	Inputs    []Input           `json:"runs"`
	Topic     string            `json:"topic"`  // whose representatives counted, beside those of the lineage
	Params    rankfusion.Params `json:"params"` // with defaults and the representatives in force

	Metrics  rankfusion.Metrics         `json:"metrics"`
	Frontier []rankfusion.FrontierPoint `json:"frontier"`
	Shares   []float64                  `json:"shares"` // of Inputs; null when every score is 0
}

// Input is a run that is fused.
type Input struct {
	Lane     string  `json:"lane"`
	LaneName string  `json:"lane_name"`
	RunID    string  `json:"run_id_lane"`
	Weight   float64 `json:"weight"`
}

// Lane returns the type of the run's lane.
func (r *Run) Lane() string {
	if r.Fusion != nil {
		return fusionLane
	}
	return r.Request.Lane
}

// seal names a run by a hash of its inputs and results, since a search that was cut short is a
// different run. The time is not part of the hash.
func (r *Run) seal(now time.Time) *Run {
	raw, _ := json.Marshal(r) // an error comes again when the run is kept
	r.ID, r.Created = r.Lane()+"-"+digest(string(raw)), now
	return r
}

// Handle is a lane's run as its caller gets it.
type Handle struct {
	Traced
	RunID     string   `json:"run_id" doc:"For every other tool; lives 12 hours."`
	Lane      string   `json:"lane"`
	LaneName  string   `json:"lane_name" optional:""`
	RunIDLane string   `json:"run_id_lane" doc:"The same as run_id."`
	HitCount  int      `json:"hit_count" doc:"All publications that match."`
	TopK      int      `json:"top_k" doc:"How many were kept."`
	Truncated bool     `json:"truncated"`
	Meta      Request  `json:"meta" schema:"object" doc:"The search with every default written out."`
	Warnings  []string `json:"warnings"`

	Items     []Snippet  `json:"items,omitzero" schema:"objects" doc:"The best, where include or fields ask for them."`
	CodeFreqs *CodeFreqs `json:"code_freqs,omitempty" schema:"object"`
}

// Counters implements [toolset.Counter].
func (h *Handle) Counters() []any {
	return []any{"lane", h.Lane, "hit_count", h.HitCount, "top_k", h.TopK, "warnings", len(h.Warnings),
		"trace_id", h.TraceID}
}

// Handle of a lane's run.
func (r *Run) Handle() Handle {
	return Handle{
		RunID: r.ID, Lane: r.Request.Lane, LaneName: r.Request.LaneName, RunIDLane: r.ID,
		HitCount: r.HitCount, TopK: len(r.Docs), Truncated: r.HitCount > len(r.Docs), Meta: *r.Request,
		Warnings: []string{},
	}
}
