package judge_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/sagasu-search/sagasu/framework/internal/judge"
)

// fifty is what a search hands over at most: fifty evidences of some 1.5 kB, all
// of one language, on subjects of which a few belong to the query.
func fifty(b *testing.B, lang string) judge.Input {
	var pool []judge.CaseSection
	for _, c := range readCases(b, "cases.jsonl") {
		if c.Lang == lang {
			pool = append(pool, c.Sections...)
		}
	}
	in := judge.Input{Query: plan(map[string]string{"ja": "商品の返品は何日以内にできますか", "en": "How many days do I have to return an item?"}[lang])}
	for i := range judge.MostEvidences {
		var text strings.Builder
		for j := i; text.Len() < 1500; j++ {
			text.WriteString(pool[j*7%len(pool)].Text + "\n")
		}
		in.Evidences = append(in.Evidences, judge.Evidence{ManualID: "m", Path: fmt.Sprintf("%d.md", i), StartLine: 1, TextLine: 2, Heading: pool[i].Heading, Text: text.String()})
	}
	return in
}

// BenchmarkBuild judges with words that were met before, as a server does, and
// with words that are all new.
func BenchmarkBuild(b *testing.B) {
	for _, lang := range []string{"ja", "en"} {
		in := fifty(b, lang)
		for _, words := range []struct {
			name string
			kept *judge.Lexicons
		}{{"kept", &judge.Lexicons{}}, {"new", nil}} {
			b.Run("lang="+lang+"/words="+words.name, func(b *testing.B) {
				in.Lexicons = words.kept
				b.ReportAllocs()
				for b.Loop() {
					built(in)
				}
			})
		}
	}
}
