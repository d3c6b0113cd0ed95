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

// The ranges and steps that the requirements fix.
const (
	lowLeast, lowMost   = 2, 6
	biasLeast, biasMost = 0.70, 0.90
	biasStep            = 0.03
	biasFrom            = 5 // candidates from which on the bias counts
)

// within brings thresholds into their ranges.
func (t Thresholds) within() Thresholds {
	return Thresholds{max(lowLeast, min(lowMost, t.CandidateLow)),
		hundredths(max(biasLeast, min(biasMost, t.FileBias)))}
}

func hundredths(x float64) float64 { return math.Round(x*100) / 100 }

// State are the thresholds with what is needed to go on from them. Each row
// carries it, so that the state is recovered from the rows alone.
type State struct {
	Thresholds
	// Base is where the thresholds began and roll back to.
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

// atEase returns the recall from which on width may be given up: half way from what
// must be kept to all there is, so that giving it up does not at once ask for
// it back.
func (p Policy) atEase() float64 { return (1 + p.MinRecall) / 2 }
