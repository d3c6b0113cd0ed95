package host

import (
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// names lists a directory.
func names(t testing.TB, dir string) []string {
	t.Helper()
	entries, err := os.ReadDir(dir)
	must(t, err)
	out := []string{}
	for _, e := range entries {
		out = append(out, e.Name())
	}
	return out
}

func TestSweep(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("there the temporary directory is not found by TMPDIR")
	}
	temp := t.TempDir()
	t.Setenv("TMPDIR", temp)
	leave := func(name string, mode os.FileMode, files ...string) {
		dir := filepath.Join(temp, name)
		must(t, os.MkdirAll(filepath.Join(dir, "1"), 0o700))
		for _, f := range files {
			must(t, os.WriteFile(filepath.Join(dir, f), nil, 0o600))
		}
		must(t, os.Chmod(dir, mode))
	}
	leave("sagasu1", 0o700, tempLock, "1/plugin7") // the only one to go, with the empty one
	leave("sagasu2", 0o755, tempLock)              // anybody's
	leave("sagasu-3", 0o700, tempLock)             // not a name that a host gives
	leave("sagasu4", 0o700, "notes")               // never locked
	leave("elsewhere", 0o700, tempLock)
	must(t, os.Mkdir(filepath.Join(temp, "sagasu5"), 0o700))
	must(t, os.Symlink(filepath.Join(temp, "elsewhere"), filepath.Join(temp, "sagasu6")))
	alive, err := newTempDir()
	must(t, err)

	before := names(t, temp)
	if sweep(tempAge); !cmp.Equal(before, names(t, temp)) {
		t.Errorf("young directories were removed: %v", names(t, temp))
	}
	sweep(0)
	want := []string{"elsewhere", "sagasu-3", "sagasu2", "sagasu4", "sagasu6", filepath.Base(alive.path)}
	got := map[string]bool{}
	for _, name := range names(t, temp) {
		got[name] = true
	}
	for _, name := range want {
		if !got[name] {
			t.Errorf("%s was removed", name)
		}
	}
	if len(got) != len(want) {
		t.Errorf("left are %v", got)
	}
	alive.close()
	if _, err := os.Stat(alive.path); !os.IsNotExist(err) {
		t.Errorf("a closed directory stays: %v", err)
	}
}
