package manuals

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/sagasu-search/sagasu/framework/internal/rootfs"
	"github.com/sagasu-search/sagasu/framework/internal/toolset"
)

var linkedFiles = map[string]string{
	"m/a.md": "# 規約\n\n## 第1条（手数料）\n\n手数料は別表1のとおり。[料金](b.md#別表1)も見る。\n[gone](gone.md)、[lost](lost.md) と [図](x.png)\n\n" +
		"```\n[code](b.md)\n```\n\n### 細則\n\n第2条による。\n\n## 第2条（返金）\n\n前条による。\n",
	"m/b.md": "# 別表1\n\n| 円 |\n\n# Refunds\n\nSee \"第1条（手数料）\".\n",
	"n/c.md": "# Other\n\n[rule](../m/a.md#第1条手数料) 第2条\n",
}

// told returns a row in short.
func told(rows []LinkRow) (out []string) {
	for _, r := range rows {
		other := "broken " + r.Target
		if !r.Broken {
			other = fmt.Sprintf("%s/%s:%d %s", r.Ref.ManualID, r.Ref.Path, r.Ref.StartLine, r.Breadcrumb)
		}
		out = append(out, fmt.Sprintf("%s %s %d %s", r.Direction, r.How, r.Line, other))
	}
	return out
}

func TestLinks(t *testing.T) {
	m, _ := indexedModule(t, linkedFiles)
	line := func(n int) *int { return &n }
	out := []string{"out link 5 m/b.md:1 別表1", "out link 6 broken gone.md", "out link 6 broken lost.md", "out number 14 m/a.md:16 規約 > 第2条（返金）"}
	in := []string{"in number 18 m/a.md:16 規約 > 第2条（返金）", "in title 7 m/b.md:5 Refunds", "in link 3 n/c.md:1 Other"}
	for name, tc := range map[string]struct {
		args  LinksArgs
		want  []string
		total int
		next  int
	}{
		"both":    {LinksArgs{Ref: Ref{ManualID: "m", Path: "a.md", StartLine: line(3)}}, append(out[:4:4], in...), 7, 0},
		"out":     {LinksArgs{Ref: Ref{ManualID: "m", Path: "a.md", StartLine: line(5)}, Direction: "out"}, out, 4, 0},
		"in":      {LinksArgs{Ref: Ref{ManualID: "m", Path: "a.md", StartLine: line(3)}, Direction: "in"}, in, 3, 0},
		"page":    {LinksArgs{Ref: Ref{ManualID: "m", Path: "a.md", StartLine: line(3)}, Offset: 1, Limit: 2}, out[1:3], 7, 3},
		"moved":   {LinksArgs{Ref: Ref{ManualID: "m", Path: "a.md", StartLine: line(1), Title: "第1条（手数料）"}, Direction: "in"}, in, 3, 0},
		"nothing": {LinksArgs{Ref: Ref{ManualID: "n", Path: "c.md"}, Direction: "in"}, nil, 0, 0},
	} {
		if tc.args.Limit == 0 {
			tc.args.Limit = 50
		}
		if tc.args.Direction == "" {
			tc.args.Direction = "both"
		}
		got, err := m.Links(t.Context(), tc.args)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if diff := cmp.Diff(tc.want, told(got.Results)); diff != "" || got.Total != tc.total || deref(got.NextOffset) != tc.next || got.Truncated != (tc.next > 0) {
			t.Errorf("%s: total %d, next %v, %s\n%s", name, got.Total, got.NextOffset, got.TruncatedReason, diff)
		}
	}
	for name, tc := range map[string]struct {
		ref       Ref
		code      toolset.Code
		parameter string
	}{
		"manual": {Ref{ManualID: "x", Path: "a.md"}, toolset.NotFound, "ref.manual_id"},
		"path":   {Ref{ManualID: "m", Path: rootfs.Path("x.md")}, toolset.NotFound, "ref.path"},
		"line":   {Ref{ManualID: "m", Path: "a.md", StartLine: line(99)}, toolset.InvalidParameter, "ref.start_line"},
		"title":  {Ref{ManualID: "m", Path: "a.md", StartLine: line(3), Title: "gone"}, toolset.Conflict, "ref.title"},
	} {
		_, err := m.Links(t.Context(), LinksArgs{Ref: tc.ref, Direction: "both", Limit: 50})
		if bad := toolset.AsError(err); bad.Code != tc.code || bad.Details["parameter"] != tc.parameter {
			t.Errorf("%s: %v %v", name, err, bad.Details)
		}
	}
}

