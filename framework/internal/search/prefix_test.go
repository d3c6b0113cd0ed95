package search

import (
	"slices"
	"testing"

	"github.com/sagasu-search/sagasu/sdk"
	"github.com/sagasu-search/sagasu/sdk/sdktest"
)

// signs are the punctuation characters of ASCII and common Japanese ones.
const signs = "!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~" + "、。・「」『』（）【】〈〉《》〔〕！？：；，．…‥〜～ー－＝＋＊／＼＆＃＄％＠＾＿｜￥¥€£§※→"

// A query that begins with any sign is planned, searched and judged.
func TestPunctuationInFrontIsSearched(t *testing.T) {
	if testing.Short() {
		t.Skip("searches several hundred times")
	}
	rests := []string{"", "gitignore", "NET Framework", "5 inch", "5円", "ひらがな", "カタカナ", "返品の期限"}
	rows := []sdktest.Section{}
	for i, rest := range rests {
		body := "." + rest + " と ," + rest + " は 30 日以内です。"
		rows = append(rows, sdktest.Section{Manual: "m", Path: "a.md", Line: 1 + 10*i, Heading: rest, Body: body})
	}
	e := engine(t, rows, fakes{list: []words{{name: "all", stage: exact.stage, signals: exact.signals, only: "日以内"}}})
	for _, sign := range signs {
		for _, rest := range rests {
			query := string(sign) + rest
			want := len(rows)
			excludes := func(term sdk.Term) bool { return term.Kind == sdk.TermNegative }
			if slices.ContainsFunc(Plan(query, 0.3).Terms, excludes) {
				want--
			}
			answer, err := find(t, e, request(query))
			if err != nil || answer.Summary.Candidates != want || len(answer.Warnings) > 0 {
				t.Errorf("%s: %+v, %v", query, answer, err)
			}
		}
	}
}
