package vault

import (
	"context"

	"github.com/sagasu-search/sagasu/framework/internal/rootfs"
	"github.com/sagasu-search/sagasu/framework/internal/toolset"
)

// CoverageArgs are the arguments of vault_coverage.
type CoverageArgs struct {
	Path  rootfs.Path     `json:"path" required:"the path of a file in the vault, such as artifacts/plan.md" minLength:"1" doc:"Below the vault."`
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

// Coverage reports which lines of a file are cited. The front matter of Markdown counts as
// cited: it describes the text and is no part of it. A range outside the file is
// invalid_parameter.
func (v *Vault) Coverage(_ context.Context, req CoverageArgs) (*Coverage, error) {
	d, err := v.document("path", string(req.Path))
	if err != nil {
		return nil, err
	}
	merged, err := cited(req.Cited, d.total())
	if err != nil {
		return nil, err
	}
	covered := d.covered(merged)
	c := &Coverage{
		Path: d.path, TotalLines: d.total(), CoveredLines: toolset.CountLines(covered), CoverageRatio: ratio(covered, d.total()),
		CoveredRanges: covered, UncoveredRanges: toolset.UncoveredRanges(covered, d.total()),
	}
	c.MeetsMinCoverage = c.CoverageRatio >= v.options.CoverageMin
	if c.MeetsMinCoverage {
		c.NextActions = []toolset.Action{stop(coverageSatisfied)}
	} else {
		from := lineCursor(c.UncoveredRanges[0].StartLine)
		c.NextActions = []toolset.Action{scanOn(d.path, fillGaps, 1-c.CoverageRatio, from, merged)}
	}
	return c, nil
}
