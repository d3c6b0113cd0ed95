package vault

import (
	"context"

	"github.com/sagasu-search/sagasu/framework/internal/corpus"
)

// Coverage is the answer to vault_coverage.
type Coverage struct {
	Path             string         `json:"path"`
	TotalLines       int            `json:"total_lines"`
	CoveredLines     int            `json:"covered_lines"`
	CoverageRatio    float64        `json:"coverage_ratio"` // 1 for an empty file
	CoveredRanges    []corpus.Range `json:"covered_ranges"`
	UncoveredRanges  []corpus.Range `json:"uncovered_ranges"`
	MeetsMinCoverage bool           `json:"meets_min_coverage"`
	NextActions      []Action       `json:"next_actions"`
}

// Coverage tells which lines of a file are cited; the front matter of Markdown, which
// tells of a text and is none, counts as if it were. A range outside the file is
// invalid_parameter.
func (v *Vault) Coverage(_ context.Context, path string, ranges []corpus.Range) (*Coverage, error) {
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
		Path: d.path, TotalLines: d.total(), CoveredLines: corpus.CountLines(covered), CoverageRatio: ratio(covered, d.total()),
		CoveredRanges: covered, UncoveredRanges: corpus.Uncovered(covered, d.total()),
	}
	c.MeetsMinCoverage = c.CoverageRatio >= v.options.CoverageMin
	if c.MeetsMinCoverage {
		c.NextActions = []Action{stop(coverageSatisfied)}
	} else {
		from := lineCursor(c.UncoveredRanges[0].StartLine)
		c.NextActions = []Action{scanOn(d.path, fillGaps, 1-c.CoverageRatio, from, merged)}
	}
	return c, nil
}
