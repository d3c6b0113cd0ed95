package manuals_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/sagasu-search/sagasu/framework/internal/manuals"
	"github.com/sagasu-search/sagasu/framework/internal/rootfs"
	"github.com/sagasu-search/sagasu/framework/internal/toolset"
)

// refs are those of lines of files of the manual "m".
func refs(at ...string) (out []manuals.Ref) {
	for _, a := range at {
		path, line, _ := strings.Cut(a, ":")
		n := 0
		fmt.Sscan(line, &n)
		out = append(out, *ref(path, n))
	}
	return out
}

// outcome tells what became of the refs of a reply.
func outcome(r *manuals.Reading) (out []string) {
	for _, item := range r.Items {
		switch {
		case item.Error != nil:
			out = append(out, fmt.Sprint(item.Index, " ", item.Error.Code, " of ", item.Error.Details["parameter"]))
		case item.ContainedIn != nil:
			out = append(out, fmt.Sprint(item.Index, " in ", *item.ContainedIn))
		default:
			out = append(out, fmt.Sprint(item.Index, " ", item.AppliedRange.StartLine, "-", item.AppliedRange.EndLine))
		}
	}
	return out
}

func TestReadRefs(t *testing.T) {
	dir := write(t, map[string]string{"m/g.md": guide, "m/j.json": "{}", "n/g.md": "# N\nn\n", "m/w.md": lines(1, 40, "# S")})
	l := library(dir)
	other := manuals.Ref{ManualID: "n", Path: "g.md"}
	for _, tt := range []struct {
		name  string
		refs  []manuals.Ref
		scope string
		want  []string
	}{
		{"of two manuals", append(refs("g.md:8"), other), "", []string{"0 8-9", "1 1-2"}},
		{"of two kinds", refs("g.md:6", "j.json"), "", []string{"0 6-7", "1 1-1"}},
		{"one that is gone", refs("gone.md:1", "g.md:10", "g.md:99"), "", []string{"0 not_found of refs[0].path", "1 10-11", "2 invalid_parameter of refs[2].start_line"}},
		{"of an unknown manual", append(refs("g.md:8"), manuals.Ref{ManualID: "x", Path: "g.md"}), "", []string{"0 8-9", "1 not_found of refs[1].manual_id"}},
		{"without sections", refs("g.md:8", "j.json"), "section", []string{"0 8-9", "1 invalid_scope of scope"}},
		{"the same twice", refs("g.md:8", "g.md:9"), "", []string{"0 8-9", "1 in 0"}},
		{"one inside another", refs("g.md:2", "g.md:6"), "", []string{"0 2-9", "1 in 0"}},
		{"one around another", refs("g.md:6", "g.md:10", "g.md:4"), "", []string{"0 4-7", "1 10-11", "2 in 0"}},
		{"one around two others", refs("g.md:4", "g.md:8", "g.md:2"), "", []string{"0 2-9", "1 in 0", "2 in 0"}},
		{"overlapping siblings", refs("w.md:1", "w.md:15"), "sections", []string{"0 1-34"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			r, err := l.Read(t.Context(), manuals.ReadArgs{Refs: tt.refs, Scope: tt.scope})
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tt.want, outcome(r)); diff != "" {
				t.Error(diff)
			}
			for _, item := range r.Items {
				m := string(item.ManualID)
				src, err := os.ReadFile(filepath.Join(dir, m, item.Path))
				if item.Text != "" && (err != nil || !strings.Contains(string(src), item.Text)) {
					t.Errorf("%+v, %v", item, err)
				}
			}
		})
	}
}

