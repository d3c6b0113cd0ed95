package bench

import (
	"context"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/sagasu-search/sagasu/framework/internal/eval"
	"github.com/sagasu-search/sagasu/framework/internal/search/adapt"
	"github.com/sagasu-search/sagasu/framework/internal/workspace"
	"github.com/sagasu-search/sagasu/sdk/snapshot"
)

func TestHomeIsAPrivateUser(t *testing.T) {
	manuals := manualsOf(t, shelf)
	t.Setenv("XDG_CACHE_HOME", "/not/here")
	h, err := newHome(t.TempDir(), manuals)
	if err != nil {
		t.Fatal(err)
	}
	w, err := workspace.Load(workspace.LoadOptions{Schema: workspace.Schema{adapt.Options{}}, Getenv: h.Getenv})
	if err != nil {
		t.Fatal(err)
	}
	found, err := w.Manuals(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	var ids []string
	for _, m := range found {
		ids = append(ids, m.ID)
	}
	if diff := cmp.Diff([]string{probeID, "kettle", "oven"}, ids); diff != "" {
		t.Error(diff)
	}
	for _, dir := range []string{w.CacheHome, w.StateHome, w.ConfigHome, w.Root} {
		if real, err := filepath.EvalSymlinks(h.Dir); err != nil || !strings.HasPrefix(dir, h.Dir) && !strings.HasPrefix(dir, real) {
			t.Errorf("%s is not in %s", dir, h.Dir)
		}
	}
	if workspace.Of[adapt.Options](w).Tuning {
		t.Error("the home adapts to use")
	}
}

func TestEnvironOverrides(t *testing.T) {
	t.Setenv("XDG_CACHE_HOME", "/not/here")
	t.Setenv("SAGASU_BENCH_TEST", "kept")
	h, err := newHome(t.TempDir(), nil)
	if err != nil {
		t.Fatal(err)
	}
	env := (&exec.Cmd{Env: h.environ()}).Environ()
	count := 0
	for _, pair := range env {
		if name, _, _ := strings.Cut(pair, "="); strings.EqualFold(name, "XDG_CACHE_HOME") {
			count++
		}
	}
	if count != 1 || slices.Contains(env, "XDG_CACHE_HOME=/not/here") || !slices.Contains(env, "SAGASU_BENCH_TEST=kept") {
		t.Errorf("environment %q", env)
	}
}

func TestSectionsAreNumberedAsInTheIndex(t *testing.T) {
	ctx := context.Background()
	files, err := Read(ctx, manualsOf(t, shelf))
	if err != nil {
		t.Fatal(err)
	}
	sections := cut(files)
	dir := t.TempDir()
	name, bytes, err := writeIndex(ctx, dir, files, sections)
	if err != nil || bytes == 0 {
		t.Fatal(bytes, err)
	}
	snap, err := snapshot.Open(dir, name, true)
	if err != nil {
		t.Fatal(err)
	}
	defer snap.Close()
	r := &run{}
	texts, bytesRead := r.number(files, sections)
	if int(snap.Bound()) != len(texts) || len(texts) != 5 || len(r.targets) != 5 || bytesRead == 0 {
		t.Fatalf("%d sections, %d texts, %d targets, %d bytes", snap.Bound(), len(texts), len(r.targets), bytesRead)
	}
	for i, target := range r.targets {
		id := uint32(i)
		s, _ := snap.Section(id)
		if diff := cmp.Diff(target, eval.Target{ManualID: s.Group, Path: s.Path, StartLine: s.Start}); diff != "" {
			t.Errorf("section %d: %s", i, diff)
		}
		if texts[i] != snap.Source(id, snapshot.FieldHeading)+"\n"+snap.Source(id, snapshot.FieldBody) {
			t.Errorf("section %d has another text", i)
		}
	}
}

func TestReadLeavesOutWhatIsNoText(t *testing.T) {
	files, err := Read(context.Background(), manualsOf(t, map[string]string{
		"m/a.md": "# A\n", "m/broken.md": "\xff\x01\x02", "m/picture.png": "x", "m/.git/b.md": "# B\n", "m/c.json": `{"a": 1}`,
	}))
	var names []string
	for _, f := range files {
		names = append(names, f.Path)
	}
	if diff := cmp.Diff([]string{"a.md", "c.json"}, names); err != nil || diff != "" {
		t.Error(err, diff)
	}
}

func TestSpaced(t *testing.T) {
	var all []eval.Query
	for _, id := range "abcdefghij" {
		all = append(all, eval.Query{ID: string(id)})
	}
	for n, want := range map[int]string{1: "a", 3: "adg", 10: "abcdefghij", 99: "abcdefghij"} {
		got := ""
		for _, q := range spaced(all, n) {
			got += q.ID
		}
		if got != want {
			t.Errorf("%d of ten: %q, want %q", n, got, want)
		}
	}
}

func TestLanguage(t *testing.T) {
	ja, en := "日本語の text", "plain text"
	for _, tc := range []struct {
		texts []string
		want  string
	}{
		{[]string{ja}, "ja"}, {[]string{en}, "en"},
		{append(slices.Repeat([]string{en}, 9), ja), "ja"}, {append(slices.Repeat([]string{en}, 19), ja), "en"},
	} {
		if got := languageOf(tc.texts); got != tc.want {
			t.Errorf("%d texts: %s, want %s", len(tc.texts), got, tc.want)
		}
	}
}

func TestInTurnWarmsUpAndChangesOrder(t *testing.T) {
	r := &run{Options: Options{Queries: []eval.Query{{Query: "a"}, {Query: "b"}, {Query: "c"}}}, ctx: context.Background()}
	var order []string
	note := func(who string) ask {
		return func(query string) (d time.Duration, err error) { order = append(order, who+query); return d, nil }
	}
	times, err := r.inTurn("test", note("1"), note("2"))
	if err != nil || len(times[0]) != 3 || len(times[1]) != 3 {
		t.Fatal(times, err)
	}
	want := []string{"1a", "2a", "2b", "1b", "1c", "2c", "2a", "1a", "1b", "2b", "2c", "1c"}
	if diff := cmp.Diff(want, order); diff != "" {
		t.Error(diff)
	}
}
