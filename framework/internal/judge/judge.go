package judge

import (
	"github.com/sagasu-search/sagasu/framework/internal/judge/answer"
	"github.com/sagasu-search/sagasu/framework/internal/judge/tension"
	"github.com/sagasu-search/sagasu/framework/internal/toolset"
	"github.com/sagasu-search/sagasu/sdk"
	"github.com/sagasu-search/sagasu/sdk/x/refer"
)

// Input is the input of a judgement. Only the first [MostEvidences] evidences are read.
type Input struct {
	answer.Input
	// Resolve finds the section that a pointer of the evidence from means; nil resolves nothing.
	Resolve func(from int, p refer.Pointer) (toolset.Ref, bool)
	// Said holds the verdicts of judge strategies.
	Said Said
	// Answers judges answers. Its owner shares it among judgements.
	Answers *answer.Judge
}

// MostEvidences is the maximum number of evidences that are compared (docs/reference/status.md).
const MostEvidences = tension.MostEvidences

// Status is the verdict on a result.
type Status string

const (
	Ready         Status = "ready"          // enough, supported, no gap, no conflict
	NeedsFollowUp Status = "needs_followup" // something is missing, contradictory or has too few candidates
	Blocked       Status = "blocked"        // no candidate at all
)

// enough is the minimum number of candidates of a sufficient result.
const enough = 5

// Candidate identifies the file of a candidate.
type Candidate struct{ ManualID, Path string }

// Gap is a part of the query that no candidate covers.
type Gap struct {
	Facet   sdk.Intent `json:"facet"`
	Missing []string   `json:"missing_terms"` // content terms, or the name of the need
	// Need names a form of answer that is missing, as answer.Gap does; "" where terms are missing.
	Need string `json:"need,omitempty"`
	// About holds the query's terms that the need belongs to.
	About []string `json:"about,omitempty"`
}

// FileBias returns the share of the candidates that lie in the most frequent file, in [0, 1]; 0 without candidates.
func FileBias(candidates []Candidate) float64 {
	count, most := make(map[Candidate]int), 0
	for _, c := range candidates {
		count[c]++
		most = max(most, count[c])
	}
	return float64(most) / float64(max(1, len(candidates)))
}
