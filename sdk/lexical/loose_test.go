package lexical_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/sagasu-search/sagasu/sdk/lexical"
	"github.com/sagasu-search/sagasu/sdk/sdktest"
	"github.com/sagasu-search/sagasu/sdk/text"
)

// A number is found in all its notations, and not inside another number.
func TestNumbersAreFoundWhole(t *testing.T) {
	for name, tc := range map[string]struct {
		query         string
		written, lack []string
	}{
		"a version":            {"1.0", []string{"1.0", "１．０", "v1.0", "as of 1.0."}, []string{"2019-10-24", "10", "100", "11.0", "1.05", "2.1.0", "1.0.3", "1-0"}},
		"a version of three":   {"10.1.0", []string{"10.1.0"}, []string{"1010", "10 10", "10.10", "110.1.0", "10.1.0.2"}},
		"a long version":       {"10.0.19041", []string{"10.0.19041"}, []string{"10019041", "10-0-19041", "10.0.19041.1"}},
		"a named version":      {"python3.11", []string{"python3.11", "Python 3.11"}, []string{"python311", "python 3.110", "python 3.11.2", "python 31.1"}},
		"a version of a name":  {"3.11", []string{"3.11", "python3.11", "Python 3.11"}, []string{"python3.1", "python3.11.2", "python311"}},
		"hyphens":              {"2-1", []string{"2-1", "step 2-1:"}, []string{"21", "2.1", "12-1", "2-10", "2019-2-1", "2-1-3", "2 1"}},
		"a time":               {"10:30", []string{"10:30", "10:30-11:00"}, []string{"1030", "10.30", "10:30:15", "110:30", "10 30"}},
		"a quantity":           {"3.5時間", []string{"3.5時間", "3.5 時間"}, []string{"35時間", "13.5時間"}},
		"a whole quantity":     {"5時間", []string{"5時間", "3-5時間"}, []string{"15時間", "1.5時間"}},
		"without a separator":  {"35時間", []string{"35時間"}, []string{"3.5時間", "3-5時間"}},
		"groups of thousands":  {"1,200", []string{"1,200", "1200", "１２００"}, []string{"1.200", "11200"}},
		"a date":               {"2019-10-24", []string{"2019-10-24", "20191024"}, []string{"2019-10-25"}},
		"a code":               {"err-1042", []string{"ERR-1042", "ERR1042", "err_1042"}, []string{"ERR-10421"}},
		"a telephone number":   {"03-1234-5678", []string{"03-1234-5678", "0312345678"}, []string{"03-1234-5679", "103-1234-5678"}},
		"its digits":           {"0312345678", []string{"03-1234-5678", "0312345678"}, []string{"03-1234-56789"}},
		"words and separators": {"foo-bar", []string{"foo bar", "foobar"}, []string{"foo", "bar"}},
	} {
		t.Run(name, func(t *testing.T) {
			var sections []sdktest.Section
			for _, body := range append(tc.written, tc.lack...) {
				sections = append(sections, sdktest.Section{Body: body})
			}
			var want []uint32
			for i := range tc.written {
				want = append(want, uint32(i))
			}
			got := lexical.ContainingLoose(t.Context(), sdktest.Snapshot(t, sections...), text.Fold(tc.query)).ToArray()
			if diff := cmp.Diff(want, got, cmpopts.EquateEmpty()); diff != "" {
				t.Error(diff)
			}
		})
	}
}
