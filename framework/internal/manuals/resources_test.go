package manuals

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/sagasu-search/sagasu/framework/internal/corpus"
	"github.com/sagasu-search/sagasu/framework/internal/toolset"
)

// libraryOf serves the manuals below a folder.
func libraryOf(dir string, whole bool) *Library {
	return New(Options{AllowFileScope: whole, Manuals: func(context.Context) ([]corpus.Manual, error) { return corpus.Manuals(dir, nil) }})
}

const twoParts = "# 設置\n\n机に置く。\n\n## 電源\n\n100 V。\n\n# 保証\n\n一年。\n"

func TestReadResource(t *testing.T) {
	dir := WriteFiles(t, map[string]string{
		"m/a.md": twoParts, "m/b c.json": `{"items": [{"name": "x"}, 2]}`, "m/.hidden/a.md": "# no\n", "m/a.png": "no",
		"m/long.md": "# L\n" + strings.Repeat("一二三四五六七八九\n", 2000), "m/nul.md": "a\x00b", "outside.md": "# secret\n",
	})
	for link, to := range map[string]string{"link.md": "../outside.md", "inside.md": "a.md"} {
		if err := os.Symlink(to, filepath.Join(dir, "m", link)); err != nil {
			t.Fatal(err)
		}
	}
	for _, k := range []struct {
		path, section string
		whole         bool
		text          string // or the code of a failure
		rest          string
	}{
		{"m/a.md", "", false, "# 設置\n\n机に置く。\n\n## 電源\n\n100 V。\n\n", `{"cursor":{"char_offset":28},"manual_id":"m","path":"a.md"}`},
		{"m/a.md", "", true, twoParts, ""},
		{"m/a.md", "L6", false, "## 電源\n\n100 V。\n\n", ""},
		{"m/a.md", "保証", false, "# 保証\n\n一年。\n", ""},
		{"m/b c.json", "", false, `{"items": [{"name": "x"}, 2]}`, ""},
		{"m/b c.json", "/items/0", false, `{"name": "x"}`, ""},
		{"m/a.md", "L99", false, "invalid_parameter", ""},
		{"m/a.md", "料金", false, "conflict", ""},
		{"m/b c.json", "items", false, "invalid_parameter", ""},
		{"m/b c.json", "/none", false, "not_found", ""},
		{"m/none.md", "", false, "not_found", ""},
		{"n/a.md", "", false, "not_found", ""},
		{"m", "", false, "invalid_path", ""},
		{"m/../outside.md", "", false, "invalid_path", ""},
		{"../outside.md", "", false, "invalid_path", ""},
		{"m//etc/passwd", "", false, "invalid_path", ""},
		{"m/link.md", "", false, "forbidden", ""},
		{"m/inside.md", "", false, "forbidden", ""},
		{"m/.hidden/a.md", "", false, "out_of_scope", ""},
		{"m/a.png", "", false, "out_of_scope", ""},
		{"m/nul.md", "", false, "not_available", ""},
	} {
		got, err := libraryOf(dir, k.whole).resources().Read(t.Context(), toolset.Address{Path: k.path, Section: k.section})
		text, rest := "", ""
		if err != nil {
			bad := toolset.AsError(err)
			if text = string(bad.Code); strings.Contains(bad.Message, "ref.") || strings.Contains(bad.Message, dir) {
				t.Errorf("%s#%s: %s", k.path, k.section, bad.Message)
			}
		} else if text = got.Text; got.Rest != nil {
			raw, _ := json.Marshal(got.Rest.Params)
			rest = string(raw)
		}
		if text != k.text || rest != k.rest {
			t.Errorf("%s#%s, whole files %t: %q, rest %s", k.path, k.section, k.whole, text, rest)
		}
	}
	long, err := libraryOf(dir, false).resources().Read(t.Context(), toolset.Address{Path: "m/long.md"})
	if err != nil || len([]rune(long.Text)) > maxChars || long.Rest == nil || long.Lines.StartLine != 1 || long.TotalLines != 2001 {
		t.Errorf("long: lines %v of %d, %v", long.Lines, long.TotalLines, err)
	}
}

// What Rest says goes on where the text ends.
func TestTheRestOfAResourceIsACall(t *testing.T) {
	text := "# L\n" + strings.Repeat("一二三四五六七八九\n", 2000)
	l := libraryOf(WriteFiles(t, map[string]string{"m/long.md": text}), false)
	got, err := l.resources().Read(t.Context(), toolset.Address{Path: "m/long.md"})
	if err != nil {
		t.Fatal(err)
	}
	raw, err := json.Marshal(got.Rest.Params)
	if err != nil {
		t.Fatal(err)
	}
	answer, _, failed := l.scanTool().Call(t.Context(), raw)
	if failed != nil || got.Rest.Type != l.scanTool().Name || got.Text+answer.(*Scan).Text != text[:len(got.Text)+len(answer.(*Scan).Text)] {
		t.Errorf("%s: %v", raw, failed)
	}
}