func TestReadRefsRefuses(t *testing.T) {
	l := one(t, map[string]string{"g.md": guide, "long.md": strings.Repeat("長い行の文。\n", 400)})
	at := func(index, chars int) *manuals.ReadCursor {
		return &manuals.ReadCursor{Index: index, CharOffset: &chars}
	}
	for _, tt := range []struct {
		name  string
		args  manuals.ReadArgs
		code  toolset.Code
		param string
	}{
		{"neither", manuals.ReadArgs{}, toolset.InvalidParameter, "ref"},
		{"both", manuals.ReadArgs{Ref: ref("g.md", 1), Refs: refs("g.md")}, toolset.InvalidParameter, "refs"},
		{"none", manuals.ReadArgs{Refs: []manuals.Ref{}}, toolset.InvalidParameter, "refs"},
		{"too many", manuals.ReadArgs{Refs: make([]manuals.Ref, 21)}, toolset.InvalidParameter, "refs"},
		{"one that is malformed", manuals.ReadArgs{Refs: refs("g.md", "../x")}, toolset.InvalidPath, "refs[1].path"},
		{"all gone", manuals.ReadArgs{Refs: refs("a.md", "b.md")}, toolset.NotFound, "refs[0].path"},
		{"a cursor behind the refs", manuals.ReadArgs{Refs: refs("g.md"), Cursor: at(1, 0)}, toolset.InvalidParameter, "cursor.index"},
		{"a cursor into a contained one", manuals.ReadArgs{Refs: refs("g.md", "g.md"), Cursor: at(1, 0)}, toolset.InvalidParameter, "cursor.char_offset"},
		{"an index beside ref", manuals.ReadArgs{Ref: ref("g.md", 1), Cursor: at(1, 0)}, toolset.InvalidParameter, "cursor.index"},
		{"a cursor before the ref", manuals.ReadArgs{Ref: ref("g.md", 4), Cursor: at(0, 2)}, toolset.InvalidParameter, "cursor.char_offset"},
		{"a cursor behind the file", manuals.ReadArgs{Ref: ref("g.md", 4), Cursor: at(0, 999)}, toolset.InvalidParameter, "cursor.char_offset"},
		{"expand of a section", manuals.ReadArgs{Ref: ref("g.md", 1), Expand: manuals.Expand{AfterChars: 1}}, toolset.InvalidParameter, "expand"},
		{"too many characters", manuals.ReadArgs{Ref: ref("g.md", 1), MaxChars: 12001}, toolset.InvalidParameter, "max_chars"},
		{"too few tokens", manuals.ReadArgs{Ref: ref("g.md", 1), MaxTokens: 99}, toolset.InvalidParameter, "max_tokens"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			_, err := checked(t.Context(), l.Read, tt.args)
			wantFault(t, err, tt.code, tt.param)
		})
	}
	_, err := checked(t.Context(), l.Read, manuals.ReadArgs{Refs: refs("a.md", "b.md")})
	if items, _ := toolset.AsError(err).Details["items"].([]manuals.ReadItem); len(items) != 2 || items[1].Error == nil {
		t.Errorf("the error does not say what became of all refs: %v", items)
	}
}

// A bound that one row exceeds names the least that works.
func TestReadNamesTheLeastTokens(t *testing.T) {
	deep := strings.Repeat("とても深いフォルダー/", 12) + "a.md"
	l := one(t, map[string]string{deep: "# A\n" + strings.Repeat("約款の条文。\n", 100), "g.md": guide})
	args := manuals.ReadArgs{Refs: refs(deep, "g.md"), MaxTokens: 100}
	_, err := checked(t.Context(), l.Read, args)
	bad := wantFault(t, err, toolset.InvalidParameter, "max_tokens")
	least, ok := bad.Details["nearest"].(int)
	if !ok || !strings.Contains(bad.Message, fmt.Sprint(least)) {
		t.Fatalf("%v", bad)
	}
	args.MaxTokens = least
	if r, err := checked(t.Context(), l.Read, args); err != nil || cost(t, r) > least {
		t.Errorf("%d tokens do not work: %v", least, err)
	}
	args.MaxTokens--
	_, err = checked(t.Context(), l.Read, args)
	wantFault(t, err, toolset.InvalidParameter, "max_tokens")
}

func cost(t interface{ Fatal(...any) }, r *manuals.Reading) int {
	data, err := json.Marshal(r)
	if err != nil {
		t.Fatal(err)
	}
	return toolset.EstimateTokens(string(data))
}

// What max_tokens cuts ends with a line where a line fits.
func TestReadCutsBehindALine(t *testing.T) {
	l := one(t, map[string]string{"a.md": "# A\n" + strings.Repeat("words of a line\n", 400)})
	r, err := l.Read(t.Context(), manuals.ReadArgs{Ref: ref("a.md", 1), MaxTokens: 300})
	if err != nil || !strings.HasSuffix(r.Text, "\n") || cost(t, r) > 300 || cost(t, r) < 270 {
		t.Errorf("%d tokens, %q, %v", cost(t, r), r.Text, err)
	}
}

