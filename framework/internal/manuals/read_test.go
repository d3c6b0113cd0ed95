package manuals_test

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"github.com/sagasu-search/sagasu/framework/internal/corpus"
	"github.com/sagasu-search/sagasu/framework/internal/manuals"
	"github.com/sagasu-search/sagasu/framework/internal/rootfs"
	"github.com/sagasu-search/sagasu/framework/internal/toolset"
)

const guide = "intro\n# A\na\n## B\nb\n### C\nc\n## D\nd\n# E\ne\n"

func ref(path string, line int) *manuals.Ref {
	r := &manuals.Ref{ManualID: "m", Path: rootfs.Path(path)}
	if line > 0 {
		r.StartLine = &line
	}
	return r
}

func TestReadSections(t *testing.T) {
	l := one(t, map[string]string{"g.md": guide, "fm.md": "---\ntitle: x\n---\n# A\na\n"})
	tests := []struct {
		name  string
		path  string
		line  int
		scope string
		want  string
		lines toolset.Range
	}{
		{"first by default", "g.md", 0, "", "intro\n", toolset.Range{StartLine: 1, EndLine: 1}},
		{"with descendants", "g.md", 2, "", "# A\na\n## B\nb\n### C\nc\n## D\nd\n", toolset.Range{StartLine: 2, EndLine: 9}},
		{"a line inside", "g.md", 5, "section", "## B\nb\n### C\nc\n", toolset.Range{StartLine: 4, EndLine: 7}},
		{"a child", "g.md", 7, "section", "### C\nc\n", toolset.Range{StartLine: 6, EndLine: 7}},
		{"siblings", "g.md", 4, "sections", "## B\nb\n### C\nc\n## D\nd\n", toolset.Range{StartLine: 4, EndLine: 9}},
		{"top siblings", "g.md", 2, "sections", guide[len("intro\n"):], toolset.Range{StartLine: 2, EndLine: 11}},
		{"a line in front matter", "fm.md", 2, "", "# A\na\n", toolset.Range{StartLine: 4, EndLine: 5}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, err := l.Read(t.Context(), manuals.ReadArgs{Ref: ref(tt.path, tt.line), Scope: tt.scope})
			if err != nil {
				t.Fatal(err)
			}
			scope := tt.scope
			if scope == "" {
				scope = "section"
			}
			want := &manuals.Reading{Text: tt.want, AppliedRange: tt.lines, Path: tt.path,
				Applied: manuals.Applied{Scope: scope, MaxSections: new(20), MaxChars: 12000, Mode: "read"}}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// A ref from before an edit of its file leads to the section that it tells the title of.
func TestReadFollowsATitle(t *testing.T) {
	l := one(t, map[string]string{"g.md": guide, "j.json": "{}"})
	for _, tt := range []struct {
		name  string
		line  int
		title string
		scope string
		want  string
	}{
		{"in place", 4, "B", "", "## B\nb\n### C\nc\n"},
		{"moved", 2, "D", "", "## D\nd\n"},
		{"behind the end", 99, "D", "", "## D\nd\n"},
		{"without a line", 0, "E", "", "# E\ne\n"},
		{"of the section around", 7, "B", "", "## B\nb\n### C\nc\n"},
		{"with siblings", 2, "B", "sections", "## B\nb\n### C\nc\n## D\nd\n"},
	} {
		r := ref("g.md", tt.line)
		r.Title = tt.title
		got, err := l.Read(t.Context(), manuals.ReadArgs{Ref: r, Scope: tt.scope})
		if err != nil || got.Text != tt.want {
			t.Errorf("%s: %+v, %v", tt.name, got, err)
		}
	}
	gone := ref("g.md", 4)
	gone.Title = "Z"
	for _, scope := range []string{"", "snippet"} {
		_, err := l.Read(t.Context(), manuals.ReadArgs{Ref: gone, Scope: scope})
		bad := wantFault(t, err, toolset.Conflict, "ref.title")
		example := bad.Details["example"].(map[string]any)
		if _, err := l.Toc(t.Context(), manuals.TocArgs{ManualID: corpus.ManualID(example["manual_id"].(string)), PathPrefix: rootfs.Prefix(example["path_prefix"].(string))}); err != nil {
			t.Errorf("the example %v: %v", example, err)
		}
	}
	odd := ref("j.json", 1)
	odd.Title = "Z"
	if got, err := l.Read(t.Context(), manuals.ReadArgs{Ref: odd}); err != nil || got.Text != "{}" {
		t.Errorf("JSON is one node, whatever its title: %+v, %v", got, err)
	}
}

func TestSnippetsFollowATitle(t *testing.T) {
	far := strings.Repeat("x\n", 300)
	l := one(t, map[string]string{"a.md": "# A\n" + far + "# B\nb\n" + far + "# C\n"})
	for line, want := range map[int]string{ // moved, and a line of it
		1:   "# B\nb\n" + strings.Repeat("x\n", 119)[:237],
		303: "# B\nb\n" + strings.Repeat("x\n", 120)[:239],
	} {
		r := ref("a.md", line)
		r.Title = "B"
		got, err := l.Read(t.Context(), manuals.ReadArgs{Ref: r, Scope: "snippet"})
		if diff := cmp.Diff(want, got.Text); err != nil || diff != "" {
			t.Errorf("line %d: %v %s", line, err, diff)
		}
	}
}

func TestReadLimits(t *testing.T) {
	l := one(t, map[string]string{
		"long.md":   "# A\n" + strings.Repeat("約款\n", 5000) + "# B\n",
		"many.md":   lines(1, 30, "# S"),
		"long.json": strings.Repeat(" ", 13000),
	})
	long, err := l.Read(t.Context(), manuals.ReadArgs{Ref: ref("long.md", 1)})
	if err != nil || utf8.RuneCountInString(long.Text) != 12000 || !long.Truncated || *long.NextCursor.CharOffset != 12000 || long.EOF != nil {
		t.Errorf("a long section: %d characters, %+v, %v", utf8.RuneCountInString(long.Text), long.NextCursor, err)
	}
	many, err := l.Read(t.Context(), manuals.ReadArgs{Ref: ref("many.md", 3), Scope: "sections"})
	if err != nil || many.Text != lines(3, 22, "# S") || !many.Truncated || *many.NextCursor.CharOffset != 22*4 {
		t.Errorf("many sections: %q %+v, %v", many.Text, many, err)
	}
	json, err := l.Read(t.Context(), manuals.ReadArgs{Ref: ref("long.json", 0)})
	if err != nil || len(json.Text) != 12000 || !json.Truncated || json.Applied.Scope != "file" || json.Applied.MaxSections != nil {
		t.Errorf("a long JSON file: %+v, %v", json.Applied, err)
	}
}

func TestReadFile(t *testing.T) {
	dir := write(t, map[string]string{"m/g.md": guide, "m/j.json": "{}"})
	open := library(dir, func(o *manuals.Options) { o.AllowFileScope = true })
	got, err := open.Read(t.Context(), manuals.ReadArgs{Ref: ref("g.md", 0), Scope: "file", AllowFile: true})
	if err != nil || got.Text != guide || got.Truncated || got.Applied.Scope != "file" {
		t.Errorf("%+v, %v", got, err)
	}
	_, err = open.Read(t.Context(), manuals.ReadArgs{Ref: ref("g.md", 0), Scope: "file"})
	wantFault(t, err, toolset.Forbidden, "allow_file")
	_, err = library(dir).Read(t.Context(), manuals.ReadArgs{Ref: ref("g.md", 0), Scope: "file", AllowFile: true})
	wantFault(t, err, toolset.Forbidden, "scope")
	for _, scope := range []string{"", "file"} {
		if got, err := library(dir).Read(t.Context(), manuals.ReadArgs{Ref: ref("j.json", 0), Scope: scope}); err != nil || got.Text != "{}" {
			t.Errorf("JSON with scope %q: %+v, %v", scope, got, err)
		}
	}
}

func TestReadRefuses(t *testing.T) {
	l := one(t, map[string]string{"g.md": guide, "j.json": "{}"})
	tests := []struct {
		name  string
		req   manuals.ReadArgs
		code  toolset.Code
		param string
	}{
		{"section of JSON", manuals.ReadArgs{Ref: ref("j.json", 0), Scope: "section"}, toolset.InvalidScope, "scope"},
		{"sections of JSON", manuals.ReadArgs{Ref: ref("j.json", 0), Scope: "sections"}, toolset.InvalidScope, "scope"},
		{"unknown scope", manuals.ReadArgs{Ref: ref("g.md", 0), Scope: "page"}, toolset.InvalidParameter, "scope"},
		{"line behind the end", manuals.ReadArgs{Ref: ref("g.md", 12)}, toolset.InvalidParameter, "ref.start_line"},
		{"line of JSON", manuals.ReadArgs{Ref: ref("j.json", 2)}, toolset.InvalidParameter, "ref.start_line"},
		{"negative before", manuals.ReadArgs{Ref: ref("g.md", 1), Expand: manuals.Expand{BeforeChars: -1}}, toolset.InvalidParameter, "expand.before_chars"},
		{"negative after", manuals.ReadArgs{Ref: ref("g.md", 1), Expand: manuals.Expand{AfterChars: -1}}, toolset.InvalidParameter, "expand.after_chars"},
		{"unknown file", manuals.ReadArgs{Ref: ref("h.md", 1)}, toolset.NotFound, "ref.path"},
		{"unknown manual", manuals.ReadArgs{Ref: &manuals.Ref{ManualID: "n", Path: "g.md"}}, toolset.NotFound, "ref.manual_id"},
		{"no manual", manuals.ReadArgs{Ref: &manuals.Ref{Path: "g.md"}}, toolset.InvalidPath, "ref.manual_id"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, err := checked(t.Context(), l.Read, tt.req)
			wantFault(t, err, tt.code, tt.param)
		})
	}
}

func TestReadSnippet(t *testing.T) {
	wide := strings.Repeat("前", 300) + "\nline\n" + strings.Repeat("後", 300)
	l := one(t, map[string]string{"w.md": wide, "long.md": strings.Repeat("x", 20000), "j.json": `{"a": "` + strings.Repeat("x", 1000) + `", "b": 1}`})
	front, back := strings.Repeat("前", 239), strings.Repeat("後", 239)
	tests := []struct {
		name          string
		ref           *manuals.Ref
		before, after int
		want          string
	}{
		{"240 each side", ref("w.md", 2), 0, 0, front + "\nline\n" + back},
		{"widened", ref("w.md", 2), 2, 1, front + "前前\nline\n" + back + "後"},
		{"all", ref("w.md", 2), 9999, 9999, wide},
		{"JSON value", &manuals.Ref{ManualID: "m", Path: "j.json", JSONPath: new("/b")}, 0, 0, strings.Repeat("x", 237) + `", "b": 1}`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, err := l.Read(t.Context(), manuals.ReadArgs{Ref: tt.ref, Scope: "snippet", Expand: manuals.Expand{BeforeChars: tt.before, AfterChars: tt.after}})
			if err != nil || got.Truncated || got.Applied.MaxSections != nil {
				t.Fatalf("%+v, %v", got, err)
			}
			if diff := cmp.Diff(tt.want, got.Text); diff != "" {
				t.Error(diff)
			}
		})
	}
	got, err := l.Read(t.Context(), manuals.ReadArgs{Ref: ref("long.md", 1), Scope: "snippet"})
	if err != nil || len(got.Text) != 12000 || !got.Truncated {
		t.Errorf("a long line: %d, %v", len(got.Text), err)
	}
}

func TestReadFollowsAJSONPointer(t *testing.T) {
	l := one(t, map[string]string{"j.json": "{\"a\": [1, {\"b\": \"x\"}],\n \"long\": \"" + strings.Repeat("y", 20000) + "\"}\n", "g.md": guide, "broken.json": `{"a": [1, }`})
	read := func(path, pointer, scope string) (*manuals.Reading, error) {
		return l.Read(t.Context(), manuals.ReadArgs{Ref: &manuals.Ref{ManualID: "m", Path: rootfs.Path(path), JSONPath: &pointer}, Scope: scope})
	}
	for pointer, want := range map[string]string{"/a/1": `{"b": "x"}`, "/a/1/b": `"x"`} {
		for _, scope := range []string{"", "file"} {
			if got, err := read("j.json", pointer, scope); err != nil || got.Text != want || got.Truncated || got.NextCursor != nil || got.AppliedRange.EndLine != 1 {
				t.Errorf("%s %q: %+v, %v", pointer, scope, got, err)
			}
		}
	}
	if got, err := read("j.json", "/long", ""); err != nil || !strings.HasPrefix(got.Text, `"yyy`) || !got.Truncated || got.AppliedRange.StartLine != 2 || got.NextCursor == nil {
		t.Errorf("a long value: %+v, %v", got, err)
	}
	if got, err := read("g.md", "", ""); err != nil || got.Text != "intro\n" {
		t.Errorf("a pointer to all: %+v, %v", got, err)
	}
	for _, c := range []struct {
		path, pointer, scope string
		code                 toolset.Code
	}{
		{"j.json", "/nope", "snippet", toolset.NotFound}, {"j.json", "/nope", "", toolset.NotFound}, {"broken.json", "/a", "", toolset.NotFound},
		{"j.json", "a/1", "", toolset.InvalidParameter}, {"g.md", "/a", "", toolset.InvalidParameter},
	} {
		_, err := read(c.path, c.pointer, c.scope)
		wantFault(t, err, c.code, "ref.json_path")
	}
	_, err := read("j.json", "/a/1/c", "")
	if near := toolset.AsError(err).Details["did_you_mean"]; !cmp.Equal(near, []string{"/a/1/b"}) {
		t.Errorf("did you mean %v", near)
	}
}

// A JSON file is one node, whatever line of it a ref names: of one longer than a reply, that line is shown.
func TestReadOfJSONShowsItsLine(t *testing.T) {
	long := "{\n" + strings.Repeat("\"a\": [1, 2, 3],\n", 2000) + "\"b\": 4,\n" + strings.Repeat("\"c\": [5, 6, 7],\n", 2000) + "\"d\": 8\n}\n"
	l := one(t, map[string]string{"long.json": long, "short.json": "{\n\"a\": 1,\n\"b\": 2\n}\n", "broken.json": long + "}"})
	for _, tc := range []struct {
		path        string
		line        int
		first, last int
	}{
		{"long.json", 2002, 1627, 2377}, {"long.json", 5, 1, 751}, {"long.json", 4004, 3253, 4004}, {"broken.json", 2002, 1627, 2377}, {"short.json", 3, 1, 4},
	} {
		got, err := l.Read(t.Context(), manuals.ReadArgs{Ref: ref(tc.path, tc.line)})
		if err != nil {
			t.Fatal(err)
		}
		if want := (toolset.Range{StartLine: tc.first, EndLine: tc.last}); got.AppliedRange != want || got.Truncated != (tc.path != "short.json") {
			t.Errorf("%s, line %d: %+v, truncated %t", tc.path, tc.line, got.AppliedRange, got.Truncated)
		}
		if got.NextCursor == nil {
			continue
		}
		next, err := l.Read(t.Context(), manuals.ReadArgs{Ref: ref(tc.path, tc.line), Cursor: got.NextCursor})
		if err != nil || !strings.Contains(long, got.Text+next.Text[:100]) {
			t.Errorf("%s, line %d does not go on at %+v, %v", tc.path, tc.line, got.NextCursor, err)
		}
	}
	few, err := l.Read(t.Context(), manuals.ReadArgs{Ref: ref("long.json", 2002), MaxTokens: 200, LineNumbers: true})
	if err != nil || !strings.Contains(few.Text, "\"b\": 4") {
		t.Errorf("of few tokens: %+v, %v", few, err)
	}
}

func TestSnippetCutFromBothSidesKeepsItsLine(t *testing.T) {
	l := one(t, map[string]string{"a.md": strings.Repeat("a", 20000) + "\nmiddle\n" + strings.Repeat("b", 20000)})
	got, err := l.Read(t.Context(), manuals.ReadArgs{Ref: ref("a.md", 2), Scope: "snippet", Expand: manuals.Expand{BeforeChars: 30000, AfterChars: 30000}})
	if err != nil || len(got.Text) != 12000 || !got.Truncated || strings.Index(got.Text, "middle") != 5997 {
		t.Errorf("middle at %d of %d, %v", strings.Index(got.Text, "middle"), len(got.Text), err)
	}
}

func TestSnippetKeepsSequencesWhole(t *testing.T) {
	src := strings.Repeat("か\u3099", 400) + "x\nline\n" + strings.Repeat("e\u0301", 400)
	l := one(t, map[string]string{"a.md": src})
	got, err := l.Read(t.Context(), manuals.ReadArgs{Ref: ref("a.md", 2), Scope: "snippet"})
	if err != nil || strings.HasPrefix(got.Text, "\u3099") || strings.HasSuffix(got.Text, "e") || !strings.Contains(src, got.Text) {
		t.Errorf("%q, %v", got.Text, err)
	}
}
