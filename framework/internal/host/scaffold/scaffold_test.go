package scaffold

import (
	"errors"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/mod/modfile"

	"github.com/sagasu-search/sagasu/framework/internal/toolset"
)

// checkout is this repository.
func checkout(t *testing.T) string {
	t.Helper()
	dir, err := filepath.Abs(filepath.Join("..", "..", "..", ".."))
	if err != nil {
		t.Fatal(err)
	}
	return dir
}

func TestWrite(t *testing.T) {
	for _, o := range []Options{
		{Name: "a-1", Template: "retrieve"}, {Name: "b", Template: "rerank", SDK: checkout(t)},
		{Name: "c", Template: "fuzzy"}, {Name: "d", Template: "features"}, {Name: "e", Template: "embedding"},
		{Name: "f", Template: "converter"},
	} {
		o.Dir = filepath.Join(t.TempDir(), "deep", "down")
		names, err := Write(o)
		if err != nil {
			t.Fatal(err)
		}
		want := []string{"go.mod", "main.go", o.Part() + ".go", o.Part() + "_test.go", "README.md", ".gitignore", ".github/workflows/test.yml", ".github/workflows/release.yml"}
		if o.SDK != "" {
			want = slices.Insert(want, 1, "go.work")
		}
		if diff := cmp.Diff(want, names); diff != "" {
			t.Error(diff)
		}
		for _, name := range names {
			text := read(t, o.Dir, name)
			if strings.Contains(text, "{{") && !strings.HasSuffix(name, ".go") && !strings.HasSuffix(name, "release.yml") || strings.Contains(text, "<no value>") {
				t.Errorf("%s was not filled in:\n%s", name, text)
			}
			if strings.HasSuffix(name, ".go") {
				if _, err := parser.ParseFile(token.NewFileSet(), name, text, 0); err != nil {
					t.Error(err)
				}
			}
		}
		if main := read(t, o.Dir, "main.go"); strings.Count(main, "\n") > 10 || !strings.Contains(main, o.Name) {
			t.Errorf("main.go is\n%s", main)
		}
		checkModule(t, o)
		if left, _ := os.ReadDir(filepath.Dir(o.Dir)); len(left) != 1 {
			t.Errorf("beside the module lies %v", left)
		}
	}
}

// checkModule checks what go.mod says.
func checkModule(t *testing.T, o Options) {
	t.Helper()
	m, err := modfile.Parse("go.mod", []byte(read(t, o.Dir, "go.mod")), nil)
	if err != nil {
		t.Fatal(err)
	}
	if m.Module.Mod.Path != o.Module() || m.Go == nil {
		t.Errorf("the module is %v", m.Module)
	}
	if len(m.Require) > 0 || len(m.Replace) > 0 {
		t.Errorf("it requires %v and replaces %v", m.Require, m.Replace)
	}
	if o.SDK == "" {
		return
	}
	w, err := modfile.ParseWork("go.work", []byte(read(t, o.Dir, "go.work")), nil)
	if err != nil || len(w.Use) != 2 || w.Use[1].Path != filepath.ToSlash(o.SDK) {
		t.Errorf("go.work uses %v, %v", w, err)
	}
	if ignored := read(t, o.Dir, ".gitignore"); !strings.Contains(ignored, "/go.work\n") {
		t.Errorf("the path of the checkout may be committed: %s", ignored)
	}
}

func TestWritePython(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "p")
	names, err := Write(Options{Name: "p", Template: "python", Dir: dir})
	if err != nil {
		t.Fatal(err)
	}
	want := []string{"sagasu.py", "strategy_pb2.py", "transport_pb2.py", "strategy.py", "README.md", ".gitignore"}
	if diff := cmp.Diff(want, names); diff != "" {
		t.Error(diff)
	}
	if text := read(t, dir, "strategy.py"); !strings.Contains(text, `name="p"`) {
		t.Error(text)
	}
}

func read(t *testing.T, dir, name string) string {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(dir, filepath.FromSlash(name)))
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

