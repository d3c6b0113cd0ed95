package corpus

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/sagasu-search/sagasu/sdk"
)

// titledIn returns the headings in a text, with their levels and the first lines of their bodies.
func titledIn(src []byte) (out []sdk.Block) {
	for _, s := range Cut("a.pdf", src) {
		if s.Level > 0 {
			out = append(out, sdk.Block{Level: s.Level, Heading: s.Title})
		}
	}
	return out
}

// A title set by a program is left out.
func TestTitlesOfPrograms(t *testing.T) {
	for title, kept := range map[string]bool{
		"PowerPoint Presentation": false, "PowerPoint プレゼンテーション": false, "Slide 1": false, "Untitled": false, "(anonymous)": false, "無題": false,
		"PowerPoint for beginners": true, "Slide rules": true, "Document formats": true, "文書管理": true, "Titles": true, "Anonymous": true,
	} {
		src, _ := Render(&sdk.Converted{Title: title, Blocks: []sdk.Block{{Text: "x"}}})
		if strings.Contains(string(src), "title:") != kept {
			t.Errorf("%s: %q", title, src)
		}
	}
}

func TestRender(t *testing.T) {
	src, places := Render(&sdk.Converted{Title: `A "manual"`, Blocks: []sdk.Block{
		{Text: "Before.", Place: sdk.Place{Page: 1}},
		{Level: 1, Heading: "One [1] *x*", Text: "text\n# not one\n\nlast", Place: sdk.Place{Page: 1}},
		{Text: "goes on", Place: sdk.Place{Page: 2}},
		{Level: 2, Heading: "snake_case", Text: "```\nopen", Place: sdk.Place{Page: 2}},
		{Level: 2, Heading: "C #", Text: "under\n---", Place: sdk.Place{Page: 3}},
	}})
	want := `---
title: "A \"manual\""
---

Before.

# One \[1\] \*x\*

text
\# not one

last

goes on

## snake_case

\` + "```" + `
open

## C \#

under
\---
`
	if diff := cmp.Diff(want, string(src)); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff(Places{{Line: 5, Page: 1}, {Line: 14, Page: 2}, {Line: 21, Page: 3}}, places); diff != "" {
		t.Error(diff)
	}
	for line, page := range map[int]int{1: 0, 4: 0, 5: 1, 13: 1, 14: 2, 20: 2, 21: 3, 99: 3} {
		if got := places.At(line).Page; got != page {
			t.Errorf("line %d stands on page %d, want %d", line, got, page)
		}
	}
	sections := Cut("a.pdf", src)
	if got := sections[0].HeadingPath; got != `A "manual"` {
		t.Errorf("the title is %q", got)
	}
}

// TestRenderedHeadings checks that a rendered text has exactly the headings of its blocks, whatever is between them,
// and that each block's place is that of its first line.
func TestRenderedHeadings(t *testing.T) {
	line := rapid.OneOf(
		rapid.SampledFrom([]string{
			"# no", "## no ##", "===", "---", "+++", "***", "```", "~~~", "````", "<!--", "<script>", "<pre>", "<?php",
			"<![CDATA[", "<!X", "<div>", "</div>", "<h2>no</h2>", "- item", "1. item", "> quote", "    # code", "\t# tab", "", " ",
			"title: x", "[a]: b", "[a]", "| a | b |", "|---|---|", `\`, `\#`, "\ufeff", "a\rb", "text  ", "  # x", "#", "   ---",
		}),
		rapid.StringMatching("[-#=`~<>!a \\\\\\[\\]*+]{0,8}"),
	)
	rapid.Check(t, func(t *rapid.T) {
		c := &sdk.Converted{Title: rapid.SampledFrom([]string{"", "title", `a "b" \ c`}).Draw(t, "title")}
		var want []sdk.Block
		for i := range rapid.IntRange(1, 6).Draw(t, "blocks") {
			b := sdk.Block{Text: strings.Join(rapid.SliceOfN(line, 0, 6).Draw(t, "text"), "\n"), Place: sdk.Place{Page: i + 1}}
			if rapid.Bool().Draw(t, "heading") {
				b.Level = rapid.IntRange(1, 6).Draw(t, "level")
				b.Heading = oneLine(rapid.StringMatching("[-a-z#`*_\\[\\]<>&!\\\\{}()1. ]{1,12}").Draw(t, "words"))
				if b.Heading == "" {
					b.Heading = "x"
				}
				want = append(want, sdk.Block{Level: b.Level, Heading: b.Heading})
			}
			c.Blocks = append(c.Blocks, b)
		}
		src, places := Render(c)
		if diff := cmp.Diff(want, titledIn(src)); diff != "" {
			t.Fatalf("%s\n%q", diff, src)
		}
		for _, p := range places {
			if p.Line < 1 || p.Line > NewLines(src).Count()+2 {
				t.Errorf("a place at line %d of %d", p.Line, NewLines(src).Count())
			}
		}
		if NotText(src) != "" {
			t.Error(NotText(src))
		}
	})
}

func TestLacks(t *testing.T) {
	page := func(n int, reason string) sdk.Problem { return sdk.Problem{Place: sdk.Place{Page: n}, Reason: reason} }
	for _, tc := range []struct {
		problems []sdk.Problem
		want     string
	}{
		{nil, ""},
		{[]sdk.Problem{page(4, "no text"), page(3, "no text"), page(5, "no text"), page(9, "no text")},
			"read in part: no text on pages 3–5, page 9"},
		{[]sdk.Problem{page(2, "no text"), page(1, "a broken table"), {Reason: "no outline"}, {Place: sdk.Place{Sheet: "Q3"}, Reason: "no text"}},
			"read in part: no text on page 2 (Q3); a broken table on page 1; no outline"},
	} {
		if got := (&File{Problems: tc.problems}).Lacks(); got != tc.want {
			t.Errorf("%q, want %q", got, tc.want)
		}
	}
}
