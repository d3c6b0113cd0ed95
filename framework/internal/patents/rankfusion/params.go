package rankfusion

import (
	"maps"
	"slices"
	"strings"
)

// Default weights of codes (docs/reference/rank-fusion.md).
const (
	codeWeight      = 1.0
	secondaryWeight = 0.1
)

// PiDefaults returns the weights of the parts of π(d) (docs/reference/rank-fusion.md).
func PiDefaults() map[string]float64 {
	return map[string]float64{"code": 0.4, "facet": 0.3, "lane": 0.3, "rep": 0.3}
}

// Representativeness returns π_rep by category.
func Representativeness() map[string]float64 { return map[string]float64{"A": 1, "B": 0.4, "C": 0.1} }

// Profile weighs codes. FI codes may be written in full or as their norm.
type Profile struct {
	FI  map[string]float64 `json:"fi"`
	FT  map[string]float64 `json:"ft"`
	IPC map[string]float64 `json:"ipc,omitempty"`
	CPC map[string]float64 `json:"cpc,omitempty"`
}

// Empty reports whether no code is weighed.
func (p Profile) Empty() bool { return len(p.FI)+len(p.FT)+len(p.IPC)+len(p.CPC) == 0 }

// Params are the parameters of a fusion. All numbers are finite and ≥ 0; an
// absent key of a map means its default.
type Params struct {
	K            float64             `json:"rrf_k"`     // RRF's constant
	Beta         float64             `json:"beta_fuse"` // how much π(d) raises a score
	Weights      map[string]float64  `json:"weights"`   // by lane type; code and code_secondary
	LaneWeights  map[string]float64  `json:"lane_weights"`
	PiWeights    map[string]float64  `json:"pi_weights"` // code, facet, lane, rep
	Profile      Profile             `json:"target_profile"`
	FacetTerms   map[string][]string `json:"facet_terms"`
	FacetWeights map[string]float64  `json:"facet_weights"`
	// Representatives are publications by their category A, B or C.
	Representatives map[string]string `json:"representatives"`
	// Depth is the number of best rows of a run that count, by lane name or type. All rows count for
	// lanes that it does not name.
	Depth map[string]int `json:"top_m_per_lane,omitempty"`
	// Grid are the k of the frontier; [DefaultGrid] when empty.
	Grid []int `json:"k_grid,omitempty"`
}

// Cut returns the lanes with only the rows that count.
func (p Params) Cut(lanes []Lane) []Lane {
	out := slices.Clone(lanes)
	for i, l := range lanes {
		names := append(LaneNames(l.Type, l.Name), LaneTypes(l.Type)...)
		out[i].Rows = l.Rows[:min(len(l.Rows), value(p.Depth, len(l.Rows), names...))]
	}
	return out
}

// DefaultParams returns the parameters of a fusion that was not tuned (docs/reference/rank-fusion.md).
func DefaultParams() Params { return Params{K: 60, Beta: 1.2} }

// Effective returns p with its defaults filled in, for reports.
func (p Params) Effective() Params {
	p.Weights = filled(p.Weights, map[string]float64{"code": codeWeight, "code_secondary": secondaryWeight})
	p.PiWeights = filled(p.PiWeights, PiDefaults())
	p.LaneWeights = filled(p.LaneWeights, nil)
	p.FacetWeights = filled(p.FacetWeights, nil)
	p.FacetTerms = filled(p.FacetTerms, nil)
	for name, terms := range p.FacetTerms {
		p.FacetWeights[name] = value(p.FacetWeights, 1, name)
		p.FacetTerms[name] = united(terms)
	}
	p.Representatives = filled(p.Representatives, nil)
	p.Profile = Profile{FI: filled(p.Profile.FI, nil), FT: filled(p.Profile.FT, nil), IPC: p.Profile.IPC,
		CPC: p.Profile.CPC}
	return p
}

// filled returns a copy of given on top of defaults, never nil.
func filled[V any](given, defaults map[string]V) map[string]V {
	out := make(map[string]V, len(given)+len(defaults))
	maps.Copy(out, defaults)
	maps.Copy(out, given)
	return out
}

// value returns the entry of the first name that m holds.
func value[V any](m map[string]V, absent V, names ...string) V {
	for _, name := range names {
		if v, ok := m[name]; ok {
			return v
		}
	}
	return absent
}

func sortedKeys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }

// Lane types that mean the same (docs/rrf.md).
const (
	semantic      = "semantic"
	originalDense = "original_dense"
)

// LaneTypes returns the keys of weights that a lane type goes by, its own name first.
func LaneTypes(lane string) []string {
	switch lane {
	case semantic:
		return []string{semantic, originalDense}
	case originalDense:
		return []string{originalDense, semantic}
	}
	return []string{lane}
}

// LaneNames returns the keys of lane_weights that a lane goes by: its whole name, and
// the name without its type (fulltext_recall → recall).
func LaneNames(lane, name string) []string {
	for _, t := range LaneTypes(lane) {
		if short, ok := strings.CutPrefix(name, t+"_"); ok && short != "" {
			return []string{name, short}
		}
	}
	return []string{name}
}

// Part returns what a rank in a lane adds to RRF(d).
func (p Params) Part(l Lane, rank int) float64 { return p.weight(l) / (p.K + float64(rank)) }

// weight returns W(run) = run.weight · weights[lane type] · lane_weights[lane name].
func (p Params) weight(l Lane) float64 {
	return l.Weight * value(p.Weights, 1, LaneTypes(l.Type)...) * value(p.LaneWeights, 1, LaneNames(l.Type, l.Name)...)
}
