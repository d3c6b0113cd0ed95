package judge

import "github.com/sagasu-search/sagasu/sdk"

// Status is the verdict on a result.
type Status string

const (
	Ready         Status = "ready"          // enough, supported, no gap, no conflict
	NeedsFollowUp Status = "needs_followup" // something is thin, missing or contradictory
	Blocked       Status = "blocked"        // no candidate at all
)

// enough is the number of candidates from which on a result is not thin.
const enough = 5

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
