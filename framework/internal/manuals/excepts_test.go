package manuals_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/sagasu-search/sagasu/framework/internal/manuals"
	"github.com/sagasu-search/sagasu/framework/internal/toolset"
	"github.com/sagasu-search/sagasu/sdk/x/dict"
)

const cover = "---\ntitle: except\n---\n# 保証\n\n一年間保証します。\n\n## 対象外\n\nただし、落下は対象外です。\n水濡れは not\ncovered です。\n\n### 細則\n\nWarning: precautions\n\n## 期間\n\n天災を除く。\n"

// exceptsOf serves files with the bundled words.
func exceptsOf(t *testing.T, files map[string]string) *manuals.Library {
	t.Helper()
	within := map[string]string{}
	for name, content := range files {
		within["m/"+name] = content
	}
	return library(write(t, within), func(o *manuals.Options) { o.Exceptions = dict.Exceptions })
}

func TestExcepts(t *testing.T) {
	l := exceptsOf(t, map[string]string{
		"a.md": cover, "b.json": "{\n  \"note\": \"\\u5bfe\\u8c61\\u5916\"\n}\n", "c.md": "nothing of the kind\n", "d.md": "broken \xff\x01\x02\n",
	})
	a := []manuals.ExceptLine{
		{Path: "a.md", StartLine: 8, Line: 8, Snippet: "## 対象外", Term: "対象外"},
		{Path: "a.md", StartLine: 8, Line: 10, Snippet: "ただし、落下は対象外です。", Term: "ただし"},
		{Path: "a.md", StartLine: 8, Line: 11, Snippet: "水濡れは not", Term: "not covered"},
		{Path: "a.md", StartLine: 14, Line: 16, Snippet: "Warning: precautions", Term: "warning"},
		{Path: "a.md", StartLine: 18, Line: 20, Snippet: "天災を除く。", Term: "除く"},
	}
	all := append(append([]manuals.ExceptLine{}, a...), manuals.ExceptLine{Path: "b.json", StartLine: 1, Line: 2, Snippet: `"note": "対象外"`, Term: "対象外"})
	line := func(n int) *int { return &n }
	for name, tc := range map[string]struct {
		req   manuals.ExceptsArgs
		items []manuals.ExceptLine
		total int
		next  *int
	}{
		"a manual":                    {manuals.ExceptsArgs{Limit: 50}, all, 6, nil},
		"a page":                      {manuals.ExceptsArgs{Offset: 1, Limit: 2}, all[1:3], 6, line(3)},
		"the last page":               {manuals.ExceptsArgs{Offset: 4, Limit: 2}, all[4:], 6, nil},
		"past the end":                {manuals.ExceptsArgs{Offset: 9, Limit: 2}, nil, 6, nil},
		"a file":                      {manuals.ExceptsArgs{Path: "a.md", Limit: 50}, a, 5, nil},
		"a section and what is below": {manuals.ExceptsArgs{Path: "a.md", StartLine: line(9), Limit: 50}, a[:4], 4, nil},
		"a file without":              {manuals.ExceptsArgs{Path: "c.md", Limit: 50}, nil, 0, nil},
	} {
		tc.req.ManualID = "m"
		got, err := l.Excepts(t.Context(), tc.req)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if diff := cmp.Diff(append([]manuals.ExceptLine{}, tc.items...), got.Items); diff != "" || got.Total != tc.total {
			t.Errorf("%s: total %d\n%s", name, got.Total, diff)
		}
		if diff := cmp.Diff(tc.next, got.NextOffset); diff != "" {
			t.Errorf("%s: next_offset\n%s", name, diff)
		}
		if tc.req.Path == "" && (len(got.Skipped) != 1 || got.Skipped[0].Path != "d.md") {
			t.Errorf("%s: skipped %v", name, got.Skipped)
		}
	}
}

func TestAListBelowAnExceptionIsPartOfIt(t *testing.T) {
	const rules = "# 免責事項\n\n次のいずれかに該当するときは補償しません。\n該当するかは当社が決めます。\n\n- 故意による損害\n- 地震\n  による損害\n\n1. 戦争\n\n請求は窓口へ。\n\n- 電話\n\n## 手続き\n\n- 書類\n"
	got, err := exceptsOf(t, map[string]string{"a.md": rules}).Excepts(t.Context(), manuals.ExceptsArgs{ManualID: "m", Limit: 50})
	want := []manuals.ExceptLine{
		{Path: "a.md", StartLine: 1, Line: 1, Snippet: "# 免責事項", Term: "免責事項"},
		{Path: "a.md", StartLine: 1, Line: 3, Snippet: "次のいずれかに該当するときは補償しません。", Term: "補償しません"},
		{Path: "a.md", StartLine: 1, Line: 6, Snippet: "- 故意による損害", Term: "補償しません"},
		{Path: "a.md", StartLine: 1, Line: 7, Snippet: "- 地震", Term: "補償しません"},
		{Path: "a.md", StartLine: 1, Line: 10, Snippet: "1. 戦争", Term: "補償しません"},
	}
	if diff := cmp.Diff(want, got.Items, cmpopts.IgnoreFields(manuals.ExceptLine{}, "Term")); diff != "" || err != nil || got.Total != 5 {
		t.Errorf("%v\n%s", err, diff)
	}
	if got.Items[4].Term != "補償しません" {
		t.Errorf("%+v", got.Items[4])
	}
}

func TestExceptsFaults(t *testing.T) {
	l := exceptsOf(t, map[string]string{"a.md": cover, "d.md": "broken \xff\x01\x02\n"})
	one, far := 1, 99
	for _, tc := range []struct {
		req       manuals.ExceptsArgs
		code      toolset.Code
		parameter string
	}{
		{manuals.ExceptsArgs{ManualID: "m", StartLine: &one}, toolset.InvalidParameter, "path"},
		{manuals.ExceptsArgs{ManualID: "m", Path: "a.md", StartLine: &far}, toolset.InvalidParameter, "start_line"},
		{manuals.ExceptsArgs{ManualID: "m", Path: "none.md"}, toolset.NotFound, "path"},
		{manuals.ExceptsArgs{ManualID: "m", Path: "../a.md"}, toolset.InvalidPath, "path"},
		{manuals.ExceptsArgs{ManualID: "m", Path: "d.md"}, toolset.NotAvailable, "path"},
		{manuals.ExceptsArgs{ManualID: "mm"}, toolset.NotFound, "manual_id"},
	} {
		_, err := l.Excepts(t.Context(), tc.req)
		wantFault(t, err, tc.code, tc.parameter)
	}
}

func TestLongLinesAreCutAroundTheWord(t *testing.T) {
	l := exceptsOf(t, map[string]string{"a.md": strings.Repeat("あ", 500) + "対象外" + strings.Repeat("か\u3099", 500) + "\n"})
	got, err := l.Excepts(t.Context(), manuals.ExceptsArgs{ManualID: "m", Limit: 1})
	if err != nil || len(got.Items) != 1 {
		t.Fatalf("%+v, %v", got, err)
	}
	if want := strings.Repeat("あ", 120) + "対象外" + strings.Repeat("か\u3099", 60); got.Items[0].Snippet != want {
		t.Errorf("snippet %q", got.Items[0].Snippet)
	}
}

func TestList(t *testing.T) {
	got, err := library(write(t, map[string]string{"b/x.md": "x", "a/x.md": "x"})).List(t.Context(), manuals.ListArgs{})
	if diff := cmp.Diff(&manuals.List{Items: []manuals.ListItem{{ManualID: "a"}, {ManualID: "b"}}}, got); err != nil || diff != "" {
		t.Error(err, diff)
	}
}
