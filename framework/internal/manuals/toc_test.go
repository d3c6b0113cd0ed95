package manuals_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/sagasu-search/sagasu/framework/internal/manuals"
	"github.com/sagasu-search/sagasu/framework/internal/rootfs"
	"github.com/sagasu-search/sagasu/framework/internal/toolset"
)

func contents(t *testing.T, l *manuals.Library, req manuals.TocArgs) *manuals.Toc {
	t.Helper()
	req.ManualID = "m"
	got, err := checked(t.Context(), l.Toc, req)
	if err != nil {
		t.Fatal(err)
	}
	return got
}

func TestToc(t *testing.T) {
	l := one(t, map[string]string{
		"b.md": "intro\n# A\n## B `x`\n", "a/c.json": "{}", "none.md": "text", "bad.md": "\x00",
		"page.md": "---\ntitle: Page\n---\ntext\n## C\n", "same.md": "---\ntitle: Same\n---\n# Same\n",
	})
	want := &manuals.Toc{
		Items: []any{
			manuals.TocFile{Path: "a/c.json", Headings: []manuals.TocHeading{}},
			manuals.TocFile{Path: "b.md", Headings: []manuals.TocHeading{{Title: "A", LineStart: 2}, {Title: "B x", LineStart: 3}}},
			manuals.TocFile{Path: "none.md", Headings: []manuals.TocHeading{}},
			manuals.TocFile{Path: "page.md", Title: "Page", Headings: []manuals.TocHeading{{Title: "C", LineStart: 5}}},
			manuals.TocFile{Path: "same.md", Headings: []manuals.TocHeading{{Title: "Same", LineStart: 4}}},
		},
		Total:   6,
		Skipped: []toolset.Skip{{Path: "bad.md", Reason: "it holds NUL bytes"}},
	}
	if diff := cmp.Diff(want, contents(t, l, manuals.TocArgs{})); diff != "" {
		t.Error(diff)
	}
}

func TestTocNodes(t *testing.T) {
	l := one(t, map[string]string{"b.md": "intro\n# A\n## B\nb\n", "c.json": "{\n}\n"})
	got := contents(t, l, manuals.TocArgs{Detail: "nodes"})
	want := []any{
		manuals.TocNode{Kind: "heading", NodeID: "b.md#L1", Path: "b.md", Title: "b", LineStart: 1, LineEnd: 1},
		manuals.TocNode{Kind: "heading", NodeID: "b.md#L2", Path: "b.md", Title: "A", Level: 1, LineStart: 2, LineEnd: 4},
		manuals.TocNode{Kind: "heading", NodeID: "b.md#L3", Path: "b.md", Title: "B", Level: 2, ParentID: new("b.md#L2"), LineStart: 3, LineEnd: 4},
		manuals.TocNode{Kind: "json_file", NodeID: "c.json#L1", Path: "c.json", Title: "c", LineStart: 1, LineEnd: 2},
	}
	if diff := cmp.Diff(want, got.Items); diff != "" {
		t.Error(diff)
	}
	row, err := json.Marshal(got.Items[0])
	if want := `{"kind":"heading","node_id":"b.md#L1","path":"b.md","title":"b","level":0,"parent_id":null,"line_start":1,"line_end":1}`; err != nil || string(row) != want {
		t.Errorf("%s, %v", row, err)
	}
}

func TestTocPages(t *testing.T) {
	files := map[string]string{}
	for i := range 25 {
		files[fmt.Sprintf("f%02d.md", i)] = "# A\n# B\n"
	}
	l := one(t, files)
	for detail, total := range map[string]int{"headings": 25, "nodes": 50} {
		whole, paged, offset := contents(t, l, manuals.TocArgs{Detail: detail}), []any{}, new(0)
		for offset != nil {
			page := contents(t, l, manuals.TocArgs{Detail: detail, Offset: *offset, Limit: new(7)})
			if len(page.Items) > 7 || page.Total != total {
				t.Fatalf("%s: %d items of %d", detail, len(page.Items), page.Total)
			}
			paged, offset = append(paged, page.Items...), page.NextOffset
		}
		if diff := cmp.Diff(whole.Items, paged); diff != "" || len(paged) != total {
			t.Errorf("%s: %d items %s", detail, len(paged), diff)
		}
		if behind := contents(t, l, manuals.TocArgs{Detail: detail, Offset: 99}); len(behind.Items) != 0 || behind.NextOffset != nil {
			t.Errorf("%s: behind the end: %+v", detail, behind)
		}
	}
}

func TestTocPrefix(t *testing.T) {
	l := one(t, map[string]string{"guide/a.md": "", "guide/sub/b.md": "", "guide2/c.md": "", "gu.md": "", "か\u3099/d.md": ""})
	for prefix, want := range map[string][]string{
		"guide":      {"guide/a.md", "guide/sub/b.md"},
		"guide/":     {"guide/a.md", "guide/sub/b.md"},
		`guide\sub`:  {"guide/sub/b.md"},
		"gu":         {"gu.md", "guide/a.md", "guide/sub/b.md", "guide2/c.md"},
		"guide/a.md": {"guide/a.md"},
		"が/":         {"か\u3099/d.md"},
	} {
		got := []string{}
		for _, item := range contents(t, l, manuals.TocArgs{PathPrefix: rootfs.Prefix(prefix)}).Items {
			got = append(got, item.(manuals.TocFile).Path)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%q: %s", prefix, diff)
		}
	}
	_, err := l.Toc(t.Context(), manuals.TocArgs{ManualID: "m", PathPrefix: "giude/"})
	got := wantFault(t, err, toolset.NotFound, "path_prefix")
	if diff := cmp.Diff([]string{"guide", "guide2"}, got.Details["did_you_mean"]); diff != "" {
		t.Error(diff)
	}
}

