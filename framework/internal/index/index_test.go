package index

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/sagasu-search/sagasu/framework/internal/corpus"
	"github.com/sagasu-search/sagasu/sdk/snapshot"
)

// bench is a folder of manuals and an index directory for it.
type bench struct {
	*testing.T
	root, dir string
}

func newBench(t *testing.T) *bench {
	b := &bench{t, filepath.Join(t.TempDir(), "manuals"), filepath.Join(t.TempDir(), "index")}
	b.write("a/one.md", "# One\napple\n## Child\nbanana\n")
	b.write("a/sub/two.md", "# Two\ncherry\n")
	b.write("b/data.json", `{"fruit":"date"}`)
	return b
}

func (b *bench) write(path, content string) {
	b.Helper()
	path = filepath.Join(b.root, path)
	if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o700), os.WriteFile(path, []byte(content), 0o600)); err != nil {
		b.Fatal(err)
	}
}

func (b *bench) options() Options {
	return Options{Live: true, Dir: b.dir, Source: corpus.ManualSource{}, Manuals: func(context.Context) ([]corpus.Manual, error) {
		return corpus.Manuals(b.root, nil)
	}}
}

func (b *bench) open() *Index {
	b.Helper()
	x, err := Open(b.options())
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { x.Close() })
	return x
}

// acquire checks the files for sure, however long that takes.
func (b *bench) acquire(x *Index) (*snapshot.Snapshot, func()) {
	b.Helper()
	x.addPending(pendingChanges{all: true})
	v, err := x.View(b.Context(), time.Hour)
	if err != nil {
		b.Fatal(err)
	}
	return v.Snapshot, v.Release
}

// watches reports whether the system tells x of changes.
func (b *bench) watches(x *Index) bool {
	x.mu.Lock()
	defer x.mu.Unlock()
	return x.watched()
}

// name returns the name of the snapshot that x gives now.
func (b *bench) name(x *Index) string {
	b.Helper()
	snap, release := b.acquire(x)
	defer release()
	return snap.Name()
}

// files lists the index directory.
func (b *bench) files() []string {
	b.Helper()
	entries, err := os.ReadDir(b.dir)
	if err != nil {
		b.Fatal(err)
	}
	var names []string
	for _, e := range entries {
		names = append(names, e.Name())
	}
	return names
}

func sections(snap *snapshot.Snapshot) []string {
	var out []string
	for id := range snap.Bound() {
		s, _ := snap.Section(id)
		out = append(out, strings.Join([]string{s.Group, s.Path, snap.Source(id, snapshot.FieldHeading), snap.Source(id, snapshot.FieldBody)}, "|"))
	}
	return out
}

func TestFirstAcquireBuilds(t *testing.T) {
	b := newBench(t)
	var phases []Phase
	opts := b.options()
	opts.Progress = func(p Progress) {
		if len(phases) == 0 || phases[len(phases)-1] != p.Phase {
			phases = append(phases, p.Phase)
		}
	}
	x, err := Open(opts)
	if err != nil {
		t.Fatal(err)
	}
	defer x.Close()
	snap, release := b.acquire(x)
	defer release()
	want := []string{
		"a|one.md|One|apple\n", "a|one.md|One > Child|banana\n", "a|sub/two.md|Two|cherry\n",
		`b|data.json|data|{"fruit":"date"}`,
	}
	if diff := cmp.Diff(want, sections(snap)); diff != "" {
		t.Errorf("sections (-want +got):\n%s", diff)
	}
	if child, _ := snap.Section(1); child.Parent != 0 {
		t.Errorf("the child's parent is %d", child.Parent)
	}
	if diff := cmp.Diff([]Phase{PhaseWalk, PhaseIndex, PhaseWrite}, phases); diff != "" {
		t.Errorf("phases (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]string{"CURRENT-manual", lockFile, "manual-000001.json", "manual-000001.seg", useFile}, b.files()); diff != "" {
		t.Errorf("index directory (-want +got):\n%s", diff)
	}
	if info, _ := os.Stat(b.dir); info.Mode().Perm() != 0o700 {
		t.Errorf("mode %v", info.Mode())
	}
}

func TestBuildAndEnsure(t *testing.T) {
	b := newBench(t)
	x := b.open()
	built, err := x.exclusive(t.Context(), false, nil)
	if err != nil {
		t.Fatal(err)
	}
	if !built.Built || built.Sections != 4 || built.Files != 3 || built.Bytes == 0 || built.DiskBytes == 0 {
		t.Errorf("first report %+v", built)
	}
	same, err := x.exclusive(t.Context(), false, nil)
	if err != nil || same.Built || same.Snapshot != built.Snapshot || same.Sections != 4 {
		t.Errorf("second report %+v, %v", same, err)
	}
	forced, err := x.Build(t.Context())
	if err != nil || !forced.Built || forced.Snapshot == built.Snapshot || forced.Sections != 4 {
		t.Errorf("forced report %+v, %v", forced, err)
	}
}

func TestState(t *testing.T) {
	b := newBench(t)
	x := b.open()
	if st, err := x.State(t.Context()); err != nil || st.Snapshot != "" || st.Fresh || st.Damage != "" {
		t.Errorf("before the first build: %+v, %v", st, err)
	}
	b.name(x)
	st, err := x.State(t.Context())
	if err != nil || !st.Fresh || st.Sections != 4 || st.Files != 3 || st.DiskBytes == 0 || st.Dir != b.dir {
		t.Errorf("after it: %+v, %v", st, err)
	}
	b.write("a/one.md", "edited")
	if st, err := x.State(t.Context()); err != nil || st.Fresh || st.Snapshot != "manual-000001" {
		t.Errorf("after an edit: %+v, %v", st, err)
	}
}

func TestDir(t *testing.T) {
	dirs := map[string]bool{}
	for _, roots := range [][]string{{"/w"}, {"/v"}, {"/w", "/m"}, {"/w", "/m", "/n"}, {"/w", "/m/n"}} {
		dir := Dir("/cache", snapshot.KindManual, roots...)
		if !strings.HasPrefix(dir, filepath.Join("/cache", "index")+string(filepath.Separator)) || dirs[dir] {
			t.Errorf("Dir of %v = %s", roots, dir)
		}
		dirs[dir] = true
	}
	if !dirs[Dir("/cache", snapshot.KindManual, "/w")] {
		t.Error("the same roots give another directory")
	}
	if dirs[Dir("/cache", snapshot.KindVault, "/w")] {
		t.Error("another kind gives the same directory")
	}
}

func (b *bench) removeIndexFile(name string) {
	b.Helper()
	if err := os.Remove(filepath.Join(b.dir, name)); err != nil {
		b.Fatal(err)
	}
}
