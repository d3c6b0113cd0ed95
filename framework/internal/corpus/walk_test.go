package corpus_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/sagasu-search/sagasu/framework/internal/corpus"
	"github.com/sagasu-search/sagasu/framework/internal/toolset"
)

func walk(t *testing.T, dir string) (paths []string, skips map[string]string) {
	t.Helper()
	files, skipped, err := corpus.Walk(t.Context(), corpus.Manual{ID: "m", Dir: dir})
	if err != nil {
		t.Fatal(err)
	}
	skips = map[string]string{}
	for _, f := range files {
		paths = append(paths, f.Path)
	}
	for _, s := range skipped {
		skips[s.Path] = s.Reason
	}
	return paths, skips
}

func TestWalk(t *testing.T) {
	dir := folder(t, "b.md", "a/z.JSON", "a/y.Md", "a.md", "a b/c.md", "x.txt", "x.png",
		".obsidian/n.md", "a/node_modules/n.md", "a/.git/n.md", "dir.md/inner.md")
	paths, skips := walk(t, dir)
	if diff := cmp.Diff([]string{"a b/c.md", "a.md", "a/y.Md", "a/z.JSON", "b.md", "dir.md/inner.md", "x.txt"}, paths); diff != "" {
		t.Error(diff)
	}
	if len(skips) != 0 {
		t.Errorf("skipped %v", skips)
	}
}

func TestWalkSkips(t *testing.T) {
	dir := folder(t, "ok.md", "sub/a.md")
	large, err := os.Create(filepath.Join(dir, "large.md"))
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(large.Truncate(corpus.MaxSize+1), large.Close()); err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(os.Symlink("ok.md", filepath.Join(dir, "link.md")), os.Symlink("sub", filepath.Join(dir, "linked")),
		os.Symlink("ok.md", filepath.Join(dir, "link.png"))); err != nil {
		t.Skip("no symbolic links here: ", err)
	}
	paths, skips := walk(t, dir)
	if diff := cmp.Diff([]string{"ok.md", "sub/a.md"}, paths); diff != "" {
		t.Error(diff)
	}
	want := map[string]string{
		"large.md": "too large: 33554433 bytes, at most 33554432 are indexed",
		"link.md":  "symbolic link", "linked": "symbolic link",
	}
	if diff := cmp.Diff(want, skips); diff != "" {
		t.Error(diff)
	}
}

func TestWalkSkipsNamesThatDoNotRoundTrip(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("the system has no such names")
	}
	dir := folder(t, "ok .md", "sub/a:b.md", "sub/same.md", "a\nb.md", `c\d.md`, " lead.md", "trail.md ", "a:b.md", "bad\xff.md", "sub/ inner.md", "sub /same.md", "new\nline/a.md")
	paths, skips := walk(t, dir)
	if diff := cmp.Diff([]string{"ok .md", "sub/a:b.md", "sub/same.md"}, paths); diff != "" {
		t.Error(diff)
	}
	const space = "its name begins or ends with white space"
	want := map[string]string{
		"a\nb.md": "its name holds a line break or another control character", "new\nline": "its name holds a line break or another control character",
		`c\d.md`: "its name holds a backslash", "bad\xff.md": "its name is not UTF-8", "a:b.md": "its name begins like a drive letter",
		" lead.md": space, "trail.md ": space, "sub/ inner.md": space, "sub ": space,
	}
	if diff := cmp.Diff(want, skips); diff != "" {
		t.Error(diff)
	}
}

func TestWalkDescribes(t *testing.T) {
	dir := folder(t, "a.md")
	files, _, err := corpus.Walk(t.Context(), corpus.Manual{ID: "m", Dir: dir})
	if err != nil || len(files) != 1 {
		t.Fatal(files, err)
	}
	info, err := os.Stat(filepath.Join(dir, "a.md"))
	if err != nil {
		t.Fatal(err)
	}
	f := files[0]
	if f.Group != "m" || f.Size != 4 || f.ModTime != info.ModTime().UnixNano() {
		t.Errorf("%+v", f)
	}
	if runtime.GOOS == "linux" && (f.ChangeTime == 0 || f.Inode == 0) {
		t.Errorf("no ctime or inode: %+v", f)
	}
}

func TestWalkEnds(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, _, err := corpus.Walk(ctx, corpus.Manual{ID: "m", Dir: folder(t, "a.md")}); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	if _, _, err := corpus.Walk(t.Context(), corpus.Manual{ID: "m", Dir: filepath.Join(t.TempDir(), "gone")}); toolset.AsError(err).Code != toolset.NotAvailable {
		t.Error(err)
	}
}

