package refer

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/sagasu-search/sagasu/sdk/text"
)

func TestPointers(t *testing.T) {
	for _, tc := range []struct {
		in   string
		want []Pointer
	}{
		{"第7条の2第1項による。", []Pointer{{Text: "第7条の2第1項", Kind: Article, Number: "7の2"}}},
		{"支払額は別表第２のとおり。", []Pointer{{Text: "別表第2", Kind: Schedule, Number: "2"}}},
		{"See section 4.2 for details.", []Pointer{{Text: "section 4.2", Kind: Section, Number: "4.2"}}},
		{"詳しくは「返品の手順」を参照。", []Pointer{{Text: "「返品の手順」を参照", Kind: Heading, Title: "返品の手順"}}},
		{"See \"Returns\" first.", []Pointer{{Text: "See \"Returns\"", Kind: Heading, Title: "Returns"}}},
		{"[規約](../rules.md#第3条)を見る", []Pointer{
			{Text: "[規約](../rules.md#第3条)", Kind: Link, Title: "規約", Path: "../rules.md", Anchor: "第3条"},
			{Text: "第3条", Kind: Article, Number: "3"}}},
		{"[site](https://example.com/a)", nil},
		{"the [rules][r].\n\n[r]: <../rules.md#fees> \"Rules\"\n[site]: https://example.com/a\n[^1]: a.md\n", []Pointer{
			{Text: "[r]: <../rules.md#fees>", Kind: Link, Title: "r", Path: "../rules.md", Anchor: "fees"}}},
		{"a [b]: c.md, `[d]:e`", nil},
		{`<Card href="/fees#all">and <a href='b.md'>b</a>, <a href="https://example.com/">c</a>, href={d} xhref="e"`, []Pointer{
			{Text: `href="/fees#all"`, Kind: Link, Path: "/fees", Anchor: "all"}, {Text: `href='b.md'`, Kind: Link, Path: "b.md"}}},
		{"See :ref:`fees`, :ref:`the limits <the-limits>` and :doc:`../guide/a`.", []Pointer{
			{Text: ":ref:`fees`", Kind: Link, Title: "fees", Anchor: "fees"},
			{Text: ":ref:`the limits <the-limits>`", Kind: Link, Title: "the limits", Anchor: "the-limits"},
			{Text: ":doc:`../guide/a`", Kind: Link, Title: "../guide/a", Path: "../guide/a"}}},
		{"<<fees>>, <<fees,the fees>> and xref:guide/a.adoc#top[there], xref:fees[]", []Pointer{
			{Text: "<<fees>>", Kind: Link, Anchor: "fees"}, {Text: "<<fees,the fees>>", Kind: Link, Anchor: "fees"},
			{Text: "xref:guide/a.adoc#top[", Kind: Link, Path: "guide/a.adoc", Anchor: "top"},
			{Text: "xref:fees[", Kind: Link, Anchor: "fees"}}},
		{"`code`, :role:`x`, a << b >> c, vector<vector<int>>", nil},
		{"条件を表示します。", nil},
	} {
		if diff := cmp.Diff(tc.want, Pointers(tc.in, text.Fold(tc.in))); diff != "" {
			t.Errorf("%s: %s", tc.in, diff)
		}
	}
}

// The search for cues skips no text that a pattern matches.
func TestCuesMissNoPointer(t *testing.T) {
	cues := strings.Fields("条 条件 節 を参照 項を参照 章 表 図 別表 別紙 様式 付録 § article annex appendix chapter section table fig figure fig.")
	pointed := map[string]bool{}
	for _, cue := range cues {
		for _, before := range strings.Split("|第|前|次|別|12|3.4|第12|第12 |第 12 |第12の3|a ", "|") {
			for _, after := range strings.Split("|s|3|3.4| 3|s 3| b| 第3| 3-4|の2| "+cue+" 3", "|") {
				norm := before + cue + after
				found := map[string]int{}
				for _, p := range Pointers("", norm) {
					found[p.Kind]++
				}
				for _, n := range numbered {
					all := n.pattern().FindAllString(norm, -1)
					if pointed[n.kind] = pointed[n.kind] || all != nil; len(all) != found[n.kind] {
						t.Errorf("%q: %d pointers of %s, not %q", norm, found[n.kind], n.kind, all)
					}
				}
			}
		}
	}
	if len(pointed) != len(numbered) || slices.Contains(slices.Collect(maps.Values(pointed)), false) {
		t.Errorf("pointers of these kinds were tried: %v", pointed)
	}
}

func TestPointersToHeadings(t *testing.T) {
	for _, in := range []string{
		"「返品」をご参照", "『返品』の節も参照", "「返品」をご覧", "「返品」を見て", "「返品」をお読み",
		`SEE ALSO "返品"`, `Refer to “返品”`, `as described in "返品"`, `Under "返品"`,
	} {
		got := Pointers(in, text.Fold(in))
		if len(got) != 1 || got[0].Kind != Heading || got[0].Title != "返品" {
			t.Errorf("%s: %v", in, got)
		}
	}
}