// Labels of reStructuredText and of AsciiDoc are those of the text below them.
func TestLinksFollowLabels(t *testing.T) {
	m, _ := indexedModule(t, map[string]string{
		"m/index.rst": "Guide\n=====\n\nSee :ref:`costs <The  Fees>`, :ref:`inside`, :doc:`in/fees` and :ref:`top`.\n" +
			"Neither :ref:`gone` nor :doc:`gone` nor `fees <https://example.org>`_.\n",
		"m/in/fees.rst": ".. _top:\n.. _first:\n\nCosts\n=====\n\ntext\n\n.. _`the fees`:\n\nFees\n----\n\ntext\n\n.. _inside:\n\nmore text\n",
		"m/a.adoc":      "= Book\n\nSee <<limits,the limits>>, xref:b.adoc#far[far] and <<_book>>.\n\n[[limits]]\n== Bounds\n\ntext\n",
		"m/b.adoc":      "= Other\n\nxref:a.adoc[all]\n\n[#far,role=x]\n== Far away\n\ntext\n",
		"n/other.rst":   ".. _gone:\n\nOther\n=====\n",
	})
	for path, want := range map[string][]string{
		"index.rst":   {"out link 4 m/in/fees.rst:11 Costs > Fees", "out link 4 m/in/fees.rst:4 Costs"},
		"in/fees.rst": {"in link 4 m/index.rst:1 Guide", "in link 4 m/index.rst:1 Guide"},
		"a.adoc":      {"out link 3 m/b.adoc:6 Other > Far away", "in link 3 m/b.adoc:1 Other"},
	} {
		got, err := m.Links(t.Context(), LinksArgs{Ref: Ref{ManualID: "m", Path: rootfs.Path(path)}, Direction: "both", Limit: 50})
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, told(got.Results)); diff != "" {
			t.Errorf("%s: %s", path, diff)
		}
	}
}

// Anchors that headings give themselves are those of their file, and go before titles.
func TestLinksFollowAnchors(t *testing.T) {
	m, _ := indexedModule(t, map[string]string{
		"m/a.md": "\ufeff# 案内 {#top}\n\nSee [x](b.mdx#keep), [y](b#fees), [z](#limits).\n\n# 制限 {/*limits*/}\n\nSee [t](#top).\n",
		"m/b.mdx": "# Other {#fees}\n\nSee [limits](#limits), [both](#keep).\n\n# Keep\n\ntext\n\n# 保存 {: #keep }\n\ntext\n\n" +
			"# Limits\n\ntext\n",
		"m/c.md": "<h2 id=\"one\">料金</h2>\n\n[x](#two)\n\n<h2 class=n id=two>Late <i>fees</i></h2>\n\ntext\n",
	})
	for _, tc := range []struct {
		path rootfs.Path
		line int
		want []string
	}{
		{"a.md", 1, []string{"out link 3 m/b.mdx:9 保存", "out link 3 m/b.mdx:1 Other", "out link 3 m/a.md:5 制限"}},
		{"a.md", 5, []string{"out link 7 m/a.md:1 案内"}},
		{"b.mdx", 1, []string{"out link 3 m/b.mdx:13 Limits", "out link 3 m/b.mdx:9 保存"}},
		{"c.md", 1, []string{"out link 3 m/c.md:5 Late fees"}},
	} {
		ref := Ref{ManualID: "m", Path: tc.path, StartLine: &tc.line}
		got, err := m.Links(t.Context(), LinksArgs{Ref: ref, Direction: "out", Limit: 50})
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(tc.want, told(got.Results)); diff != "" {
			t.Errorf("%s:%d: %s", tc.path, tc.line, diff)
		}
	}
}

// Links in HTML and in components are links, also from another manual.
func TestLinksFollowHTML(t *testing.T) {
	m, _ := indexedModule(t, map[string]string{
		"m/a.md":  "# A\n\ntext\n",
		"n/b.mdx": "# B\n\n<Card title=\"A\" href=\"../m/a.md\" />\n",
	})
	line := 1
	got, err := m.Links(t.Context(), LinksArgs{Ref: Ref{ManualID: "m", Path: "a.md", StartLine: &line}, Direction: "in", Limit: 50})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"in link 3 n/b.mdx:1 B"}, told(got.Results)); diff != "" {
		t.Error(diff)
	}
}

// A site leaves out the numbers that put files in order, and names that repeat their folder's.
func TestLinksFollowRoutes(t *testing.T) {
	m, _ := indexedModule(t, map[string]string{
		"m/docs/010_guide/020_login/020_login.md": "# Log in\n\nSee [a](/guide/keys#make), [b](/guide/fees/), [c](/guide/login/login), [d](/none), " +
			"[e](/2024-10-25-news), [f](../keys).\n",
		"m/docs/010_guide/030-Keys.md":        "# Keys\n\ntext\n\n## Make\n\ntext\n",
		"m/docs/010_guide/4. fees/README.md":  "# Fees\n\ntext\n",
		"m/docs/2024-10-25-news.md":           "# News\n\ntext\n",
		"other/docs/010_guide/010_keys.md":    "# No\n",
		"m/docs/010_guide/050_login/index.md": "# Also\n",
	})
	line := 1
	ref := Ref{ManualID: "m", Path: "docs/010_guide/020_login/020_login.md", StartLine: &line}
	got, err := m.Links(t.Context(), LinksArgs{Ref: ref, Direction: "out", Limit: 50})
	if err != nil {
		t.Fatal(err)
	}
	want := []string{
		"out link 3 m/docs/010_guide/030-Keys.md:5 Keys > Make", "out link 3 m/docs/010_guide/4. fees/README.md:1 Fees",
		"out link 3 m/docs/2024-10-25-news.md:1 News", "out link 3 m/docs/010_guide/030-Keys.md:1 Keys",
	}
	if diff := cmp.Diff(want, told(got.Results)); diff != "" {
		t.Error(diff)
	}
}
