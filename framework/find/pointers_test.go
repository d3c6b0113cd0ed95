package find

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/sagasu-search/sagasu/framework/judge"
	"github.com/sagasu-search/sagasu/sdk/sdktest"
	"github.com/sagasu-search/sagasu/sdk/snapshot"
	"github.com/sagasu-search/sagasu/sdk/text"
)

func snapshotOf(t *testing.T, e *Engine) *snapshot.Snapshot {
	t.Helper()
	view, err := e.View(t.Context(), time.Second)
	if err != nil {
		t.Fatal(err)
	}
	return view.Snapshot
}

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
	{Manual: "m", Path: "top.md", Line: 1, Heading: "Top"},
	{Manual: "n", Path: "x.md", Line: 1, Heading: "別表9"},
}

func TestPointersAreResolved(t *testing.T) {
	e := engine(t, linkedRows, fakes{})
	s := search{snap: snapshotOf(t, e)}
	for _, tc := range []struct{ text, want string }{
		{"第7条を参照", "m/guide/a.md:10"}, // the same file goes first
		{"第17条に定める", "m/guide/a.md:20"},
		{"第7条の2による", "m/guide/a.md:30"},
		{"第70条による", ""},
		{"別表1のとおり", "m/guide/b.md:1"},
		{"別表9のとおり", ""}, // of another manual
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
		{"[here](#start)", ""}, // itself
		{"[here](#第17条期限)", "m/guide/a.md:20"},
		{"[here](#%E7%AC%AC17%E6%9D%A1%E6%9C%9F%E9%99%90)", "m/guide/a.md:20"},
		{"[here](#nowhere)", ""},
		{"[gone](gone.md)", ""},
		{"[out](../../../etc/passwd)", ""},
		{"[bad](%zz)", ""},
		{"[[b]]", "m/guide/b.md:1"},
		{"[[Top]]", "m/top.md:1"},
	} {
		got := ""
		for _, p := range judge.Pointers(tc.text, text.Fold(tc.text)) {
			if id, ok := s.resolve(0, p); ok && id != 0 {
				sec, _ := s.snap.Section(id)
				got = fmt.Sprintf("%s/%s:%d", sec.Group, sec.Path, sec.Start)
				break
			}
		}
		if got != tc.want {
			t.Errorf("%s leads to %q, want %q", tc.text, got, tc.want)
		}
	}
}

func TestTargetsOfAText(t *testing.T) {
	e := engine(t, []sdktest.Section{
		{Manual: "m", Path: "a.md", Line: 1, Heading: "Start", Body: "See section 4.2 and [here](#start), then [the end](#end)."},
		{Manual: "m", Path: "a.md", Line: 9, Heading: "4.2 Middle", Body: "Nothing."},
		{Manual: "m", Path: "a.md", Line: 19, Heading: "End", Body: "As in section 4.2."},
	}, fakes{})
	s := search{snap: snapshotOf(t, e)}
	for id, want := range [][]uint32{{2, 1}, nil, {1}} {
		if got := slices.Collect(s.targets(uint32(id))); !slices.Equal(got, want) {
			t.Errorf("section %d points to %v, want %v", id, got, want)
		}
	}
	if got := s.linked([]uint32{1}).ToArray(); !slices.Equal(got, []uint32{0, 2}) {
		t.Errorf("linked with 1: %v", got)
	}
	if got := s.neighbours([]uint32{0, 2}).ToArray(); !slices.Equal(got, []uint32{1}) {
		t.Errorf("neighbours %v", got)
	}
}

func FuzzResolve(f *testing.F) {
	f.Add("第7条 別表1 [a](b.md#c) [[x]] see section 4.2")
	snap := sdktest.Snapshot(f, linkedRows...)
	f.Fuzz(func(t *testing.T, source string) {
		s := search{snap: snap}
		for _, p := range judge.Pointers(source, text.Fold(source)) {
			if id, ok := s.resolve(0, p); ok && !snap.Live().Contains(id) {
				t.Fatalf("%q leads to section %d, which is not there", p.Text, id)
			}
		}
	})
}
