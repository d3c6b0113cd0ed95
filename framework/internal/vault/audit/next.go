package audit

import "github.com/sagasu-search/sagasu/framework/internal/toolset"

// mostCited is how many ranges a proposal repeats at most: a longer one costs more than
// it tells.
const mostCited = 100

// next proposes calls, the most useful first (contract, next_actions): to
// scan what is not cited, then the whole source, to read the first defect and
// to see the coverage in full; or to stop.
func (r Report) next(a Artifact, o Options) []toolset.Action {
	if !r.NeedsForcedFullScan {
		return []toolset.Action{r.stop()}
	}
	actions := []toolset.Action{}
	under := r.CoverageRatio != nil && *r.CoverageRatio < o.MinCoverage
	if len(r.Uncovered) > 0 {
		actions = append(actions, action("vault_scan", "fill_gaps", 0.8, map[string]any{
			"path": r.SourcePath, "cursor": map[string]any{"start_line": r.Uncovered[0].StartLine, "char_offset": 0},
		}))
	}
	actions = append(actions, action("vault_scan", "verify_coverage", 0.5, map[string]any{"path": r.SourcePath}))
	if len(r.Findings) > 0 && !a.Empty {
		line := r.Findings[0].Line
		actions = append(actions, action("vault_read", "fill_gaps", 0.7, map[string]any{
			"path": r.ArtifactPath, "range": toolset.Range{StartLine: line, EndLine: line},
		}))
	}
	if under && len(r.Cited) > 0 && len(r.Cited) <= mostCited {
		actions = append(actions, action("vault_coverage", "verify_coverage", 0.4, map[string]any{"path": r.SourcePath, "cited_ranges": r.Cited}))
	}
	return actions
}

// stop says why nothing is left to do.
func (r Report) stop() toolset.Action {
	if len(r.Uncovered) == 0 {
		return action("stop", "no_remaining_ranges", 1, nil)
	}
	return action("stop", "coverage_satisfied", 0.9, nil)
}

func action(kind, reason string, confidence float64, params map[string]any) toolset.Action {
	return toolset.Action{Type: kind, Reason: reason, Confidence: &confidence, Params: params}
}
