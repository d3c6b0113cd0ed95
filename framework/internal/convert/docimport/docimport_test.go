package docimport_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/gofrs/flock"
	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/sagasu-search/sagasu/framework/internal/convert/docimport"
	"github.com/sagasu-search/sagasu/framework/internal/corpus"
)

func put(t *testing.T, name, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

// TestImport follows the life of a manual: each step changes something and checks the next import.
func TestImport(t *testing.T) {
	src, into := filepath.Join(t.TempDir(), "book"), filepath.Join(t.TempDir(), "manual")
	put(t, filepath.Join(src, "a.md"), "# Fees\n900 yen\n")
	put(t, filepath.Join(src, "deep", "b.txt"), "\x97\xbf\x8b\xe0\x82\xcd\x95\xd4\x8b\xe0\x82\xb3\x82\xea"+
		"\x82\xc8\x82\xa2\x81B\x91\x97\x97\xbf\x82\xcd\x8b\xe0\x8az\x82\xc9\x82\xe6\x82\xe9\x81B\n") // Shift_JIS
	put(t, filepath.Join(src, ".hidden", "c.md"), "# No part\n")
	in := func(name string) string { return filepath.Join(into, filepath.FromSlash(name)) }
	both := []string{"book/a.md", "book/deep/b.txt"}
	for _, step := range []struct {
		name    string
		change  func()
		dry     bool
		written []string
		removed []string
		same    int
		skipped string // part of the reason for the one that is skipped
	}{
		{name: "dry", dry: true, written: both},
		{name: "first", written: both},
		{name: "again", same: 2},
		{name: "changed", change: func() { put(t, filepath.Join(src, "a.md"), "# Fees\n950 yen\n") },
			written: both[:1], same: 1},
		{name: "records lost", change: func() { os.RemoveAll(in(corpus.ImportFolder)) }, same: 2},
		{name: "edited", change: func() { put(t, in("book/a.md"), "# Mine\n") }, same: 1, skipped: "not replaced"},
		{name: "gone, edited", change: func() { os.Remove(filepath.Join(src, "a.md")) }, same: 1, skipped: "stays"},
		{name: "gone", change: func() {
			os.Remove(filepath.Join(src, "deep", "b.txt"))
			put(t, in("book/own.md"), "# Own\n")
		}, removed: both[1:], skipped: "stays"},
	} {
		t.Run(step.name, func(t *testing.T) {
			if step.change != nil {
				step.change()
			}
			r, err := docimport.Run(context.Background(),
				docimport.Options{Sources: []string{src}, Dir: into, DryRun: step.dry})
			if err != nil {
				t.Fatal(err)
			}
			want := docimport.Report{Dir: into, DryRun: step.dry, Written: step.written, Removed: step.removed,
				Unchanged: step.same}
			skipped := cmpopts.IgnoreFields(docimport.Report{}, "Skipped")
			if d := cmp.Diff(want, r, cmpopts.EquateEmpty(), skipped); d != "" {
				t.Error(d)
			}
			n := len(r.Skipped)
			if (n == 1) != (step.skipped != "") || n > 0 && !strings.Contains(r.Skipped[0].Reason, step.skipped) {
				t.Errorf("skipped %v, want %q", r.Skipped, step.skipped)
			}
			if _, err := os.Stat(into); step.dry && err == nil {
				t.Error("a dry run wrote")
			}
			if text, _ := os.ReadFile(in("book/deep/b.txt")); step.name == "first" &&
				string(text) != "料金は返金されない。送料は金額による。\n" {
				t.Errorf("%q is not decoded", text)
			}
		})
	}
	for name, text := range map[string]string{"book/a.md": "# Mine\n", "book/own.md": "# Own\n"} {
		if got, _ := os.ReadFile(in(name)); string(got) != text {
			t.Errorf("%s is %q: it was somebody's own", name, got)
		}
	}
}

// TestImportRepository imports the tracked files as they are, and runs nothing that the repository names.
func TestImportRepository(t *testing.T) {
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("no git here")
	}
	dir := t.TempDir()
	src, into, ran := filepath.Join(dir, "project"), filepath.Join(dir, "manual"), filepath.Join(dir, "ran")
	git := func(args ...string) {
		t.Helper()
		c := exec.Command("git",
			append([]string{"-C", src, "-c", "user.name=t", "-c", "user.email=t@example.org"}, args...)...)
		c.Env = append(os.Environ(), "GIT_CONFIG_GLOBAL="+os.DevNull, "GIT_CONFIG_NOSYSTEM=1")
		if out, err := c.CombinedOutput(); err != nil {
			t.Fatalf("git %v: %v\n%s", args, err, out)
		}
	}
	for name, text := range map[string]string{
		"a.md": "# A\n", "deep/b.md": "# B\n", "料金.md": "# 料金\n", "build/c.md": "# Built\n", "own.md": "# Own\n",
	} {
		put(t, filepath.Join(src, name), text)
	}
	git("init", "-q")
	git("add", "a.md", "deep", "料金.md")
	git("commit", "-q", "-m", "m")
	hook := "#!/bin/sh\ntouch " + ran + "\n"
	for _, name := range []string{"fsmonitor", "post-index-change", "pre-auto-gc"} {
		put(t, filepath.Join(src, ".git", "hooks", name), hook)
		if err := os.Chmod(filepath.Join(src, ".git", "hooks", name), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	git("config", "core.fsmonitor", filepath.Join(src, ".git", "hooks", "fsmonitor"))
	git("config", "core.worktree", dir)
	put(t, filepath.Join(src, "a.md"), "# A, edited\n")
	r := imports(t, into, src)
	want := []string{"project/a.md", "project/deep/b.md", "project/料金.md"}
	if diff := cmp.Diff(want, r.Written); diff != "" || len(r.Skipped) > 0 {
		t.Error(diff, r.Skipped)
	}
	if text, _ := os.ReadFile(filepath.Join(into, "project", "a.md")); string(text) != "# A, edited\n" {
		t.Errorf("%q is not what stands in the work tree", text)
	}
	if _, err := os.Stat(ran); err == nil {
		t.Error("a program of the repository ran")
	}
	git("--work-tree", src, "-c", "core.fsmonitor=false", "rm", "-q", "--cached", "deep/b.md")
	os.Remove(ran) // our own git ran it
	if r := imports(t, into, src); !cmp.Equal(r.Removed, []string{"project/deep/b.md"}) || r.Unchanged != 2 {
		t.Errorf("%+v", r)
	}
	put(t, filepath.Join(src, "lfs.md"), "version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 5\n")
	git("init", "-q", "sub")
	put(t, filepath.Join(src, "sub", "s.md"), "# Sub\n")
	git("-C", "sub", "add", ".")
	git("-C", "sub", "commit", "-q", "-m", "m")
	git("--work-tree", src, "-c", "core.fsmonitor=false", "add", "lfs.md", "sub")
	for i := range 6 {
		name := fmt.Sprintf("sub%d", i)
		if err := os.Mkdir(filepath.Join(src, name), 0o755); err != nil {
			t.Fatal(err)
		}
		git("update-index", "--add", "--cacheinfo", "160000,"+strings.Repeat("a", 40)+","+name)
	}
	os.Remove(ran)
	reasons, paths := "", []string{}
	for _, s := range imports(t, into, src).Skipped {
		reasons, paths = reasons+s.Path+": "+s.Reason+"\n", append(paths, s.Path)
	}
	if !strings.Contains(reasons, "project/lfs.md: its content is not there") ||
		!strings.Contains(reasons, "project/sub: it is a repository of its own") || len(paths) != 8 || !slices.IsSorted(paths[:7]) {
		t.Errorf("skipped %s", reasons)
	}
	git("--work-tree", src, "-c", "core.fsmonitor=false", "rm", "-q", "-f", "--cached", "lfs.md", "sub")
	os.Remove(filepath.Join(src, "lfs.md"))
	os.RemoveAll(filepath.Join(src, "sub"))
	put(t, filepath.Join(src, ".git", "index"), "no index")
	if r := imports(t, into, src); len(r.Skipped) != 1 || len(r.Written) != 3 {
		t.Errorf("%+v", r)
	}
}

// TestImportEnded starts from an import that ended between any two of its writes: nothing counts as edited.
func TestImportEnded(t *testing.T) {
	src, into := filepath.Join(t.TempDir(), "book"), filepath.Join(t.TempDir(), "manual")
	text, record := filepath.Join(into, "book", "a.md"), filepath.Join(into, corpus.ImportFolder, "book", "a.md.json")
	read := func(name string) string {
		t.Helper()
		out, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		return string(out)
	}
	versions := []string{"# One\n", "# Two\n", "# Three\n"}
	var texts, records []string
	for _, v := range versions {
		put(t, filepath.Join(src, "a.md"), v)
		imports(t, into, src)
		texts, records = append(texts, read(text)), append(records, read(record))
	}
	for name, left := range map[string]struct{ text, record string }{
		"before the text":       {texts[0], records[1]},
		"before the first text": {"", records[0]},
		"amid a text":           {texts[0], records[0]},
	} {
		for _, now := range versions {
			put(t, filepath.Join(src, "a.md"), now)
			put(t, filepath.Join(into, corpus.ImportFolder, "new"), "half a te")
			put(t, record, left.record)
			if put(t, text, left.text); left.text == "" {
				os.Remove(text)
			}
			if r := imports(t, into, src); len(r.Skipped) > 0 || read(text) != now {
				t.Errorf("ended %s, then %q: %q, skipped %v", name, now, read(text), r.Skipped)
			}
			if r := imports(t, into, src); r.Unchanged != 1 {
				t.Errorf("ended %s, then %q: again %+v", name, now, r)
			}
			put(t, text, "# Mine\n")
			if r := imports(t, into, src); len(r.Skipped) != 1 || read(text) != "# Mine\n" {
				t.Errorf("ended %s, then edited: %q, %+v", name, read(text), r)
			}
		}
	}
}

// TestImportElsewhere imports documents that have moved to another place, and others that have not.
func TestImportElsewhere(t *testing.T) {
	dir := t.TempDir()
	here, there, into := filepath.Join(dir, "here", "book"), filepath.Join(dir, "there", "book"), filepath.Join(dir, "m")
	put(t, filepath.Join(here, "a.md"), "# A\n")
	put(t, filepath.Join(here, "b.md"), "# B\n")
	imports(t, into, here)
	put(t, filepath.Join(there, "a.md"), "# Other\n")
	if r := imports(t, into, there); len(r.Skipped) != 1 || !strings.Contains(r.Skipped[0].Reason, "was imported from "+here) {
		t.Errorf("another folder: %+v", r)
	}
	if err := os.RemoveAll(filepath.Dir(here)); err != nil {
		t.Fatal(err)
	}
	put(t, filepath.Join(there, "b.md"), "# Other B\n")
	put(t, filepath.Join(into, "book", "b.md"), "# Mine\n")
	r := imports(t, into, there)
	if !cmp.Equal(r.Written, []string{"book/a.md"}) || len(r.Skipped) != 1 || !strings.Contains(r.Skipped[0].Reason, "not replaced") {
		t.Errorf("the folder moved: %+v", r)
	}
}

// TestImportAlone allows one import at a time into a manual.
func TestImportAlone(t *testing.T) {
	dir := t.TempDir()
	src, into := filepath.Join(dir, "a.md"), filepath.Join(dir, "m")
	put(t, src, "# A\n")
	imports(t, into, src)
	other := flock.New(filepath.Join(into, corpus.ImportFolder, "lock"))
	if held, err := other.TryLock(); !held || err != nil {
		t.Fatal(held, err)
	}
	run := func(dry bool) error {
		_, err := docimport.Run(t.Context(), docimport.Options{Sources: []string{src}, Dir: into, DryRun: dry})
		return err
	}
	if err := run(false); err == nil || !strings.Contains(err.Error(), "another import into") {
		t.Errorf("two at once: %v", err)
	}
	if err := run(true); err != nil {
		t.Errorf("a dry run: %v", err)
	}
	if err := other.Close(); err != nil {
		t.Fatal(err)
	}
	if err := run(false); err != nil {
		t.Errorf("after the other: %v", err)
	}
}

// TestImportIntoLinks does not write through a link that leads out of the manual or replaces one of its files.
func TestImportIntoLinks(t *testing.T) {
	dir := t.TempDir()
	src, into, out := filepath.Join(dir, "book"), filepath.Join(dir, "m"), filepath.Join(dir, "out")
	put(t, filepath.Join(src, "a.md"), "# A\n")
	put(t, filepath.Join(src, "deep", "b.md"), "# B\n")
	put(t, filepath.Join(into, "own.md"), "# Own\n")
	put(t, filepath.Join(out, "own.md"), "# Own\n")
	link := func(to, name string) {
		t.Helper()
		name = filepath.Join(into, name)
		if err := errors.Join(os.MkdirAll(filepath.Dir(name), 0o755), os.Symlink(to, name)); err != nil {
			t.Skip(err)
		}
	}
	link("../own.md", corpus.ImportFolder+"/new")
	link("../../out", "book/deep")
	r := imports(t, into, src)
	if !cmp.Equal(r.Written, []string{"book/a.md"}) || len(r.Skipped) != 1 {
		t.Errorf("%+v", r)
	}
	if err := os.RemoveAll(filepath.Join(into, corpus.ImportFolder)); err != nil {
		t.Fatal(err)
	}
	link("../out", corpus.ImportFolder)
	if _, err := docimport.Run(t.Context(), docimport.Options{Sources: []string{src}, Dir: into}); err == nil {
		t.Error("records were written outside the manual")
	}
	for _, name := range []string{filepath.Join(into, "own.md"), filepath.Join(out, "own.md")} {
		if text, _ := os.ReadFile(name); string(text) != "# Own\n" {
			t.Errorf("%s is %q", name, text)
		}
	}
	if entries, _ := os.ReadDir(out); len(entries) != 1 {
		t.Errorf("outside there are %v", entries)
	}
}

func TestImportRefuses(t *testing.T) {
	dir := t.TempDir()
	put(t, filepath.Join(dir, "x", "a.md"), "# A\n")
	put(t, filepath.Join(dir, "y", "a.md"), "# A\n")
	put(t, filepath.Join(dir, "a.bin"), "\x00")
	for _, name := range []string{"HEAD", "objects/x", "refs/x"} {
		put(t, filepath.Join(dir, "bare.git", name), "")
	}
	put(t, filepath.Join(dir, "many.txt"), strings.Repeat("https://a.example/\n", 10_001))
	put(t, filepath.Join(dir, "file.txt"), "# Pages\n\nfile:///etc/passwd # here\nhttps://a.example/\n")
	put(t, filepath.Join(dir, "words.txt"), "https://a.example/\nhttps://b.example/ # b\nand more: https://c.example/\n")
	for want, sources := range map[string][]string{
		`file.txt:3: "file:///etc/passwd" is no http or https URL`:            {"file.txt"},
		`words.txt:3: "and more: https://c.example/" is no http or https URL`: {"words.txt"},
		"hold each other":     {dir},
		"one name":            {"x/a.md", "y/a.md"},
		"no converter":        {"a.bin"},
		"cannot be imported":  {"missing"},
		"without a work tree": {"bare.git"},
		"lists 10001 pages":   {"many.txt"},
	} {
		for i, s := range sources {
			if !filepath.IsAbs(s) {
				sources[i] = filepath.Join(dir, s)
			}
		}
		into := filepath.Join(dir, "manual")
		_, err := docimport.Run(context.Background(), docimport.Options{Sources: sources, Dir: into})
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v: %v, want %q", sources, err, want)
		}
		if _, err := os.Stat(into); err == nil {
			t.Errorf("%v: a refused import wrote", sources)
		}
	}
}

func TestNothingImportedLeavesNoManual(t *testing.T) {
	dir := t.TempDir()
	put(t, filepath.Join(dir, "src", "a.odt"), "PK")
	o := docimport.Options{Sources: []string{filepath.Join(dir, "src")}, Dir: filepath.Join(dir, "manuals", "m")}
	r, err := docimport.Run(t.Context(), o)
	if err != nil || len(r.Skipped) != 1 {
		t.Errorf("the report is %+v, %v", r, err)
	}
	if _, err := os.Lstat(filepath.Dir(o.Dir)); !errors.Is(err, fs.ErrNotExist) {
		t.Error("the folders of a manual without texts stay:", err)
	}
}

// anything reads pages unchanged.
type anything struct{}

func (anything) Reads(name string) bool { return strings.HasSuffix(name, ".html") }
func (anything) Version() string        { return "1" }

func (anything) Kept(string, [32]byte) (corpus.File, string) { return corpus.File{}, "" }

func (anything) Read(_ context.Context, d corpus.Stored) (corpus.File, error) {
	f, err := d.Open()
	if err != nil {
		return corpus.File{}, err
	}
	defer f.Close()
	src, err := io.ReadAll(f)
	return corpus.File{Path: f.Path, Text: src, Origin: corpus.Origin{Document: f.Path}}, err
}
