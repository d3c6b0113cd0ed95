package corpus_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/sagasu-search/sagasu/framework/internal/corpus"
	"github.com/sagasu-search/sagasu/framework/internal/toolset"
)

// folder makes a folder with the given files. A name that ends in / is a folder without manual text; every file
// contains its own name.
func folder(t *testing.T, names ...string) string {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range names {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if strings.HasSuffix(name, "/") {
			name, path = name+"keep.txt", filepath.Join(path, "keep.txt")
		}
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(name), 0o644); err != nil {
			t.Skip("the system has no such names: ", err)
		}
	}
	return dir
}

func ids(manuals []corpus.Manual) []string {
	ids := []string{}
	for _, m := range manuals {
		ids = append(ids, m.ID)
	}
	return ids
}

func TestManuals(t *testing.T) {
	tests := []struct {
		name  string
		files []string
		want  []string
	}{
		{"folders, sorted", []string{"b/x.md", "a/y.json", "empty/", "保険/z.md"}, []string{"a", "b", "empty", "保険"}},
		{"left out", []string{"a/x.md", ".git/x.md", "node_modules/x.md"}, []string{"a"}},
		{"loose files beside manuals", []string{"a/x.md", "README.md"}, []string{"a"}},
		{"text beside manuals", []string{"a/x.md", "robots.txt"}, []string{"a"}},
		{"nothing", []string{"note.png"}, []string{}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, err := corpus.Manuals(folder(t, tt.files...), nil)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tt.want, ids(got)); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestPlainFolderIsOneManual(t *testing.T) {
	dir := folder(t, "docs/a.md", "docs/img/pic.png", "docs/img/alt.txt", "docs/deep/er/")
	got, err := corpus.Manuals(filepath.Join(dir, "docs"), nil)
	want := []corpus.Manual{{ID: "docs", Dir: filepath.Join(dir, "docs")}}
	if diff := cmp.Diff(want, got); err != nil || diff != "" {
		t.Error(err, diff)
	}
	dir = folder(t, "texts/a.txt", "texts/img/pic.png")
	got, err = corpus.Manuals(filepath.Join(dir, "texts"), nil)
	want = []corpus.Manual{{ID: "texts", Dir: filepath.Join(dir, "texts")}}
	if diff := cmp.Diff(want, got); err != nil || diff != "" {
		t.Error(err, diff)
	}
}

func TestNoManuals(t *testing.T) {
	dir := folder(t, "file.md")
	for _, root := range []string{filepath.Join(dir, "missing"), filepath.Join(dir, "file.md")} {
		_, err := corpus.Manuals(root, nil)
		f := toolset.AsError(err)
		if f.Code != toolset.NotAvailable || f.Details["parameter"] != "MANUALS_ROOT" || strings.Contains(fmt.Sprint(f, f.Details), root) {
			t.Errorf("Manuals(%s): %v", root, err)
		}
	}
}

// Files next to the manuals, which no search would find, are listed.
func TestAside(t *testing.T) {
	far := folder(t, "x/a.md")
	for _, tc := range []struct {
		names, links []string
		want         map[string]string
	}{
		{names: []string{"m/a.md", "readme.md", ".hidden.md", "logo.png", "tool/"},
			want: map[string]string{"readme.md": "it lies beside the folders of manuals, and in none of them"}},
		{names: []string{"m/a.md", "two\nlines/a.md"},
			want: map[string]string{"two\nlines": "its name holds a line break or another control character"}},
		{names: []string{"m/a.md"}, links: []string{"x", "x/a.md", "nowhere"},
			want: map[string]string{"x": "symbolic link", "a.md": "symbolic link"}},
		{names: []string{"a.md", "images/"}},
		{},
	} {
		root := folder(t, tc.names...)
		for _, link := range tc.links {
			if err := os.Symlink(filepath.Join(far, link), filepath.Join(root, filepath.Base(link))); err != nil {
				t.Skip("the system makes no links: ", err)
			}
		}
		got := map[string]string{}
		for _, skip := range corpus.Aside(root, nil) {
			got[skip.Path] = skip.Reason
		}
		if diff := cmp.Diff(tc.want, got, cmpopts.EquateEmpty()); diff != "" {
			t.Errorf("%v (-want +got):\n%s", tc.names, diff)
		}
	}
}

func TestFind(t *testing.T) {
	manuals := []corpus.Manual{{ID: "insurance"}, {ID: "か\u3099いど"}}
	for id, want := range map[string]string{"insurance": "insurance", " ./insurance ": "insurance", "がいど": "か\u3099いど"} {
		if got, err := corpus.Find(manuals, id); err != nil || got.ID != want {
			t.Errorf("Find(%q) = %q, %v", id, got.ID, err)
		}
	}
	for id, code := range map[string]toolset.Code{"..": toolset.InvalidPath, "": toolset.InvalidPath, "insurence": toolset.NotFound, "a/b": toolset.NotFound} {
		if _, err := corpus.Find(manuals, id); toolset.AsError(err).Code != code {
			t.Errorf("Find(%q): %v", id, err)
		}
	}
	_, err := corpus.Find(manuals, "insurence")
	if diff := cmp.Diff([]string{"insurance"}, toolset.AsError(err).Details["did_you_mean"]); diff != "" {
		t.Error(diff)
	}
}