func TestOpen(t *testing.T) {
	dir := folder(t, "a.md", "x.txt", "x.png", ".git/a.md", "か\u3099.md", "sub/")
	for name, content := range map[string]string{"nul.md": "a\x00", "noise.md": "\xff\x01", "sjis.md": "\x82\xa0\x82\xa2", "empty.json": ""} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(content), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	m := corpus.Manual{ID: "m", Dir: dir}
	for path, want := range map[string]string{"a.md": "a.md", "x.txt": "x.txt", "sjis.md": "あい", "が.md": "か\u3099.md", "empty.json": ""} {
		if got, err := corpus.Open(t.Context(), m, path); err != nil || string(got.Text) != want {
			t.Errorf("Open(%q) = %q, %v", path, got.Text, err)
		}
	}
	for path, code := range map[string]toolset.Code{
		"x.png": toolset.OutOfScope, ".git/a.md": toolset.OutOfScope, "b.md": toolset.NotFound, "../a.md": toolset.InvalidPath,
		"nul.md": toolset.NotAvailable, "noise.md": toolset.NotAvailable, "sub": toolset.OutOfScope,
	} {
		if got, err := corpus.Open(t.Context(), m, path); toolset.AsError(err).Code != code {
			t.Errorf("Open(%q) = %q, %v; want %s", path, got.Text, err, code)
		}
	}
	if f, err := corpus.Open(t.Context(), m, "が.md"); err != nil || f.Path != "か\u3099.md" {
		t.Errorf("stored as %q, %v", f.Path, err)
	}
}

func TestWalkAtPaths(t *testing.T) {
	dir := folder(t, "a.md", "sub/b.md", "sub/deep/c.md", "sub/deep/.git/d.md", "other/e.md", "sub/x.png")
	linked := os.Symlink("a.md", filepath.Join(dir, "link.md")) == nil
	for _, tc := range []struct {
		at, files, entered, skips []string
	}{
		{at: []string{"a.md"}, files: []string{"a.md"}},
		{at: []string{"sub/deep"}, files: []string{"sub/deep/c.md"}, entered: []string{"sub/deep"}},
		{at: []string{"sub", "other/e.md", "sub/deep/c.md"}, files: []string{"other/e.md", "sub/b.md", "sub/deep/c.md"}, entered: []string{"sub", "sub/deep"}},
		{at: []string{"sub/x.png", "gone", "gone/f.md", "a.md/f.md", "../a.md"}},
		{at: []string{"sub/deep/.git", "sub/deep/.git/d.md"}},
		{at: []string{"link.md"}, skips: []string{"link.md"}},
		{at: nil},
	} {
		var paths, entered, skips []string
		files, skipped, err := corpus.ManualSource{}.Walk(t.Context(), corpus.Manual{ID: "m", Dir: dir}, tc.at, func(d string) { entered = append(entered, d) })
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range files {
			paths = append(paths, f.Path)
		}
		for _, s := range skipped {
			skips = append(skips, s.Path)
		}
		if !linked {
			tc.skips = skips
		}
		if diff := cmp.Diff([][]string{tc.files, tc.entered, tc.skips}, [][]string{paths, entered, skips}); diff != "" {
			t.Errorf("%q: (-want +got):\n%s", tc.at, diff)
		}
	}
}

func TestSuggestsOnlyWhatCanBeRead(t *testing.T) {
	dir := folder(t, "notes.md", "notes.png", "note.md/inner.md", ".notes/notes.md", "Notes /notes.md")
	for name, content := range map[string]string{"noted.md": "a\x00b", "noter.md": "\xff\x01\xfe\x02"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(content), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Symlink("notes.md", filepath.Join(dir, "nodes.md")); err != nil {
		t.Skip("no symbolic links here: ", err)
	}
	for path, want := range map[string]any{
		"notez.md": []string{"notes.md"}, "note.mdd/inner.md": []string{"note.md/inner.md"},
		"note.mdd/none.md": nil, ".note/notes.md": nil, "nodes.txt": nil, "xyz.json": nil,
	} {
		_, err := corpus.Open(t.Context(), corpus.Manual{ID: "m", Dir: dir}, path)
		bad := toolset.AsError(err)
		if diff := cmp.Diff(want, bad.Details["did_you_mean"]); bad.Code != toolset.NotFound || diff != "" {
			t.Errorf("%s: %v\n%s", path, err, diff)
		}
	}
}
