package workspace_test

import (
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/spf13/pflag"

	"github.com/sagasu-search/sagasu/framework/internal/corpus"
	"github.com/sagasu-search/sagasu/framework/internal/workspace"
)

func TestWithoutHomeAPrivateFolderServes(t *testing.T) {
	b := newBench(t)
	b.env = map[string]string{}
	w := b.mustLoad()
	private := filepath.Dir(w.StateHome)
	info, err := os.Stat(private)
	if err != nil || !strings.HasPrefix(private, b.home) {
		t.Fatalf("%s: %v", private, err)
	}
	if runtime.GOOS == "windows" {
		return
	}
	if got := info.Mode().Perm(); got != 0o700 {
		t.Errorf("mode %o, want 700", got)
	}
	if err := os.Chmod(private, 0o755); err != nil {
		t.Fatal(err)
	}
	if _, err := b.load(); err == nil || !strings.Contains(err.Error(), "not private") {
		t.Errorf("a folder open to others was taken: %v", err)
	}
}

func TestDirectoriesAreKeyed(t *testing.T) {
	b := newBench(t)
	b.write(filepath.Join(b.home, "docs", "a.md"), "# a\n")
	plain := b.mustLoad()
	b.flags.Manuals = []string{filepath.Join(b.home, "docs")}
	other := b.mustLoad()
	if plain.StateDir() != other.StateDir() {
		t.Error("the state of one workspace has two places")
	}
	if slices.Equal(plain.Sources(), other.Sources()) {
		t.Error("two sets of manuals look the same")
	}
	if again := b.mustLoad(); !slices.Equal(again.Sources(), other.Sources()) {
		t.Error("the same manuals look different")
	}
	b.root = realDir(t)
	if far := b.mustLoad(); far.StateDir() == plain.StateDir() {
		t.Error("two workspaces share their state")
	}
	if strings.HasPrefix(plain.CacheHome, plain.ManualsRoot) {
		t.Error("the index lies among the manuals")
	}
}

func TestManualsFlag(t *testing.T) {
	b := newBench(t)
	single, many := filepath.Join(b.home, "docs"), filepath.Join(b.home, "many")
	b.write(filepath.Join(single, "a.md"), "# a\n")
	b.write(filepath.Join(many, "x", "a.md"), "# a\n")
	b.user("[manuals]\nelsewhere = \"" + filepath.ToSlash(many) + "\"\n")

	w := b.mustLoad()
	if diff := cmp.Diff(map[string]string{"elsewhere": many}, w.ManualDirs()); diff != "" {
		t.Errorf("[manuals] (-want +got):\n%s", diff)
	}
	b.flags.Manuals = []string{single, many}
	w = b.mustLoad()
	if diff := cmp.Diff(map[string]string{"docs": single}, w.ManualDirs()); diff != "" {
		t.Errorf("--manuals, single (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]string{many}, w.ManualRoots()); diff != "" {
		t.Errorf("--manuals, folder of manuals (-want +got):\n%s", diff)
	}
	for _, bad := range []string{"", "nowhere", filepath.Join(single, "a.md")} {
		b.flags.Manuals = []string{bad}
		if _, err := b.load(); err == nil || !strings.Contains(err.Error(), "--manuals") {
			t.Errorf("--manuals %q: %v", bad, err)
		}
	}
	b.write(filepath.Join(b.home, "again", "docs", "a.md"), "# a\n")
	b.flags.Manuals = []string{single, filepath.Join(b.home, "again", "docs")}
	if _, err := b.load(); err == nil || !strings.Contains(err.Error(), "two manuals are named docs") {
		t.Errorf("two manuals of one name: %v", err)
	}
}

func TestManuals(t *testing.T) {
	b := newBench(t)
	w := b.mustLoad()
	if got, err := w.Manuals(t.Context()); err != nil || len(got) != 0 {
		t.Errorf("without manuals: %v, %v", got, err)
	}
	if !strings.Contains(w.Hint(t.Context(), false), w.ManualsRoot) || !strings.Contains(w.Hint(t.Context(), false), "--manuals") {
		t.Errorf("hint: %s", w.Hint(t.Context(), false))
	}
	b.write(filepath.Join(b.root, "loose.md"), "# x\n")
	if advice := b.mustLoad().Hint(t.Context(), true); strings.Contains(advice, b.root) || !strings.Contains(advice, "1 Markdown files") || !strings.Contains(advice, "--manuals") {
		t.Errorf("advice: %s", advice)
	}
	b.write(filepath.Join(b.root, "manuals", "b", "x.md"), "# x\n")
	b.write(filepath.Join(b.home, "far", "x.md"), "# x\n")
	b.user("[manuals]\na = '" + filepath.Join(b.home, "far") + "'\n")
	got, err := b.mustLoad().Manuals(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	want := []corpus.Manual{{ID: "a", Dir: filepath.Join(b.home, "far")}, {ID: "b", Dir: filepath.Join(b.root, "manuals", "b")}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("manuals (-want +got):\n%s", diff)
	}
	b.user("[manuals]\nb = '" + filepath.Join(b.home, "far") + "'\n")
	got, err = b.mustLoad().Manuals(t.Context())
	if diff := cmp.Diff([]corpus.Manual{{ID: "b", Dir: filepath.Join(b.home, "far")}}, got); diff != "" || err != nil {
		t.Errorf("a manual named by itself, %v (-want +got):\n%s", err, diff)
	}
	b.write(filepath.Join(b.home, "one", "same", "x.md"), "# x\n")
	b.write(filepath.Join(b.home, "two", "same", "x.md"), "# x\n")
	b.flags.Manuals = []string{filepath.Join(b.home, "one"), filepath.Join(b.home, "two")}
	if _, err := b.mustLoad().Manuals(t.Context()); err == nil || !strings.Contains(err.Error(), "two manuals are named same") {
		t.Errorf("two manuals of one name: %v", err)
	}
	b.flags.Manuals[1] = filepath.Join(b.home, "two", "same")
	if got, err := b.mustLoad().Manuals(t.Context()); err == nil || !strings.Contains(err.Error(), "two manuals are named same") {
		t.Errorf("a manual and a folder with one of its name: %v, %v", got, err)
	}
	b.flags.Manuals[0] = filepath.Join(b.home, "two")
	if got, err := b.mustLoad().Manuals(t.Context()); err != nil || len(got) != 1 {
		t.Errorf("a manual and its folder: %v, %v", got, err)
	}
}

func TestRegisterFlags(t *testing.T) {
	fs := pflag.NewFlagSet("x", pflag.ContinueOnError)
	f := workspace.RegisterFlags(fs, nil)
	if err := fs.Parse([]string{"--workspace", "w", "--read-only", "--trace-max-keep=7", "--manuals", "a", "--manuals", "b,c"}); err != nil {
		t.Fatal(err)
	}
	want := workspace.Flags{
		Values:  map[string]string{"WORKSPACE_ROOT": "w", "READ_ONLY": "true", "TRACE_MAX_KEEP": "7"},
		Manuals: []string{"a", "b,c"},
	}
	if diff := cmp.Diff(want, *f); diff != "" {
		t.Errorf("flags (-want +got):\n%s", diff)
	}
	for _, name := range workspace.FlagNames() {
		if fs.Lookup(name) == nil {
			t.Errorf("no flag %s", name)
		}
	}
}
