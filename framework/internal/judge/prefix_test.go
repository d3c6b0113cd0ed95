package judge

import (
	"fmt"
	"testing"

	"github.com/sagasu-search/sagasu/sdk"
	"github.com/sagasu-search/sagasu/sdk/text"
)

// signs are the punctuation signs of ASCII and the usual Japanese ones.
const signs = "!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~" +
	"、。・「」『』（）【】〈〉《》〔〕！？：；，．…‥〜～ー－＝＋＊／＼＆＃＄％＠＾＿｜￥¥€£§※→"

// Whatever sign a query or a text begins with, alone, twice or before a word, a digit,
// kana or kanji, it is judged.
func TestPunctuationInFrontIsJudged(t *testing.T) {
	rests := []string{
		"", " ", "gitignore", "NET Framework", "5", "5 inch", "5円", "5.5", " 5日",
		"ひらがな", "カタカナ", "返品の期限", "第3条",
	}
	for _, sign := range signs {
		for _, rest := range append(rests, string(sign)) {
			begun := string(sign) + rest
			t.Run(begun, func(t *testing.T) { judgeBegun(t, begun) })
		}
	}
}

// judgeBegun judges texts that hold begun, for queries that do.
func judgeBegun(t *testing.T, begun string) {
	texts := []string{
		begun + " は 30 日以内です。", "期限は" + begun + "です。", "The limit is " + begun,
		begun + "\n" + begun, "from 5 " + begun + " to 6 " + begun,
	}
	evidences := make([]Evidence, len(texts))
	for i, s := range texts {
		evidences[i] = Evidence{ManualID: "m", Path: fmt.Sprintf("%d.md", i), StartLine: 1, Heading: begun, Text: s}
	}
	query := sdk.Query{Raw: begun, Text: text.Fold(begun)}
	for _, terms := range [][]sdk.Term{nil, {{Text: query.Text, Weight: 1}}} {
		query.Terms = terms
		if g, err := Build(t.Context(), Input{Query: query, Evidences: evidences}); err != nil || len(g.Top) != len(texts) {
			t.Errorf("%d of %d evidences are in the order, %v", len(g.Top), len(texts), err)
		}
	}
}

func TestNumberEnd(t *testing.T) {
	for s, want := range map[string]int{
		"": 0, "5": 1, "1,500": 5, "1.5.": 3, ".5": 0, ",5": 0, ".": 0, ".net": 0, "5.x": 1,
	} {
		if got := numberEnd(s, 0); got != want {
			t.Errorf("%q: %d, want %d", s, got, want)
		}
	}
}
