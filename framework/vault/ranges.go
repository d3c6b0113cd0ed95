package vault

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/sagasu-search/sagasu/framework/fault"
)

// Range is a range of lines, which count from 1, both ends included.
type Range struct {
	StartLine int `json:"start_line"`
	EndLine   int `json:"end_line"`
}

// lines counts the lines of ranges that do not overlap.
func lines(ranges []Range) int {
	n := 0
	for _, r := range ranges {
		n += r.EndLine - r.StartLine + 1
	}
	return n
}

// Merge gives ranges in order, overlapping and adjacent ones as one. It leaves
// its argument alone.
func Merge(ranges []Range) []Range {
	sorted := slices.Clone(ranges)
	slices.SortFunc(sorted, func(a, b Range) int {
		return cmp.Or(cmp.Compare(a.StartLine, b.StartLine), cmp.Compare(a.EndLine, b.EndLine))
	})
	merged := []Range{}
	for _, r := range sorted {
		if n := len(merged); n > 0 && r.StartLine <= merged[n-1].EndLine+1 {
			merged[n-1].EndLine = max(merged[n-1].EndLine, r.EndLine)
			continue
		}
		merged = append(merged, r)
	}
	return merged
}

// Uncovered gives the lines of 1 to total that merged ranges leave out.
func Uncovered(merged []Range, total int) []Range {
	left, next := []Range{}, 1
	for _, r := range merged {
		if r.StartLine > next {
			left = append(left, Range{next, r.StartLine - 1})
		}
		next = r.EndLine + 1
	}
	if next <= total {
		left = append(left, Range{next, total})
	}
	return left
}

// ratio is the share of total lines that merged ranges cover; of nothing, all.
func ratio(merged []Range, total int) float64 {
	if total == 0 {
		return 1
	}
	return float64(lines(merged)) / float64(total)
}

// checkRange refuses a range outside a file of total lines.
func checkRange(param string, r Range, total int) error {
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
		expected = "no range: the file is empty"
	}
	return fault.Parameter(name, got, expected).With("total_lines", total)
}

// cited merges cited ranges of a file of total lines.
func cited(ranges []Range, total int) ([]Range, error) {
	for i, r := range ranges {
		if err := checkRange(fmt.Sprintf("cited_ranges[%d]", i), r, total); err != nil {
			return nil, err
		}
	}
	return Merge(ranges), nil
}
