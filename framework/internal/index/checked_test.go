package index

import (
	"os"
	"path/filepath"
	"testing"
	"time"
)

// A file changed shortly before the index was built is read again by the first process that comes later, and by no other.
func TestFilesReadAgainAreKnownToOtherProcesses(t *testing.T) {
	b := newBench(t)
	b.name(b.open())
	kept := filepath.Join(b.dir, "manual-checked.gob")
	candidates := func() int {
		x := b.open()
		defer x.Close()
		if err := x.follow(); err != nil {
			t.Fatal(err)
		}
		c, err := x.findChanges(t.Context(), pendingChanges{all: true}, false)
		if err != nil {
			t.Fatal(err)
		}
		defer c.reader.close()
		return len(c.candidates)
	}
	if n := candidates(); n != 3 {
		t.Fatalf("%d files just written are read again, want 3", n)
	}
	x := b.open()
	b.name(x)
	for _, m := range x.known { // as if it had been read once the times had passed
		x.recheck(m.file, time.Now().Add(racy))
	}
	x.saveChecked()
	if n := candidates(); n != 0 {
		t.Errorf("%d files are read again", n)
	}
	b.write("a/one.md", "# One\napricot\n")
	if n := candidates(); n != 1 {
		t.Errorf("%d files are read again after one was edited", n)
	}
	if err := os.WriteFile(kept, []byte("damaged"), 0o600); err != nil {
		t.Fatal(err)
	}
	if n := candidates(); n != 3 {
		t.Errorf("%d files are read again where the list is damaged, want 3", n)
	}
}

func TestTouchedFilesAreRemembered(t *testing.T) {
	b := newBench(t)
	x := b.open()
	first := b.name(x)
	when := time.Now().Add(-time.Hour)
	if err := os.Chtimes(filepath.Join(b.root, "a/one.md"), when, when); err != nil {
		t.Fatal(err)
	}
	if name := b.name(x); name != first {
		t.Fatalf("a touched file made %s", name)
	}
	got, err := readChecked(b.dir, "manual-checked.gob")
	if err != nil || got[key{"a", "one.md"}].file.ModTime != when.UnixNano() {
		t.Errorf("%+v, %v", got, err)
	}
}

func FuzzChecked(f *testing.F) {
	dir := f.TempDir()
	m := memory{{"a", "one.md"}: {read: time.Unix(1, 0), again: true}}
	if err := m.write(dir, "manual-checked.gob"); err != nil {
		f.Fatal(err)
	}
	data, err := os.ReadFile(filepath.Join(dir, "manual-checked.gob"))
	if err != nil {
		f.Fatal(err)
	}
	f.Add(data)
	f.Fuzz(func(t *testing.T, data []byte) {
		m, err := decodeChecked(data)
		if err != nil {
			return
		}
		for _, k := range m {
			k.unchanged(k.file)
		}
	})
}
