package rootfs_test

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/sagasu-search/sagasu/framework/internal/rootfs"
	"github.com/sagasu-search/sagasu/framework/internal/toolset"
)

func fsValid(path string) bool { return fs.ValidPath(path) && path != "." }

// tree makes a root with some files and opens it.
func tree(t *testing.T) (*rootfs.Root, string) {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "root")
	for _, name := range []string{"guide/setup.md", "guide/sub/a.md", "top.json", "か\u3099いど.md", "パス.md"} {
		put(t, filepath.Join(dir, name), name)
	}
	root, err := rootfs.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { root.Close() })
	return root, dir
}

func put(t *testing.T, name, content string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, []byte(content), 0o644); err != nil {
		t.Fatal(err)
	}
}

func link(t *testing.T, target, name string) {
	t.Helper()
	if err := os.Symlink(target, name); err != nil {
		t.Skip("no symbolic links here: ", err)
	}
}

func TestReadFile(t *testing.T) {
	root, _ := tree(t)
	for path, want := range map[string]string{
		"guide/setup.md":     "guide/setup.md",
		` .\guide\sub/a.md `: "guide/sub/a.md",
		"がいど.md":             "か\u3099いど.md",
		"ハ\u309aス.md":        "パス.md",
	} {
		got, err := root.ReadFile(path)
		if err != nil || string(got) != want {
			t.Errorf("ReadFile(%q) = %q, %v", path, got, err)
		}
	}
	if stored, _, err := root.Stat("がいど.md"); err != nil || stored != "か\u3099いど.md" {
		t.Errorf("stored as %q, %v", stored, err)
	}
}

// If the file system ignores case, a file still has only one path.
func TestStatInOtherCase(t *testing.T) {
	root, _ := tree(t)
	for given, want := range map[string]string{
		"Guide/SETUP.md": "guide/setup.md", "guide/Sub": "guide/sub", "GUIDE/sub/a.md": "guide/sub/a.md", "パス.MD": "パス.md",
	} {
		if stored, _, err := root.Stat(given); err == nil && stored != want || err != nil && toolset.AsError(err).Code != toolset.NotFound {
			t.Errorf("%q is stored as %q, %v", given, stored, err)
		}
	}
}

func TestReadFileRefuses(t *testing.T) {
	root, dir := tree(t)
	put(t, filepath.Join(dir, "..", "secret.md"), "secret")
	link(t, "../secret.md", filepath.Join(dir, "out.md"))
	link(t, "top.json", filepath.Join(dir, "in.json"))
	link(t, "guide", filepath.Join(dir, "linked"))
	link(t, "loop", filepath.Join(dir, "loop"))
	tests := []struct {
		path string
		code toolset.Code
		near []string
	}{
		{"../secret.md", toolset.InvalidPath, nil},
		{"out.md", toolset.Forbidden, nil},
		{"in.json", toolset.Forbidden, nil},
		{"linked/setup.md", toolset.Forbidden, nil},
		{"loop", toolset.Forbidden, nil},
		{"guide", toolset.InvalidPath, nil},
		{"top.json/a.md", toolset.NotFound, nil},
		{"guide/setpu.md", toolset.NotFound, []string{"guide/setup.md"}},
		{"giude/setup.md", toolset.NotFound, []string{"guide/setup.md"}},
		{"giude/none.md", toolset.NotFound, nil},
		{"ou.md", toolset.NotFound, nil},
		{"linkde/setup.md", toolset.NotFound, nil},
		{"back/slash.md", toolset.NotFound, nil},
		{"nothing-like-it.md", toolset.NotFound, nil},
		{longName, toolset.NotFound, nil},
	}
	for _, tt := range tests {
		src, err := root.ReadFile(tt.path)
		got, ok := errors.AsType[*toolset.Error](err)
		if !ok || got.Code != tt.code {
			t.Errorf("ReadFile(%q) = %q, %v; want %s", tt.path, src, err, tt.code)
			continue
		}
		near, _ := got.Details["did_you_mean"].([]string)
		if diff := cmp.Diff(tt.near, near); diff != "" {
			t.Errorf("ReadFile(%q): %s", tt.path, diff)
		}
	}
}

var longName = strings.Repeat("x", 5000)

func TestUnreadable(t *testing.T) {
	if runtime.GOOS == "windows" || os.Geteuid() == 0 {
		t.Skip("permissions do not bind this user")
	}
	root, dir := tree(t)
	if err := os.Chmod(filepath.Join(dir, "top.json"), 0); err != nil {
		t.Fatal(err)
	}
	_, err := root.ReadFile("top.json")
	if got := toolset.AsError(err); got.Code != toolset.NotAvailable {
		t.Error(err)
	}
}

func TestReadDir(t *testing.T) {
	root, _ := tree(t)
	entries, err := root.ReadDir("guide")
	if err != nil {
		t.Fatal(err)
	}
	names := []string{}
	for _, e := range entries {
		names = append(names, e.Name())
	}
	if diff := cmp.Diff([]string{"setup.md", "sub"}, names); diff != "" {
		t.Error(diff)
	}
	if all, err := root.ReadDir(""); err != nil || len(all) != 4 {
		t.Errorf("root lists %d entries, %v", len(all), err)
	}
	if _, err := root.ReadDir("top.json"); toolset.AsError(err).Code != toolset.InvalidPath {
		t.Errorf("a file as folder: %v", err)
	}
}

func TestRootMayBeALink(t *testing.T) {
	_, dir := tree(t)
	link(t, dir, dir+"-link")
	root, err := rootfs.Open(dir + "-link")
	if err != nil {
		t.Fatal(err)
	}
	defer root.Close()
	if _, err := root.ReadFile("top.json"); err != nil {
		t.Error(err)
	}
}

// A root that is a link is refused.
func TestOpenResolvedRefusesALink(t *testing.T) {
	_, dir := tree(t)
	link(t, dir, dir+"-link")
	if root, err := rootfs.OpenResolved(dir + "-link"); err == nil {
		t.Errorf("a link was opened: %v", root.Close())
	}
	root, err := rootfs.OpenResolved(dir)
	if err != nil {
		t.Fatal(err)
	}
	if err := root.Close(); err != nil {
		t.Error(err)
	}
}

// A folder is swapped with a link, to the outside or to another folder of the root, while files in it are read. Reading
// returns the file's own content or an error, never the link's target.
func TestRacesLeadNowhereElse(t *testing.T) {
	for _, target := range []string{"../secret", "secret"} {
		root, dir := tree(t)
		put(t, filepath.Join(dir, target, "setup.md"), "secret")
		link(t, target, filepath.Join(dir, "probe"))
		done := make(chan struct{})
		go func() {
			defer close(done)
			for range 1000 {
				os.Rename(filepath.Join(dir, "guide"), filepath.Join(dir, "away"))
				os.Symlink(target, filepath.Join(dir, "guide"))
				os.Remove(filepath.Join(dir, "guide"))
				os.Rename(filepath.Join(dir, "away"), filepath.Join(dir, "guide"))
			}
		}()
		for swapping := true; swapping; {
			src, err := root.ReadFile("guide/setup.md")
			if err == nil && string(src) != "guide/setup.md" {
				t.Errorf("%s: read %q through a race", target, src)
			}
			if err != nil && toolset.AsError(err).Code == toolset.Internal {
				t.Errorf("%s: a race is internal: %v", target, err)
			}
			select {
			case <-done:
				swapping = false
			default:
			}
		}
		if src, err := root.ReadFile("guide/setup.md"); err != nil {
			t.Errorf("%s: afterwards: %q, %v", target, src, err)
		}
	}
}