func TestNothingIsLost(t *testing.T) {
	dir := t.TempDir()
	full, empty, file := filepath.Join(dir, "full"), filepath.Join(dir, "empty"), filepath.Join(dir, "file")
	for _, d := range []string{full, empty} {
		if err := os.Mkdir(d, 0o700); err != nil {
			t.Fatal(err)
		}
	}
	for _, f := range []string{file, filepath.Join(full, "notes.txt")} {
		if err := os.WriteFile(f, []byte("mine"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for _, tc := range []struct {
		o    Options
		code toolset.Code
		say  string
	}{
		{Options{Name: "x", Template: "rerank", Dir: full}, toolset.Conflict, "notes.txt"},
		{Options{Name: "x", Template: "rerank", Dir: file}, toolset.InvalidParameter, file},
		{Options{Name: "x", Template: "rerank", Dir: filepath.Join(file, "below")}, toolset.InvalidParameter, "below"},
		{Options{Name: "x", Template: "rerank", Dir: empty, SDK: dir}, toolset.NotFound, "no go.mod"},
		{Options{Name: "x", Template: "rerank", Dir: empty, SDK: foreign(t)}, toolset.InvalidParameter, "no checkout"},
		{Options{Name: "x", Template: "rerankk", Dir: empty}, toolset.InvalidParameter, "no template"},
		{Options{Name: "X", Dir: empty}, toolset.InvalidParameter, "lower-case"},
		{Options{Name: "x", Template: "rerank", Dir: empty, Taken: []string{"x"}}, toolset.Conflict, "already"},
	} {
		_, err := Write(tc.o)
		f, ok := errors.AsType[*toolset.Error](err)
		if !ok || f.Code != tc.code || !strings.Contains(f.Message, tc.say) {
			t.Errorf("%+v: %v, want %s: %q", tc.o, err, tc.code, tc.say)
		}
	}
	var left []string
	for _, d := range []string{dir, full, empty} {
		entries, err := os.ReadDir(d)
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range entries {
			left = append(left, e.Name())
		}
	}
	if diff := cmp.Diff([]string{"empty", "file", "full", "notes.txt"}, left); diff != "" {
		t.Error(diff)
	}
	if _, err := Write(Options{Name: "x", Template: "rerank", Dir: empty}); err != nil {
		t.Errorf("an empty directory will do: %v", err)
	}
}

// foreign returns the directory of another module.
func foreign(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "go.mod"), []byte("module other\n\ngo 1.26\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	return dir
}

func TestCheckName(t *testing.T) {
	for name, near := range map[string]string{
		"a": "", "rank-2": "", "0x": "",
		"My Ranker": "my-ranker", "no_underscores": "no-underscores", "-a": "a", "a-": "a",
		strings.Repeat("x", 41): strings.Repeat("x", 40),
		"":                      "none", "日本": "none", "con": "none", "../x": "x", "a/b": "ab", "a\nb": "ab",
	} {
		err := checkName(name)
		if near == "" {
			if err != nil {
				t.Errorf("%q: %v", name, err)
			}
			continue
		}
		f, ok := errors.AsType[*toolset.Error](err)
		if !ok {
			t.Fatalf("%q: %v", name, err)
		}
		got := proposed(f)
		if near != "none" && !slices.Equal(got, []string{near}) || near == "none" && got != nil {
			t.Errorf("%q: did you mean %q, want %q", name, got, near)
		}
	}
}

func FuzzCheckName(f *testing.F) {
	f.Add("My Ranker")
	f.Fuzz(func(t *testing.T, name string) {
		err, ok := errors.AsType[*toolset.Error](checkName(name))
		if !ok {
			return
		}
		for _, near := range proposed(err) {
			if again, ok := errors.AsType[*toolset.Error](checkName(near)); ok && proposed(again) != nil {
				t.Errorf("%q was proposed for %q and is not valid: %v", near, name, again)
			}
		}
	})
}

// proposed returns the names that an error proposes.
func proposed(err *toolset.Error) []string {
	names, _ := err.Details["did_you_mean"].([]string)
	return names
}
