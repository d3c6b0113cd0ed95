package snapshot

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func listDir(t *testing.T, dir string) []string {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, e := range entries {
		names = append(names, e.Name())
	}
	return names
}

func TestRetireKeepsWhatIsCurrentOrInUse(t *testing.T) {
	dir, schema := t.TempDir(), ManualSchema(KindManual)
	first := publish(t, dir, schema, manual(1))
	second := publish(t, dir, schema, manual(2))
	third := publish(t, dir, schema, manual(3))
	for _, name := range []string{"manual-000009.seg.tmp", "CURRENT-manual.tmp", "manual-000003.seg", "vault-000001.seg", "builder.lock", "notes.txt"} {
		if err := os.WriteFile(filepath.Join(dir, name), nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	first.Close()
	if err := Retire(dir, KindManual); err != nil {
		t.Fatal(err)
	}
	want := []string{
		"CURRENT-manual", "builder.lock", "manual-000002.0.seg", "manual-000002.json",
		"manual-000003.0.seg", "manual-000003.json", "notes.txt", "vault-000001.seg",
	}
	if diff := cmp.Diff(want, listDir(t, dir)); diff != "" {
		t.Fatalf("while the second is in use (-want +got):\n%s", diff)
	}
	second.Close()
	third.Close() // the current one stays although nobody has it open
	if err := Retire(dir, KindManual); err != nil {
		t.Fatal(err)
	}
	want = []string{
		"CURRENT-manual", "builder.lock", "manual-000003.0.seg", "manual-000003.json", "notes.txt", "vault-000001.seg",
	}
	if diff := cmp.Diff(want, listDir(t, dir)); diff != "" {
		t.Errorf("when nobody holds one (-want +got):\n%s", diff)
	}
	if _, err := Open(dir, second.Name(), false); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a snapshot that was retired opens: %v", err)
	}
}

func TestSetAside(t *testing.T) {
	dir, schema := t.TempDir(), ManualSchema(KindManual)
	for i := range 2 {
		s := publish(t, dir, schema, manual(1))
		s.Close()
		if err := SetAside(dir, KindManual, s.Name(), s.Manifest().Segments[0].File); err != nil {
			t.Fatal(err)
		}
		if _, err := Open(dir, s.Name(), false); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("%d: a snapshot that was set aside opens: %v", i, err)
		}
	}
	want := []string{"CURRENT-manual", "manual-000002.0.seg.damaged", "manual-000002.json.damaged"}
	if diff := cmp.Diff(want, listDir(t, dir)); diff != "" {
		t.Errorf("only the last is kept (-want +got):\n%s", diff)
	}
}
