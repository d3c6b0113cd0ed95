package vault

import (
	"context"

	"github.com/sagasu-search/sagasu/framework/internal/toolset"
)

// Coverage is the answer to vault_coverage.
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

// Coverage tells which lines of a file are cited; the front matter of Markdown, which
// tells of a text and is none, counts as if it were. A range outside the file is
// invalid_parameter.
func (v *Vault) Coverage(_ context.Context, path string, ranges []toolset.Range) (*Coverage, error) {
	d, err := v.document("path", path)
	if err != nil {
		return nil, err
	}
	merged, err := cited(ranges, d.total())
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