func TestReadLineNumbers(t *testing.T) {
	l := one(t, map[string]string{"g.md": guide})
	r, err := l.Read(t.Context(), manuals.ReadArgs{Ref: ref("g.md", 4), LineNumbers: true})
	if want := "4: ## B\n5: b\n6: ### C\n7: c\n"; err != nil || r.Text != want {
		t.Errorf("%q, %v", r.Text, err)
	}
}

// The log of a call names its files and not their text.
func TestReadCounters(t *testing.T) {
	l := one(t, map[string]string{"g.md": guide, "j.json": "{}"})
	for _, tt := range []struct {
		args manuals.ReadArgs
		want []any
	}{
		{manuals.ReadArgs{Ref: ref("g.md", 8)}, []any{"chars", 7, "truncated", false, "path", "g.md"}},
		{manuals.ReadArgs{Refs: refs("g.md:8", "j.json", "gone.md")}, []any{"chars", 9, "truncated", false, "paths", []string{"g.md", "j.json", "gone.md"}}},
	} {
		r, err := l.Read(t.Context(), tt.args)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(tt.want, r.Counters()); diff != "" {
			t.Error(diff)
		}
	}
}

// Whatever the bounds, the texts of all replies are the text, once.
func TestReadingOnLosesNothing(t *testing.T) {
	dir := write(t, map[string]string{"m/a.md": ""})
	l := library(dir)
	word := rapid.SampledFrom([]string{"約款", "words", " ", "。", "\n", "\r\n", "\r", "# 見出し\n", "\n## b\n", "か\u3099", "e\u0301", "👩‍👧", "\"", "<", "12"})
	rapid.Check(t, func(t *rapid.T) {
		files := []string{"a.md", "b.md"}
		for _, name := range files {
			src := strings.Join(rapid.SliceOfN(word, 0, 300).Draw(t, name), "")
			if err := os.WriteFile(filepath.Join(dir, "m", name), []byte(src), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		args := manuals.ReadArgs{
			MaxChars: rapid.IntRange(1, 400).Draw(t, "max_chars"), LineNumbers: rapid.Bool().Draw(t, "line_numbers"),
			Scope: rapid.SampledFrom([]string{"", "section", "sections", "snippet"}).Draw(t, "scope"),
		}
		for range rapid.IntRange(1, 4).Draw(t, "refs") {
			args.Refs = append(args.Refs, manuals.Ref{ManualID: "m", Path: rootfs.Path(rapid.SampledFrom(files).Draw(t, "path")),
				StartLine: new(rapid.IntRange(1, 3).Draw(t, "line"))})
		}
		if len(args.Refs) == 1 && args.Scope != "snippet" && rapid.Bool().Draw(t, "alone") {
			args.Ref, args.Refs = &args.Refs[0], nil
		}
		whole := args
		whole.MaxChars = 12000
		want, err := texts(t, l, whole)
		if err != nil {
			return // no such line
		}
		if rapid.Bool().Draw(t, "bounded") {
			args.MaxTokens = rapid.IntRange(180, 600).Draw(t, "max_tokens")
		}
		got, err := texts(t, l, args)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Error(diff)
		}
	})
}

// texts reads to the end and returns the text of each ref.
func texts(t *rapid.T, l *manuals.Library, args manuals.ReadArgs) (map[int]string, error) {
	out := map[int]string{}
	for n := 0; ; n++ {
		r, err := l.Read(t.Context(), args)
		if err != nil {
			return out, err
		}
		if args.MaxTokens > 0 && cost(t, r) > args.MaxTokens {
			t.Fatalf("%d tokens, more than %d", cost(t, r), args.MaxTokens)
		}
		chars := utf8.RuneCountInString(r.Text)
		out[0] += r.Text
		for _, item := range r.Items {
			out[item.Index] += item.Text
			chars += utf8.RuneCountInString(item.Text)
		}
		most := args.MaxChars
		if args.LineNumbers {
			most = max(most, len("300: ")+1) // a character is always shown
		}
		if chars > most {
			t.Fatalf("%d characters, more than %d", chars, args.MaxChars)
		}
		if args.Cursor = r.NextCursor; args.Cursor == nil {
			return out, nil
		}
		if n > 2000 {
			t.Fatalf("reading does not end: %+v", r)
		}
	}
}

func TestSnippetsKeepWordsAndStayInTheirSection(t *testing.T) {
	english := strings.Repeat("configuration of replicated volumes, isn't it? ", 20)
	japanese := strings.Repeat("保険金をお支払いしない場合があります。", 40)
	l := one(t, map[string]string{
		"en.md": "# Before\nx\n# E\n" + english + "\nline\n" + english + "\n# After\n",
		"ja.md": "# Before\nx\n# E\n" + japanese + "\nline\n" + japanese + "\n# After\n",
		"s.md":  "# Before\nx\n# E\nshort\n## Inside\ny\n# After\nz\n",
	})
	for _, tt := range []struct {
		path          string
		line          int
		before, chars int
		begins, ends  []string
	}{
		{"en.md", 5, 0, 0, []string{"configuration", "of", "replicated", "volumes", "isn", "it", " "}, []string{"configuration", "of", "replicated", "volumes", ",", "isn't", "it?", " "}},
		{"en.md", 5, 77, 300, []string{"configuration", "of", "replicated", "volumes", "isn", "it", " "}, []string{"configuration", "of", "replicated", "volumes", ",", "isn't", "it?", " "}},
		{"ja.md", 5, 0, 0, []string{"保険金"}, []string{"。"}},
		{"ja.md", 5, 33, 200, []string{"保険金"}, []string{"。"}},
		{"s.md", 4, 500, 0, []string{"# E\n"}, []string{"y\n"}},
		{"s.md", 6, 500, 0, []string{"## Inside\n"}, []string{"y\n"}},
	} {
		r, err := l.Read(t.Context(), manuals.ReadArgs{Ref: ref(tt.path, tt.line), Scope: "snippet", MaxChars: tt.chars,
			Expand: manuals.Expand{BeforeChars: tt.before, AfterChars: tt.before}})
		if err != nil {
			t.Fatal(err)
		}
		if !has(strings.HasPrefix, r.Text, tt.begins) || !has(strings.HasSuffix, r.Text, tt.ends) || strings.Contains(r.Text, "# After") {
			t.Errorf("%s:%d: %q", tt.path, tt.line, r.Text)
		}
		if tt.path != "s.md" && !strings.Contains(r.Text, "line") || tt.chars > 0 && utf8.RuneCountInString(r.Text) > tt.chars {
			t.Errorf("%s:%d: %q", tt.path, tt.line, r.Text)
		}
	}
}

func has(part func(s, part string) bool, text string, parts []string) bool {
	for _, p := range parts {
		if part(text, p) {
			return true
		}
	}
	return false
}

// A cursor goes on from the 20 sections of a reply to those that follow.
func TestSectionsGoOn(t *testing.T) {
	l, args, got := one(t, map[string]string{"a.md": "# A\n" + lines(1, 50, "## S") + "# Z\n"}), manuals.ReadArgs{Ref: ref("a.md", 2), Scope: "sections", MaxChars: 33}, ""
	for {
		r, err := l.Read(t.Context(), args)
		if err != nil || r.Applied.Mode != "read" {
			t.Fatalf("%+v, %v", r, err)
		}
		got += r.Text
		if args.Cursor = r.NextCursor; args.Cursor == nil {
			break
		}
	}
	if diff := cmp.Diff(lines(1, 50, "## S"), got); diff != "" {
		t.Error(diff)
	}
}

// A cursor without a place, as if from behind the end, does not begin anew.
func TestCursorOfNulls(t *testing.T) {
	_, err := one(t, map[string]string{"g.md": guide}).Read(t.Context(), manuals.ReadArgs{Ref: ref("g.md", 8), Cursor: &manuals.ReadCursor{}})
	if bad := toolset.AsError(err); bad == nil || bad.Code != toolset.InvalidParameter || bad.Details["parameter"] != "cursor.char_offset" {
		t.Errorf("%v", err)
	}
}

// A cursor behind the section reads on to the end of the file.
func TestCursorBehindASection(t *testing.T) {
	l := one(t, map[string]string{"g.md": guide})
	r, err := l.Read(t.Context(), manuals.ReadArgs{Ref: ref("g.md", 8), Cursor: &manuals.ReadCursor{CharOffset: new(len(guide) - 6)}})
	if err != nil || r.Text != "# E\ne\n" || r.Applied.Mode != "scan_fallback" || r.EOF == nil || !*r.EOF || r.NextCursor != nil {
		t.Errorf("%+v, %v", r, err)
	}
}
