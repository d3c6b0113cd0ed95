package index

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

func TestDamageIsRepaired(t *testing.T) {
	flip := func(t *testing.T, path string) {
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		data[len(data)/2] ^= 4
		if err := errors.Join(os.Remove(path), os.WriteFile(path, data, 0o600)); err != nil {
			t.Fatal(err)
		}
	}
	for name, damage := range map[string]func(t *testing.T, dir string){
		"segment":       func(t *testing.T, dir string) { flip(t, filepath.Join(dir, "manual-000001.seg")) },
		"manifest":      func(t *testing.T, dir string) { flip(t, filepath.Join(dir, "manual-000001.json")) },
		"current":       func(t *testing.T, dir string) { flip(t, filepath.Join(dir, "CURRENT-manual")) },
		"segment cut":   func(t *testing.T, dir string) { os.Truncate(filepath.Join(dir, "manual-000001.seg"), 99) },
		"segment gone":  func(t *testing.T, dir string) { os.Remove(filepath.Join(dir, "manual-000001.seg")) },
		"current gone":  func(t *testing.T, dir string) { os.Remove(filepath.Join(dir, "CURRENT-manual")) },
		"everything":    func(t *testing.T, dir string) { os.RemoveAll(dir) },
		"empty segment": func(t *testing.T, dir string) { os.Truncate(filepath.Join(dir, "manual-000001.seg"), 0) },
	} {
		t.Run(name, func(t *testing.T) {
			b := newBench(t)
			first := b.open()
			b.name(first)
			first.Close()
			damage(t, b.dir)
			x := b.open()
			snap, release := b.acquire(x)
			defer release()
			if snap.DocFreq("appl") != 1 || snap.Bound() != 4 {
				t.Error("the repaired index lacks sections")
			}
			if name := b.name(x); name != snap.Name() {
				t.Errorf("built again: %s", name)
			}
		})
	}
}

func TestDamagedFilesAreSetAside(t *testing.T) {
	b := newBench(t)
	x := b.open()
	b.name(x)
	x.Close()
	if err := os.Truncate(filepath.Join(b.dir, "manual-000001.seg"), 99); err != nil {
		t.Fatal(err)
	}
	if st, err := b.open().State(t.Context()); err != nil || !strings.Contains(st.Damage, "manual-000001.seg") {
		t.Errorf("State.Damage = %q, %v", st.Damage, err)
	}
	b.name(b.open())
	for _, want := range []string{"manual-000001.seg.damaged", "manual-000001.json.damaged", "manual-000002.seg"} {
		if !slices.Contains(b.files(), want) {
			t.Errorf("%s is missing from %v", want, b.files())
		}
	}
}

func TestOldSnapshotsAreRemovedWhenReleased(t *testing.T) {
	b := newBench(t)
	x := b.open()
	_, release := b.acquire(x)
	b.write("a/one.md", "second")
	b.name(x)
	if !slices.Contains(b.files(), "manual-000001.json") {
		t.Error("a snapshot in use was removed")
	}
	release()
	release() // harmless
	for until := time.Now().Add(10 * time.Second); slices.Contains(b.files(), "manual-000001.json"); {
		if time.Now().After(until) { // a merge that is under way removes it when it ends
			t.Fatalf("a snapshot that nobody uses is still there: %v", b.files())
		}
		time.Sleep(time.Millisecond)
	}
}

func TestMissingIndexDirectoryParentIsMade(t *testing.T) {
	b := newBench(t)
	b.dir = filepath.Join(b.dir, "deep", "er")
	b.name(b.open())
	if _, err := os.Stat(b.dir); errors.Is(err, fs.ErrNotExist) {
		t.Error("no directory")
	}
}
