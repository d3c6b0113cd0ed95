package vault

import (
	"fmt"

	"github.com/sagasu-search/sagasu/framework/internal/toolset"
)

// ratio is the share of total lines that merged ranges cover; of nothing, all.
func ratio(merged []toolset.Range, total int) float64 {
	if total == 0 {
		return 1
	}
	return float64(toolset.CountLines(merged)) / float64(total)
}

// checkRange refuses a range outside a file of total lines.
func checkRange(param string, r toolset.Range, total int) error {
	name, got := param+".start_line", r.StartLine
	if r.StartLine >= 1 && r.StartLine <= total {
		name, got = param+".end_line", r.EndLine
	}
	if r.StartLine >= 1 && r.StartLine <= r.EndLine && r.EndLine <= total {
		return nil
	}
	low := 1
	if name == param+".end_line" {
		low = r.StartLine
	}
	expected := fmt.Sprintf("a line of the file, %d to %d", low, total)
	if total == 0 {
		return toolset.Invalid(name, got, "no range: the file is empty").With("total_lines", total)
	}
	return toolset.Invalid(name, got, expected).With("total_lines", total).With("nearest", min(max(got, low), total))
}

// cited merges cited ranges of a file of total lines.
func cited(ranges []toolset.Range, total int) ([]toolset.Range, error) {
	for i, r := range ranges {
		if err := checkRange(fmt.Sprintf("cited_ranges[%d]", i), r, total); err != nil {
			return nil, err
		}
	}
	return toolset.MergeRanges(ranges), nil
}
