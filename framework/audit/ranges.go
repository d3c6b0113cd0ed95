package audit

import (
	"cmp"
	"slices"
)

// Range is a run of lines, both ends included, from 1.
type Range struct {
	Start int `json:"start_line"`
	End   int `json:"end_line"`
}

// within reports whether the range lies in a text of so many lines.
func (r Range) within(lines int) bool { return 1 <= r.Start && r.Start <= r.End && r.End <= lines }

// merge sorts ranges and joins those that overlap or touch.
func merge(ranges []Range) []Range {
	sorted := slices.SortedFunc(slices.Values(ranges), func(a, b Range) int { return cmp.Compare(a.Start, b.Start) })
	merged := []Range{}
	for _, r := range sorted {
		if last := len(merged) - 1; last >= 0 && r.Start <= merged[last].End+1 {
			merged[last].End = max(merged[last].End, r.End)
			continue
		}
		merged = append(merged, r)
	}
	return merged
}
