package toolset

import (
	"cmp"
	"fmt"
	"slices"
)

// Range is a range of lines, which count from 1, including both ends.
type Range struct {
	StartLine int `json:"start_line" required:"a line of the file" min:"1"`
	EndLine   int `json:"end_line" required:"a line of the file" min:"1"`
}

// Within reports whether the range is in a text of total lines.
func (r Range) Within(total int) bool {
	return 1 <= r.StartLine && r.StartLine <= r.EndLine && r.EndLine <= total
}

// Check refuses a range outside a text of total lines. param names the argument that gave the range.
func (r Range) Check(param string, total int) error {
	if r.Within(total) {
		return nil
	}
	name, got, low := param+".start_line", r.StartLine, 1
	if got >= 1 && got <= total {
		name, got, low = param+".end_line", r.EndLine, r.StartLine
	}
	expected := fmt.Sprintf("a line of the file, %d to %d", low, total)
	if total == 0 {
		return Invalid(name, got, "no range: the file is empty").With("total_lines", total)
	}
	return Invalid(name, got, expected).With("total_lines", total).With("nearest", min(max(got, low), total))
}

// CountLines counts the lines of ranges that do not overlap.
func CountLines(ranges []Range) int {
	n := 0
	for _, r := range ranges {
		n += r.EndLine - r.StartLine + 1
	}
	return n
}

// MergeRanges returns the ranges in order, with overlapping and adjacent ones merged. It does not change its argument.
func MergeRanges(ranges []Range) []Range {
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

// UncoveredRanges returns the lines from 1 to total that merged ranges do not cover.
func UncoveredRanges(merged []Range, total int) []Range {
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
