package adapt

import "math"

// Thresholds decide when a search widens (stage 4).
type Thresholds struct {
	// CandidateLow: a search with fewer candidates widens. 2 to 6.
	CandidateLow int `json:"candidate_low_threshold"`
	// FileBias: a search of five candidates or more widens when one file holds
	// this share of them or more. 0.70 to 0.90, in hundredths.
	FileBias float64 `json:"file_bias_threshold"`
}

// Ranges and steps of the thresholds, from the requirements.
const (
	lowLeast, lowMost   = 2, 6
	biasLeast, biasMost = 0.70, 0.90
	biasStep            = 0.03
	biasFrom            = 5 // minimum number of candidates for the bias to count
)

// within clamps thresholds to their ranges.
func (t Thresholds) within() Thresholds {
	return Thresholds{max(lowLeast, min(lowMost, t.CandidateLow)),
		hundredths(max(biasLeast, min(biasMost, t.FileBias)))}
}

func hundredths(x float64) float64 { return math.Round(x*100) / 100 }

// State is the thresholds and the data needed to continue adapting them. Each row contains it, so
// that it can be restored from the rows.
type State struct {
	Thresholds
	// Base holds the initial thresholds, to which they roll back.
	Base Thresholds `json:"threshold_base"`
	// LowAt and BiasAt are when each threshold last changed, in seconds since
	// 1970, 0 for never.
	LowAt  int64 `json:"candidate_low_changed"`
	BiasAt int64 `json:"file_bias_changed"`
	// Age counts the rows since either changed.
	Age int `json:"threshold_age"`
}

// Policy is what the user may set.
type Policy struct {
	Base Thresholds
	// MinRecall is the recall proxy that must be kept, in [0, 1].
	MinRecall float64 `setting:"ADAPTIVE_MIN_RECALL" guest:"" min:"0" max:"1" default:"0.90" doc:"share of what is used that searches must have found"`
}

// atEase returns the recall from which on searches may widen less: half way from MinRecall to 1, so
// that widening less does not at once bring recall below MinRecall.
func (p Policy) atEase() float64 { return (1 + p.MinRecall) / 2 }
