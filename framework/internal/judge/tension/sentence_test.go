package tension

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestSplit(t *testing.T) {
	type line struct {
		Line int
		Text string
		Lead int
	}
	for _, tt := range []struct {
		name, text string
		want       []line
	}{
		{"sentences of a line", "One is here. Two is there.\n", []line{{7, "One is here.", -1}, {7, "Two is there.", 0}}},
		{"a sentence over two lines", "\nOne goes\non here. Two.\n", []line{{8, "One goes on here.", -1}, {9, "Two.", 0}}},
		{"Japanese over two lines", "一つ目は、\n続きます。二つ目。\n", []line{{7, "一つ目は、続きます。", -1}, {8, "二つ目。", 0}}},
		{"a list under its lead", "Bring:\n- a cup\n2. a plate\n", []line{{7, "Bring:", -1}, {8, "a cup", 0}, {9, "a plate", 0}}},
		{"items of several sentences", "Rules:\n1. How fast? Ten, no more.\n2. Who? All.\n", []line{
			{7, "Rules:", -1}, {8, "How fast?", 0}, {8, "Ten, no more.", 1}, {9, "Who?", 0}, {9, "All.", 3},
		}},
		{"a table", "| a | b |\n|---|---|\n| 1 | 2 |\n", []line{{7, "| a | b |", -1}, {9, "| 1 | 2 |", -1}}},
		{"no code, headings, comments and images", "```\ncode\n```\n# Title\n<!-- x -->\n![b](c)\nText.\n", []line{{13, "Text.", -1}}},
		{"a quotation", "> Said so.\n", []line{{7, "Said so.", -1}}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var got []line
			for _, s := range split(nil, 0, tt.text, 7) {
				got = append(got, line{s.line, s.source, s.lead})
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestAsks(t *testing.T) {
	for s, want := range map[string]bool{"Is it?": true, "**使えますか。**": true, "できるか": true, "It is.": false, "使えます。": false} {
		if asks(s) != want {
			t.Errorf("asks(%q) = %v", s, !want)
		}
	}
}

func TestWords(t *testing.T) {
	count := func(s string) int {
		met := make(map[uint32]bool)
		words(s, func(w word) { met[w.id] = true })
		return len(met)
	}
	for s, want := range map[string]int{
		"confirm confirmed confirmation CONFIRMS": 1,
		"the of and not": 0,
		"1,200 1,200":    1,
		"料金":             1,
		"料金 料金表":         2,
		"ＡＢＣ abc":        1,
	} {
		if got := count(s); got != want {
			t.Errorf("%q has %d words, want %d", s, got, want)
		}
	}
}

func TestTheLastMatchHasSectionsOfItsOwn(t *testing.T) {
	for _, tt := range []struct {
		name         string
		ranked, want [][2]int
	}{
		{"one section against three", [][2]int{{0, 1}, {0, 2}, {0, 3}, {4, 5}, {6, 7}}, [][2]int{{0, 1}, {0, 2}, {4, 5}}},
		{"no others", [][2]int{{0, 1}, {2, 3}, {1, 2}}, [][2]int{{0, 1}, {2, 3}}},
		{"few", [][2]int{{0, 1}}, [][2]int{{0, 1}}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var ranked []match
			for _, m := range tt.ranked {
				ranked = append(ranked, match{a: m[0], b: m[1]})
			}
			var got [][2]int
			for _, m := range best(ranked) {
				got = append(got, [2]int{m.a, m.b})
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
		})
	}
}
