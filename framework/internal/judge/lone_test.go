package judge

import (
	"slices"
	"testing"

	"github.com/sagasu-search/sagasu/sdk"
)

func TestACompoundWhosePartsAreScatteredIsAGap(t *testing.T) {
	for _, tc := range []struct {
		query string
		texts []string
		gap   bool
	}{
		{"量子計算機", []string{"量子の力学を学ぶ。", "計算機の歴史を学ぶ。"}, true},
		{"量子計算機", []string{"量子による計算機を作る。"}, false},
		{"量子計算機", []string{"量子の力学。", "量子計算機を作る。"}, false},
		{"量子の計算機", []string{"量子の力学を学ぶ。", "計算機の歴史を学ぶ。"}, false},
	} {
		in := Input{Query: sdk.Query{Raw: tc.query, Text: tc.query, Terms: []sdk.Term{{Text: "量子"}, {Text: "計算機"}}}}
		for _, s := range tc.texts {
			in.Evidences = append(in.Evidences, Evidence{Heading: "本", Text: s})
		}
		got := slices.ContainsFunc(built(in).Gaps, func(g Gap) bool { return slices.Contains(g.Missing, tc.query) })
		if got != tc.gap {
			t.Errorf("%s in %q: %t", tc.query, tc.texts, got)
		}
	}
}
