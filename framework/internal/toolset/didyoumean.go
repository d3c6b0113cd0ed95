package toolset

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"golang.org/x/text/cases"
	"golang.org/x/text/unicode/norm"
)

// maxRunes is the length up to which names are compared by edit distance, whose cost is quadratic; of longer names only
// this prefix is compared.
const maxRunes = 120

// DidYouMean returns up to n of the names in among that are close to got,
// closest first. Names are compared width-, case- and composition-insensitively:
// equal forms come first, then small edit distances (at most a third of the
// longer name, and at least one edit), then names that contain got or are
// contained in it. The result is never nil.
func DidYouMean(got string, among []string, n int) []string {
	type scored struct {
		name string
		dist int
	}
	want := fold(got)
	close := []scored{}
	for _, name := range among {
		if d, ok := distance(want, fold(name)); ok {
			close = append(close, scored{name, d})
		}
	}
	slices.SortStableFunc(close, func(a, b scored) int {
		return cmp.Or(cmp.Compare(a.dist, b.dist), cmp.Compare(a.name, b.name))
	})
	names := []string{}
	for _, s := range close[:min(n, len(close))] {
		names = append(names, s.name)
	}
	return names
}

// containment is added to the distance of contained names, so that they rank after all edit distances that count.
const containment = maxRunes

func distance(want, have []rune) (int, bool) {
	longer := max(len(want), len(have))
	if d := edits(want, have); d <= max(1, longer/3) && d < longer {
		return d, true
	}
	shorter := min(len(want), len(have))
	if shorter >= 2 && (strings.Contains(string(have), string(want)) || strings.Contains(string(want), string(have))) {
		return containment + longer - shorter, true
	}
	return 0, false
}

func fold(s string) []rune {
	runes := []rune(cases.Fold().String(norm.NFKC.String(s)))
	return runes[:min(len(runes), maxRunes)]
}

// edits returns the Levenshtein distance, with a swap of neighbours as one edit.
func edits(a, b []rune) int {
	before, last, row := make([]int, len(b)+1), make([]int, len(b)+1), make([]int, len(b)+1)
	for j := range last {
		last[j] = j
	}
	for i := 1; i <= len(a); i++ {
		row[0] = i
		for j := 1; j <= len(b); j++ {
			change := 1
			if a[i-1] == b[j-1] {
				change = 0
			}
			row[j] = min(last[j]+1, row[j-1]+1, last[j-1]+change)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				row[j] = min(row[j], before[j-2]+1)
			}
		}
		before, last, row = last, row, before
	}
	return last[len(b)]
}

// Unknown returns an error that suggests what could have been meant.
func Unknown(what, got string, among []string) error {
	if near := DidYouMean(got, among, 1); len(near) > 0 {
		return fmt.Errorf("unknown %s %q, did you mean %q?", what, got, near[0])
	}
	return fmt.Errorf("unknown %s %q; there are %s", what, got, strings.Join(among, ", "))
}
