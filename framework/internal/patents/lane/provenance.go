package lane

import (
	"cmp"
	"context"
	"maps"
	"slices"

	"github.com/sagasu-search/sagasu/framework/internal/patents/rankfusion"
)

// Provenance describes the origin and content of a run. Metrics, frontier and contributions are set
// for fusions and null for a lane's run.
type Provenance struct {
	Traced
	RunID             string                     `json:"run_id"`
	Lane              string                     `json:"lane" optional:""`
	CodeFreqs         CodeFreqs                  `json:"code_freqs" schema:"object" doc:"Publications by code, the most frequent 100 of fi (by its norm), ft, ipc and cpc."`
	DistinctCodes     map[string]int             `json:"distinct_codes" optional:"" schema:"object"` // code_freqs and facets list the most frequent
	Facets            Facets                     `json:"facets" optional:"" schema:"object" doc:"Publications by applicant, year of publication and country, the most frequent 100 of each."`
	Documents         int                        `json:"documents" optional:""` // that codes were counted in
	LaneContributions map[string]float64         `json:"lane_contributions" schema:"object" nullable:"" doc:"Shares of the scores of the best 50, which sum to 1; null for a lane's run."`
	RunContributions  map[string]float64         `json:"run_contributions" optional:"" schema:"object" nullable:""`
	Metrics           *rankfusion.Metrics        `json:"metrics" schema:"object"`
	Frontier          []rankfusion.FrontierPoint `json:"frontier" optional:"" schema:"objects" nullable:""`
	Lineage           Lineage                    `json:"lineage" schema:"object"`
	Params            any                        `json:"params" schema:"object" nullable:""` // a lane's request, or a fusion's parameters
	Warnings          []string                   `json:"warnings" optional:""`
}

// Counters implements [toolset.Counter].
func (p *Provenance) Counters() []any { return []any{"documents", p.Documents} }

// RunRequest names a run.
type RunRequest struct {
	Call
	RunID string `json:"run_id" alias:"run_id_lane" required:"the run_id of a search or a fusion" filled:"" doc:"The run_id of a search or a fusion."`
}

// CodeFreqs counts publications by code, the most frequent codes of each kind; FI
// codes by their norm.
type CodeFreqs struct {
	FI  map[string]int `json:"fi"`
	FT  map[string]int `json:"ft"`
	IPC map[string]int `json:"ipc"`
	CPC map[string]int `json:"cpc"`
}

// Facets counts publications by what they have beside codes.
type Facets struct {
	Applicant map[string]int `json:"applicant"`
	Year      map[string]int `json:"year"`
	Country   map[string]int `json:"country"`
}

// Lineage names the runs that a run goes back to.
type Lineage struct {
	BaseRunID  *string  `json:"base_run_id"`
	Ancestors  []string `json:"ancestors"` // the nearest first
	Lanes      []Input  `json:"lanes"`
	Topic      string   `json:"topic,omitempty"` // of a fusion
	Collection string   `json:"collection"`
	Created    string   `json:"created"` // RFC 3339, UTC
}

// maxCodes is the maximum number of codes of a kind that are listed.
const maxCodes = 100

// Provenance of a run.
func (e *Engine) Provenance(ctx context.Context, req RunRequest) (*Provenance, error) {
	r, err := e.runs.get(ctx, "run_id", req.RunID)
	if err != nil {
		return nil, err
	}
	now, err := e.pubs.Fingerprint(ctx)
	if err != nil {
		return nil, backend(ctx, err)
	}
	out := &Provenance{
		RunID: r.ID, Lane: r.Lane(), Documents: len(r.Docs), Params: r.Request, Warnings: []string{},
		DistinctCodes: map[string]int{},
		Lineage: Lineage{Ancestors: []string{}, Lanes: []Input{}, Collection: r.Collection,
			Created: r.Created.UTC().Format("2006-01-02T15:04:05Z")},
	}
	if r.Collection != now {
		out.Warnings = append(out.Warnings,
			"the collection has changed since this run was made; codes are counted in today's")
	}
	if r.Fusion != nil {
		out.describe(r.Fusion)
	}
	counts, err := e.counts(ctx, r)
	if err != nil {
		return nil, err
	}
	for kind, of := range counts {
		out.DistinctCodes[kind] = len(of)
	}
	out.CodeFreqs = codeFreqs(counts)
	out.Facets = Facets{frequent(counts["applicant"]), frequent(counts["year"]), frequent(counts["country"])}
	return out, nil
}

func (p *Provenance) describe(f *Fusion) {
	p.Metrics, p.Frontier, p.Params = &f.Metrics, f.Frontier, ResultParams{f.Inputs, f.Params}
	p.Lineage.Ancestors, p.Lineage.Lanes, p.Lineage.Topic = f.Ancestors, f.Inputs, f.Topic
	if f.Base != "" {
		p.Lineage.BaseRunID = &f.Base
	}
	if f.Shares == nil {
		p.Warnings = append(p.Warnings, "lane_contributions are undefined: every score is 0")
		return
	}
	p.LaneContributions, p.RunContributions = map[string]float64{}, map[string]float64{}
	for i, in := range f.Inputs {
		names := rankfusion.LaneNames(in.Lane, in.LaneName)
		p.LaneContributions[names[len(names)-1]] += f.Shares[i]
		p.RunContributions[in.RunID] = f.Shares[i]
	}
}

// counts counts the publications of a run by kind and code, see [rankfusion.Catalog.CodeCounts].
func (e *Engine) counts(ctx context.Context, r *Run) (map[string]map[string]int, error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	input := []Input{{Lane: r.Lane(), RunID: r.ID}}
	lanes, _, err := e.prepare(ctx, input, []*Run{r}, rankfusion.Params{})
	if err != nil {
		return nil, err
	}
	return e.catalog.CodeCounts(lanes[0].Rows), nil
}

func codeFreqs(counts map[string]map[string]int) CodeFreqs {
	return CodeFreqs{frequent(counts["fi"]), frequent(counts["ft"]), frequent(counts["ipc"]), frequent(counts["cpc"])}
}

// frequent keeps the codes that stand first by count, then by name.
func frequent(counts map[string]int) map[string]int {
	if len(counts) <= maxCodes {
		return counts
	}
	codes := slices.SortedFunc(maps.Keys(counts), func(a, b string) int {
		return cmp.Or(cmp.Compare(counts[b], counts[a]), cmp.Compare(a, b))
	})
	out := make(map[string]int, maxCodes)
	for _, code := range codes[:maxCodes] {
		out[code] = counts[code]
	}
	return out
}
