package vault

import (
	"context"
	"fmt"

	"github.com/sagasu-search/sagasu/framework/internal/corpus"
	"github.com/sagasu-search/sagasu/framework/internal/rootfs"
	"github.com/sagasu-search/sagasu/framework/internal/toolset"
)

// CoverageArgs are the arguments of vault_coverage.
type CoverageArgs struct {
	Path  rootfs.Path     `json:"path" required:"the path of a file in the vault, such as artifacts/plan.md" minLength:"1"`
	Cited []toolset.Range `json:"cited_ranges" required:"a list of line ranges; it may be empty"`
}

// Coverage is the result of vault_coverage.
type Coverage struct {
	Path             string           `json:"path"`
	TotalLines       int              `json:"total_lines"`
	CoveredLines     int              `json:"covered_lines"`
	CoverageRatio    float64          `json:"coverage_ratio"` // 1 for an empty file
	CoveredRanges    []toolset.Range  `json:"covered_ranges"`
	UncoveredRanges  []toolset.Range  `json:"uncovered_ranges"`
	MeetsMinCoverage bool             `json:"meets_min_coverage"`
	NextActions      []toolset.Action `json:"next_actions"`
}

// Counters implements [toolset.Counter].
func (c *Coverage) Counters() []any { return []any{"coverage_ratio", c.CoverageRatio} }

// Coverage reports which lines of a file are cited. Markdown front matter counts as cited, since it
// describes the text and is not part of it. A range outside the file is the error
// invalid_parameter.
func (v *Vault) Coverage(ctx context.Context, req CoverageArgs) (*Coverage, error) {
	d, err := v.document(ctx, "path", string(req.Path))
	if err != nil {
		return nil, err
	}
	merged, err := cited(req.Cited, d.total())
	if err != nil {
		return nil, err
	}
	covered, ratio := d.coverage(merged)
	c := &Coverage{
		Path: d.path, TotalLines: d.total(), CoveredLines: toolset.CountLines(covered), CoverageRatio: ratio,
		CoveredRanges: covered, UncoveredRanges: toolset.UncoveredRanges(covered, d.total()),
	}
	c.MeetsMinCoverage = c.CoverageRatio >= v.options.CoverageMin
	if c.MeetsMinCoverage {
		c.NextActions = []toolset.Action{stop(coverageSatisfied)}
	} else {
		from := toolset.CursorAt(c.UncoveredRanges[0].StartLine, 0)
		c.NextActions = []toolset.Action{scanOn(d.path, 1-c.CoverageRatio, from, merged)}
	}
	return c, nil
}

// coverage returns the merged ranges of cited lines with those that need no citation, the front
// matter of Markdown, and their share of all lines: 1 for an empty file.
func (d *document) coverage(merged []toolset.Range) (covered []toolset.Range, ratio float64) {
	if length := corpus.FrontMatter(d.text); length > 0 && corpus.IsMarkdown(d.path) {
		merged = toolset.MergeRanges(append(merged[:len(merged):len(merged)],
			toolset.Range{StartLine: 1, EndLine: d.lines.At(length - 1)}))
	}
	if d.total() == 0 {
		return merged, 1
	}
	return merged, float64(toolset.CountLines(merged)) / float64(d.total())
}

// cited merges cited ranges of a file of total lines.
func cited(ranges []toolset.Range, total int) ([]toolset.Range, error) {
	for i, r := range ranges {
		if err := r.Check(fmt.Sprintf("cited_ranges[%d]", i), total); err != nil {
			return nil, err
		}
	}
	return toolset.MergeRanges(ranges), nil
}

// Reasons of actions (docs/reference/tools/vault_coverage.md).
const (
	fillGaps          = "fill_gaps"
	verifyCoverage    = "verify_coverage"
	coverageSatisfied = "coverage_satisfied"
	lowMarginalGain   = "low_marginal_gain"
	noRemainingRanges = "no_remaining_ranges"
)

// stop proposes to scan no more.
func stop(reason string) toolset.Action { return toolset.Action{Type: "stop", Reason: reason} }

// scanOn proposes the next piece of a file, whose lines are not cited yet.
func scanOn(path string, confidence float64, from toolset.LineCursor, cited []toolset.Range) toolset.Action {
	params := map[string]any{"path": path}
	if from.StartLine != nil {
		params["cursor"] = from
	}
	if len(cited) > 0 {
		params["cited_ranges"] = cited
	}
	return toolset.Propose("vault_scan", fillGaps, confidence, params)
}