func TestListResources(t *testing.T) {
	files := map[string]string{"b/0.json": "{}", "c/z.md": "# z\n", "b/.hidden/h.md": "# h\n"}
	for i := range 25 {
		files[fmt.Sprintf("a/d%02d/f.md", i)] = "# f\n"
	}
	r := libraryOf(WriteFiles(t, files), false).resources()
	var all []string
	for after, pages := "", 0; ; pages++ {
		rows, err := r.List(t.Context(), after, 10)
		if err != nil || pages > 3 {
			t.Fatal(pages, err)
		}
		for _, row := range rows {
			all = append(all, row.Path)
		}
		if len(rows) < 10 {
			break
		}
		after = rows[9].Path
	}
	if len(all) != 27 || all[0] != "a/d00/f.md" || all[24] != "a/d24/f.md" || all[25] != "b/0.json" || all[26] != "c/z.md" {
		t.Errorf("%v", all)
	}
	rows, err := r.List(t.Context(), "a/d24/f.md", 1)
	want := []toolset.Resource{{Path: "b/0.json", MIMEType: "application/json", Size: 2}}
	if diff := cmp.Diff(want, rows); diff != "" || err != nil {
		t.Errorf("%v (-want +got):\n%s", err, diff)
	}
}

func TestCompletionsOfManuals(t *testing.T) {
	l := libraryOf(WriteFiles(t, map[string]string{
		"m/a.md": twoParts, "m/b.json": "{}", "n/twice.md": "# 保証\n\n## 期間\n\n## 期間\n",
	}), false)
	arguments := map[string]toolset.Variable{}
	for _, a := range l.resources().Variables {
		arguments[a.Name] = a
	}
	for _, p := range l.prompts() {
		for _, a := range p.Arguments {
			if a.Values != nil {
				arguments[p.Name+"."+a.Name] = a
			}
		}
	}
	m, n := map[string]string{"manual_id": "m", "path": "a.md"}, map[string]string{"manual_id": "n", "path": "twice.md"}
	for _, k := range []struct {
		argument string
		given    map[string]string
		want     []string
	}{
		{"manual_id", nil, []string{"m", "n"}},
		{"path", m, []string{"a.md", "b.json"}},
		{"path", nil, nil},
		{"section", m, []string{"保証", "設置", "電源"}},
		{"section", n, []string{"保証", "期間"}},
		{"section", map[string]string{"manual_id": "m", "path": "b.json"}, nil},
		{"section", map[string]string{"manual_id": "m", "path": "../n/twice.md"}, nil},
		{"cited_answer_ja.manual_id", nil, []string{"m", "n"}},
		{"compare_sections_en.first", m, []string{"設置 (a.md#L1)", "電源 (a.md#L5)", "保証 (a.md#L9)"}},
		{"compare_sections_ja.second", nil, nil},
	} {
		got, err := arguments[k.argument].Values(t.Context(), k.given)
		if diff := cmp.Diff(k.want, got); diff != "" {
			t.Errorf("%s given %v: %v (-want +got):\n%s", k.argument, k.given, err, diff)
		}
	}
}

// The prompts use all of their arguments, and name tools that there are.
func TestPromptsOfManuals(t *testing.T) {
	m := &Module{Library: libraryOf(t.TempDir(), false)}
	tools := map[string]bool{}
	for _, tool := range m.Toolset().Tools {
		tools[tool.Name] = true
	}
	prompts := m.Toolset().Prompts
	for i, p := range prompts {
		named := 0
		for _, word := range strings.Split(p.Text, "`") {
			if strings.HasPrefix(word, "manual_") {
				if named++; !tools[word] {
					t.Errorf("%s names the tool %s", p.Name, word)
				}
			}
		}
		for _, a := range p.Arguments {
			if !strings.Contains(p.Text, "{{"+a.Name+"}}") || a.Description == "" {
				t.Errorf("%s leaves out or does not describe %s", p.Name, a.Name)
			}
		}
		other := prompts[i^1]
		if named < 4 || len(other.Arguments) != len(p.Arguments) || p.Name[:len(p.Name)-2] != other.Name[:len(other.Name)-2] {
			t.Errorf("%s names %d tools; its twin is %s", p.Name, named, other.Name)
		}
	}
}
