package host

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
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

// TestTempDirectoryCannotBeMadeAtFirst has a strategy start once there is room for it.
func TestTempDirectoryCannotBeMadeAtFirst(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("there the temporary directory is not found by TMPDIR")
	}
	h, snap := start(t, options(t, "actor"))
	temp := filepath.Join(os.Getenv("TMPDIR"), "later")
	t.Setenv("TMPDIR", temp)
	if _, err := h.Search(t.Context(), "actor", request(snap, "find")); !errors.Is(err, fs.ErrNotExist) {
		t.Fatalf("without a directory a search gave %v", err)
	}
	must(t, os.Mkdir(temp, 0o700))
	ask(t, h, snap, "pid")
	must(t, h.Close())
	must(t, os.Remove(temp))
}

// TestTempDirectoryRemoved has somebody clear away what an idle host has made.
func TestTempDirectoryRemoved(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("there the temporary directory is not found by TMPDIR")
	}
	o := options(t, "one", "two")
	h, snap := start(t, o)
	before := ask(t, h, snap, "pid")
	for _, name := range names(t, os.TempDir()) {
		must(t, os.RemoveAll(filepath.Join(os.TempDir(), name)))
	}
	if _, err := h.Search(t.Context(), "two", request(snap, "find")); err != nil {
		t.Errorf("a strategy that is started later: %v", err)
	}
	if after := ask(t, h, snap, "pid"); after == before {
		t.Error("a process that can write nothing any more was kept")
	}
	if got := ask(t, h, snap, "write "+filepath.Join(ask(t, h, snap, "temp"), "x")); got != "ok" {
		t.Errorf("a temporary file: %s", got)
	}
	for _, st := range h.Status() {
		if st.Failures != 0 || st.LastError != "" {
			t.Errorf("status %+v", st)
		}
	}
}

// TestSocketsFitIntoTheTemporaryDirectory has a strategy listen in the longest directory that is long enough for any,
// and the host say why it starts none in a longer one.
func TestSocketsFitIntoTheTemporaryDirectory(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("there strategies listen on TCP")
	}
	base, err := os.MkdirTemp("/tmp", "") // that of the test may be too long already
	must(t, err)
	t.Cleanup(func() { must(t, os.RemoveAll(base)) })
	longest := maxSocketPath - len("/"+longestSocket)
	for length, want := range map[int]error{longest: nil, longest + 1: ErrLongTemp} {
		h, snap := start(t, options(t, "actor"))
		temp := filepath.Join(base, strings.Repeat("x", length-len(base+"/")))
		must(t, os.Mkdir(temp, 0o700))
		t.Setenv("TMPDIR", temp)
		_, err := h.Search(t.Context(), "actor", request(snap, "find"))
		if !errors.Is(err, want) {
			t.Errorf("in a directory of length %d a search gave %v", length, err)
		}
		for range 200 {
			dir, err := h.processDir()
			if !errors.Is(err, want) {
				t.Fatal(err)
			}
			if path := filepath.Join(dir, filepath.Base(longestSocket)); len(path) > maxSocketPath {
				t.Fatalf("a socket may be called %s", path)
			}
		}
		must(t, h.Close())
	}
}
