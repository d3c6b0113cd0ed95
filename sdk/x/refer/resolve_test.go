package refer

import (
	"fmt"
	"slices"
	"testing"

	"github.com/sagasu-search/sagasu/sdk/sdktest"
	"github.com/sagasu-search/sagasu/sdk/snapshot"
	"github.com/sagasu-search/sagasu/sdk/text"
)

var linkedRows = []sdktest.Section{
	{Manual: "m", Path: "guide/a.md", Line: 1, Heading: "Start"},
	{Manual: "m", Path: "guide/a.md", Line: 10, Heading: "第7条(返品)"},
	{Manual: "m", Path: "guide/a.md", Line: 20, Heading: "第17条(期限)"},
	{Manual: "m", Path: "guide/a.md", Line: 30, Heading: "第7条の2(例外)"},
	{Manual: "m", Path: "guide/b.md", Line: 1, Heading: "別表1 料金"},
	{Manual: "m", Path: "guide/b.md", Line: 10, Heading: "第7条(他)"},
	{Manual: "m", Path: "guide/b.md", Line: 20, Heading: "4.2 Limits & fees"},
	{Manual: "m", Path: "guide/b.md", Line: 30, Heading: "14.2 Others"},
	{Manual: "m", Path: "guide/b.md", Line: 40, Heading: "Appendix B: Codes"},
	{Manual: "m", Path: "guide/page.html.md", Line: 1, Heading: "Page"},
	{Manual: "m", Path: "site/docs/guide/c.mdx", Line: 1, Heading: "C"},
	{Manual: "m", Path: "site/docs/ref/index.md", Line: 1, Heading: "Ref"},
	{Manual: "m", Path: "site/docs/rules/_index.md", Line: 1, Heading: "Rules"},
	{Manual: "m", Path: "top.md", Line: 1, Heading: "Top"},
	{Manual: "n", Path: "x.md", Line: 1, Heading: "別表9"},
}

func TestPointersAreResolved(t *testing.T) {
	snap := sdktest.Snapshot(t, linkedRows...)
	for _, tc := range []struct{ text, want string }{
		{"第7条を参照", "m/guide/a.md:10"}, // the same file comes first
		{"第17条に定める", "m/guide/a.md:20"},
		{"第7条の2による", "m/guide/a.md:30"},
		{"第70条による", ""},
		{"別表1のとおり", "m/guide/b.md:1"},
		{"別表9のとおり", ""}, // in another manual
		{"see section 4.2", "m/guide/b.md:20"},
		{"see section 2", ""},
		{"as in appendix B", "m/guide/b.md:40"},
		{`see "Limits & Fees"`, "m/guide/b.md:20"},
		{`see "4.2 Limits & Fees"`, "m/guide/b.md:20"},
		{"「第17条(期限)」を参照", "m/guide/a.md:20"},
		{"[fees](b.md#42-limits--fees)", "m/guide/b.md:20"},
		{"[fees](./b.md)", "m/guide/b.md:1"},
		{"[fees](b.md#gone)", "m/guide/b.md:1"},
		{"[top](../top.md)", "m/top.md:1"},
		{"[top](/top.md)", "m/top.md:1"},
		{"[other](../../n/x.md)", "n/x.md:1"},
		{"[fees](b.md#limits--fees)", "m/guide/b.md:20"},
		{"[here](#start)", ""}, // the section itself
		{"[here](#第17条期限)", "m/guide/a.md:20"},
		{"[here](#%E7%AC%AC17%E6%9D%A1%E6%9C%9F%E9%99%90)", "m/guide/a.md:20"},
		{"[here](#nowhere)", ""},
		{"[gone](gone.md)", ""},
		{"[out](../../../etc/passwd)", ""},
		{"[bad](%zz)", ""},
		{"[[b]]", "m/guide/b.md:1"},
		{"[[Top]]", "m/top.md:1"},
		{"[page](page.html#part)", "m/guide/page.html.md:1"}, // an imported page
		{"[page](b.html)", "m/guide/b.md:1"},
	} {
		if got := lead(snap, 0, tc.text); got != tc.want {
			t.Errorf("%s leads to %q, want %q", tc.text, got, tc.want)
		}
	}
}

// lead returns the target of the first pointer in a text of a section, or "" for none and for the section itself.
func lead(snap *snapshot.Snapshot, from uint32, source string) string {
	for _, p := range Pointers(source, text.Fold(source)) {
		if id, ok := Resolve(snap, from, p); ok && id != from {
			sec, _ := snap.Section(id)
			return fmt.Sprintf("%s/%s:%d", sec.Group, sec.Path, sec.Start)
		}
	}
	return ""
}

// The texts of a site are in a folder that its links do not name.
func TestLinksFromTheRootOfASite(t *testing.T) {
	snap := sdktest.Snapshot(t, linkedRows...)
	from := uint32(slices.IndexFunc(linkedRows, func(s sdktest.Section) bool { return s.Path == "site/docs/guide/c.mdx" }))
	for link, want := range map[string]string{
		"/ref/": "m/site/docs/ref/index.md:1", "/ref/#part": "m/site/docs/ref/index.md:1", "../ref": "m/site/docs/ref/index.md:1",
		"/ref.html": "m/site/docs/ref/index.md:1", "/top": "m/top.md:1", "/guide/b": "m/guide/b.md:1", "/x": "", "/": "",
		"/rules/": "m/site/docs/rules/_index.md:1", "../rules": "m/site/docs/rules/_index.md:1",
		"/m/guide/b": "m/guide/b.md:1", "/m/site/docs/ref/#part": "m/site/docs/ref/index.md:1", "/m/x": "",
	} {
		if got := lead(snap, from, "[it]("+link+")"); got != want {
			t.Errorf("%s leads to %q, want %q", link, got, want)
		}
	}
}

func TestPointsToWhateverIsATarget(t *testing.T) {
	snap := sdktest.Snapshot(t, linkedRows...)
	source := `第7条、第17条及び別表1を参照。see section 4.2, "Limits & Fees", [gone](gone.md), [top](../top.md#x) and [[b]],
[1](/ref/), [2](../ref.html), [3](/rules/_index.md), [4](page.html#x), [5](..), [6](b), [7](../site/docs/guide/c)`
	for from := range uint32(len(linkedRows)) {
		targets := slices.Collect(Targets(t.Context(), snap, from, source))
		for to := range uint32(len(linkedRows)) {
			if got, want := PointsTo(t.Context(), snap, from, source, []uint32{to}), slices.Contains(targets, to); got != want {
				t.Errorf("section %d points to %d: %v, its targets are %v", from, to, got, targets)
			}
		}
		if len(targets) > 0 && !PointsTo(t.Context(), snap, from, source, []uint32{10, targets[0], 3}) {
			t.Errorf("section %d does not point to %d among others", from, targets[0])
		}
	}
}

func FuzzResolve(f *testing.F) {
	f.Add("第7条 別表1 [a](b.md#c) [[x]] see section 4.2")
	snap := sdktest.Snapshot(f, linkedRows...)
	f.Fuzz(func(t *testing.T, source string) {
		for _, p := range Pointers(source, text.Fold(source)) {
			if id, ok := Resolve(snap, 0, p); ok && !snap.Live().Contains(id) {
				t.Fatalf("%q leads to section %d, which is not there", p.Text, id)
			}
		}
	})
}
