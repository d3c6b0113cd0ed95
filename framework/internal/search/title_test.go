package search

import "testing"

func TestTitlesThatAreWhatIsAskedFor(t *testing.T) {
	for _, tc := range []struct {
		title, must string
		want        bool
	}{
		{"第3条(保険の対象)", "第3条", true},
		{"第3条", "第3条", true},
		{"第3条の手続き", "第3条", true},
		{"第3条の2(特例)", "第3条", false},
		{"第30条", "第3条", false},
		{"支払いの例(第3条)", "第3条", false},
		{"別表3 書類", "別表3", true},
		{"別表30 書類", "別表3", false},
		{"e-1042: no disk", "e-1042", true},
		{"e-10420", "e-1042", false},
		{"read only mode", "read only", true},
		{"readers", "read", false},
		{"読み取り専用モード", "読み取り専用", true},
		{"", "read", false},
	} {
		if got := beginsWithTerm(tc.title, []string{"x", tc.must}); got != tc.want {
			t.Errorf("%q, %q: %t", tc.title, tc.must, got)
		}
	}
}
