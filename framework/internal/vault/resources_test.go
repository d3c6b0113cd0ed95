package vault

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/sagasu-search/sagasu/framework/internal/toolset"
)

func TestResourcesOfTheVault(t *testing.T) {
	dir := t.TempDir()
	long := "# 長い\n" + strings.Repeat("一二三四五六七八九\n", 100)
	for name, text := range map[string]string{
		"vault/artifacts/plan.md": "# 計画\n\n一。\n\n## 次\n\n二。\n", "vault/notes/a b.json": "[]", "vault/notes/log.txt": "x\n",
		"vault/drafts/long.md": long, "vault/.system/secret.md": "# s\n", "outside.md": "# o\n", "vault/a/z.md": "# z\n", "vault/a.b": "b",
	} {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Symlink("../outside.md", filepath.Join(dir, "vault", "link.md")); err != nil {
		t.Fatal(err)
	}
	v := New(Options{Dir: filepath.Join(dir, "vault"), MaxChars: 500, ChunkLines: 80, MaxChunkLines: 200})
	r := v.resources()
	for _, k := range []struct{ path, section, text string }{ // or the code of a failure
		{"artifacts/plan.md", "", "# 計画\n\n一。\n\n## 次\n\n二。\n"},
		{"artifacts/plan.md", "L6", "## 次\n\n二。\n"},
		{"artifacts/plan.md", "次", "## 次\n\n二。\n"},
		{"notes/a b.json", "", "[]"},
		{"notes/log.txt", "L1", "invalid_scope"},
		{"artifacts/plan.md", "L99", "invalid_parameter"},
		{"artifacts/plan.md", "無い", "conflict"},
		{"none.md", "", "not_found"},
		{"../outside.md", "", "invalid_path"},
		{"/etc/passwd", "", "invalid_path"},
		{"link.md", "", "forbidden"},
	} {
		got, err := r.Read(t.Context(), toolset.Address{Path: k.path, Section: k.section})
		text := ""
		if err != nil {
			text = string(toolset.AsError(err).Code)
		} else {
			text = got.Text
		}
		if text != k.text || got != nil && got.Rest != nil {
			t.Errorf("%s#%s: %q, %v", k.path, k.section, text, err)
		}
	}
	cut, err := r.Read(t.Context(), toolset.Address{Path: "drafts/long.md"})
	if err != nil || cut.Rest == nil || cut.Lines.EndLine >= cut.TotalLines {
		t.Fatalf("%+v, %v", cut, err)
	}
	raw, _ := json.Marshal(cut.Rest.Params)
	for _, tool := range v.Tools() {
		if tool.Name == cut.Rest.Type {
			if rest, _, failed := tool.Call(t.Context(), raw); failed != nil || !strings.HasPrefix(long, cut.Text+rest.(*Scan).Text) {
				t.Errorf("%s: %v, %v", raw, rest, failed)
			}
		}
	}
	var listed []string
	for after := ""; ; {
		rows, err := r.List(t.Context(), after, 2)
		if err != nil {
			t.Fatal(err)
		}
		for _, row := range rows {
			listed = append(listed, row.Path+" "+row.MIMEType)
		}
		if len(rows) < 2 {
			break
		}
		after = rows[1].Path
	}
	want := []string{
		"a.b text/plain", "a/z.md text/markdown", "artifacts/plan.md text/markdown", "drafts/long.md text/markdown",
		"notes/a b.json application/json", "notes/log.txt text/plain",
	}
	if diff := cmp.Diff(want, listed); diff != "" {
		t.Errorf("listed (-want +got):\n%s", diff)
	}
	titles, err := r.Variables[1].Values(t.Context(), map[string]string{"path": "artifacts/plan.md"})
	if diff := cmp.Diff([]string{"次", "計画"}, titles); diff != "" || err != nil {
		t.Errorf("titles: %v (-want +got):\n%s", err, diff)
	}
}

// A vault that does not exist yet has no resources.
func TestResourcesOfNoVault(t *testing.T) {
	v := New(Options{Dir: filepath.Join(t.TempDir(), "vault"), MaxChars: 500})
	if rows, err := v.resources().List(t.Context(), "", 9); err != nil || len(rows) > 0 {
		t.Errorf("%v, %v", rows, err)
	}
	if _, err := v.resources().Read(t.Context(), toolset.Address{Path: "a.md"}); err == nil || toolset.AsError(err).Code != toolset.NotFound {
		t.Errorf("read: %v", err)
	}
}
