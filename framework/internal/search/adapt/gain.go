package adapt

import (
	"encoding/json"
	"fmt"
)

// GainRow is what is kept of reading on: figures alone, no text. It moves no
// threshold.
type GainRow struct {
	Time          int64   `json:"ts"` // seconds since 1970
	Tool          string  `json:"tool"`
	AddedEvidence int     `json:"added_evidence_count"`
	AddedTokens   int     `json:"added_est_tokens"`
	MarginalGain  float64 `json:"marginal_gain"`
}

// Gained notes what a tool that reads on has brought: evidence that was added, and
// the tokens read for it.
func (r *Recorder) Gained(tool string, evidence, tokens int) {
	if r == nil {
		return
	}
	row := GainRow{Time: r.now().Unix(), Tool: tool, AddedEvidence: evidence, AddedTokens: tokens, MarginalGain: Gain(evidence, tokens)}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.enqueue([]line{row})
}

func (r GainRow) encode() ([]byte, error) {
	raw, err := json.Marshal(r)
	if err != nil {
		return nil, fmt.Errorf("encode a row of statistics: %w", err)
	}
	return append(raw, '\n'), nil
}

// line is a row of any kind.
type line interface{ encode() ([]byte, error) }

// linesOf are rows of searches.
func linesOf(rows []Row) []line {
	out := make([]line, len(rows))
	for i, r := range rows {
		out[i] = r
	}
	return out
}
