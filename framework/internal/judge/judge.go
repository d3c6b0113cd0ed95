package judge

import "github.com/sagasu-search/sagasu/sdk"

// Status is the verdict on a result.
type Status string

const (
	Ready         Status = "ready"          // enough, supported, no gap, no conflict
	NeedsFollowUp Status = "needs_followup" // something is thin, missing or contradictory
	Blocked       Status = "blocked"        // no candidate at all
)

const (
	// enough is the number of candidates from which on more add nothing to sufficiency.
	enough = 5
	// biasPenalty is how much of the sufficiency a result from one file loses.
	biasPenalty = 0.2
	// sufficient is the least sufficiency of a ready result.
	sufficient = 0.6
)

// Candidate is what the judgement needs to know of one: its file.
type Candidate struct{ ManualID, Path string }

// Gap is a part of the query that no candidate covers.
type Gap struct {
	Facet   sdk.Intent `json:"facet"`
	Missing []string   `json:"missing_terms"` // content terms, or the word for what is needed
	// Need names a form of answer that is missing: period, amount, limit, weight, size, contact, place,
	// procedure, exceptions, eligibility … "" where terms are missing.
	Need string `json:"need,omitempty"`
	// About holds the query's terms that the need belongs to.
	About []string `json:"about,omitempty"`
}

// FileBias is the share of the candidates that lie in the most frequent file,
// in [0, 1]; 0 without candidates.
func FileBias(candidates []Candidate) float64 {
	count, most := make(map[Candidate]int), 0
	for _, c := range candidates {
		count[c]++
		most = max(most, count[c])
	}
	if most == 0 {
		return 0
	}
	return float64(most) / float64(len(candidates))
}

// Sufficiency is min(1, n/5) · (1 − 0.2 · bias), in [0, 1] (docs/reference/status.md).
func Sufficiency(candidates int, bias float64) float64 {
	return min(1, float64(candidates)/enough) * (1 - biasPenalty*bias)
}

// Verdict draws the status from the figures (docs/reference/status.md). Nothing is ready
// whose answer no text supports.
func Verdict(candidates, gaps, conflicts int, sufficiency float64, answered bool) Status {
	switch {
	case candidates == 0:
		return Blocked
	case sufficiency >= sufficient && gaps == 0 && conflicts == 0 && answered:
		return Ready
	}
	return NeedsFollowUp
}
