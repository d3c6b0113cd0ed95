package vault

import (
	"math"

	"github.com/sagasu-search/sagasu/framework/internal/corpus"
)

// Action proposes a tool call, or to stop. Params is a valid call as it stands.
type Action struct {
	Type       string         `json:"type"`
	Reason     string         `json:"reason,omitempty"`
	Confidence *float64       `json:"confidence"`
	Params     map[string]any `json:"params"`
}

// Reasons of actions (contract, next_actions).
const (
	fillGaps          = "fill_gaps"
	verifyCoverage    = "verify_coverage"
	coverageSatisfied = "coverage_satisfied"
	lowMarginalGain   = "low_marginal_gain"
	noRemainingRanges = "no_remaining_ranges"
)

// stop proposes to scan no more.
func stop(reason string) Action { return Action{Type: "stop", Reason: reason} }

// scanOn proposes the next piece of a file.
func scanOn(path, reason string, confidence float64, from Cursor, cited []corpus.Range) Action {
	params := map[string]any{"path": path}
	if from.StartLine != nil {
		params["cursor"] = map[string]any{"start_line": *from.StartLine, "char_offset": *from.CharOffset}
	}
	if len(cited) > 0 {
		params["cited_ranges"] = cited
	}
	return Action{"vault_scan", reason, rounded(confidence), params}
}

// rounded keeps of a confidence what it can mean.
func rounded(confidence float64) *float64 {
	confidence = math.Round(confidence*100) / 100
	return &confidence
}

// lineCursor is the start of a line.
func lineCursor(line int) Cursor { return Cursor{&line, new(int)} }