func TestTocTooWide(t *testing.T) {
	files := map[string]string{"docs/index.md": ""}
	for i := range 150 {
		files[fmt.Sprintf("docs/a/%d.md", i)] = "# A\n"
		files[fmt.Sprintf("docs/b/sub/%d.md", i)] = ""
	}
	l := one(t, files)
	_, err := l.Toc(t.Context(), manuals.TocArgs{ManualID: "m"})
	got := wantFault(t, err, toolset.NeedsNarrowScope, "path_prefix")
	if diff := cmp.Diff([]manuals.Prefix{{PathPrefix: "docs/a/", Files: 150}, {PathPrefix: "docs/b/", Files: 150}}, got.Details["prefixes"]); diff != "" {
		t.Error(diff)
	}
	if page := contents(t, l, manuals.TocArgs{Limit: new(300)}); len(page.Items) != 300 || *page.NextOffset != 300 {
		t.Errorf("a page of %d", len(page.Items))
	}
	if part := contents(t, l, manuals.TocArgs{PathPrefix: "docs/a/"}); len(part.Items) != 150 || part.NextOffset != nil {
		t.Errorf("a prefix with %d", len(part.Items))
	}
	if wide := contents(t, l, manuals.TocArgs{PathPrefix: "docs"}); len(wide.Items) != 200 || *wide.NextOffset != 200 || wide.Total != 301 {
		t.Errorf("a wide prefix with %d of %d", len(wide.Items), wide.Total)
	}
}

func TestTocTooWideAndFlat(t *testing.T) {
	files := map[string]string{}
	for i := range 201 {
		files[fmt.Sprintf("%d.md", i)] = ""
	}
	l := one(t, files)
	_, err := l.Toc(t.Context(), manuals.TocArgs{ManualID: "m"})
	got := wantFault(t, err, toolset.NeedsNarrowScope, "path_prefix")
	if diff := cmp.Diff([]manuals.Prefix{}, got.Details["prefixes"]); diff != "" {
		t.Error(diff)
	}
	example := got.Details["example"].(map[string]any)
	if page := contents(t, l, manuals.TocArgs{Offset: example["offset"].(int), Limit: new(example["limit"].(int))}); len(page.Items) != 50 {
		t.Errorf("the example gives %d items", len(page.Items))
	}
}

func TestTocRefuses(t *testing.T) {
	l := one(t, map[string]string{"a.md": ""})
	for param, req := range map[string]manuals.TocArgs{
		"detail": {Detail: "all"}, "offset": {Offset: -1}, "limit": {Limit: new(0)},
	} {
		req.ManualID = "m"
		_, err := checked(t.Context(), l.Toc, req)
		wantFault(t, err, toolset.InvalidParameter, param)
	}
	_, err := checked(t.Context(), l.Toc, manuals.TocArgs{ManualID: "m", PathPrefix: "../"})
	wantFault(t, err, toolset.InvalidPath, "path_prefix")
	_, err = l.Toc(t.Context(), manuals.TocArgs{ManualID: "n"})
	wantFault(t, err, toolset.NotFound, "manual_id")
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := l.Toc(ctx, manuals.TocArgs{ManualID: "m"}); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}

// A file whose headings do not fit shows the first, and the call that pages the others works.
func TestTocOfAFileTooLong(t *testing.T) {
	l := one(t, map[string]string{"a.md": "# One\n", "b.md": strings.Repeat("## Heading of some length\n\ntext\n\n", 400), "c.md": "# Three\n"})
	const most = 300
	got := contents(t, l, manuals.TocArgs{Offset: 1, MaxTokens: new(most)})
	if n := toolset.Cost(got); n > most || n < most*4/5 || len(got.Items) != 1 || got.NextOffset == nil || *got.NextOffset != 2 {
		t.Fatalf("%d tokens, %d items, %v", n, len(got.Items), got.NextOffset)
	}
	file := got.Items[0].(manuals.TocFile)
	seen, next := len(file.Headings), file.Rest
	for seen > 0 && next != nil {
		raw, err := json.Marshal(next)
		if err != nil {
			t.Fatal(err)
		}
		rest, err := decoded(t, l.Toc, raw)
		if err != nil || toolset.Cost(rest) > most {
			t.Fatalf("%s: %v", raw, err)
		}
		if first := rest.Items[0].(manuals.TocNode); first.LineStart != 1+4*seen {
			t.Fatalf("%s begins at line %d", raw, first.LineStart)
		}
		seen += len(rest.Items)
		if next["offset"] = seen; rest.NextOffset == nil {
			next = nil
		}
	}
	if seen != 400 {
		t.Errorf("%d headings", seen)
	}
	if c := contents(t, l, manuals.TocArgs{Offset: 2, MaxTokens: new(most)}); len(c.Items) != 1 || c.Items[0].(manuals.TocFile).Rest != nil {
		t.Errorf("%+v", c)
	}
}
