package vault

import (
	"math"

	"github.com/sagasu-search/sagasu/framework/internal/toolset"
)

// Reasons of actions (contract, next_actions).
const (
	fillGaps          = "fill_gaps"
	verifyCoverage    = "verify_coverage"
	coverageSatisfied = "coverage_satisfied"
	lowMarginalGain   = "low_marginal_gain"
	noRemainingRanges = "no_remaining_ranges"
)

// stop proposes to scan no more.
func stop(reason string) toolset.Action { return toolset.Action{Type: "stop", Reason: reason} }

// scanOn proposes the next piece of a file.
func scanOn(path, reason string, confidence float64, from toolset.LineCursor, cited []toolset.Range) toolset.Action {
	params := map[string]any{"path": path}
	if from.StartLine != nil {
		params["cursor"] = map[string]any{"start_line": *from.StartLine, "char_offset": *from.CharOffset}
	}
	if len(cited) > 0 {
		params["cited_ranges"] = cited
	}
	return toolset.Action{Type: "vault_scan", Reason: reason, Confidence: rounded(confidence), Params: params}
}

// rounded keeps of a confidence what it can mean.
func rounded(confidence float64) *float64 {
	confidence = math.Round(confidence*100) / 100
	return &confidence
}

// lineCursor is the start of a line.
func lineCursor(line int) toolset.LineCursor {
	return toolset.LineCursor{StartLine: &line, CharOffset: new(int)}
}
