package cli

import (
	"archive/zip"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// publishModule makes version v0.0.1 of a module that go fetches from the folder proxy.
func publishModule(t *testing.T, proxy, module, dir string, folders ...string) {
	t.Helper()
	at := filepath.Join(proxy, filepath.FromSlash(module), "@v")
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	must(os.MkdirAll(at, 0o700))
	must(os.WriteFile(filepath.Join(at, "list"), []byte("v0.0.1\n"), 0o600))
	must(os.WriteFile(filepath.Join(at, "v0.0.1.info"), []byte(`{"Version":"v0.0.1","Time":"2026-01-01T00:00:00Z"}`), 0o600))
	must(os.WriteFile(filepath.Join(at, "v0.0.1.mod"), []byte(fileText(t, filepath.Join(dir, "go.mod"))), 0o600))
	out, err := os.Create(filepath.Join(at, "v0.0.1.zip"))
	must(err)
	defer out.Close()
	z := zip.NewWriter(out)
	for _, folder := range folders {
		must(filepath.WalkDir(filepath.Join(dir, folder), func(path string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() {
				return err
			}
			name, err := filepath.Rel(dir, path)
			if err != nil {
				return err
			}
			w, err := z.Create(module + "@v0.0.1/" + filepath.ToSlash(name))
			if err == nil {
				_, err = w.Write([]byte(fileText(t, path)))
			}
			return err
		}))
	}
	must(z.Close())
}

// TestInstallAPublishedModule installs MODULE@VERSION from a proxy that is a folder.
func TestInstallAPublishedModule(t *testing.T) {
	proxy, dir := t.TempDir(), filepath.Join(t.TempDir(), "titles")
	writeTitles(t, dir)
	mod := fileText(t, filepath.Join(dir, "go.mod"))
	mod, _, _ = strings.Cut(mod, "\nreplace ")
	mod = strings.Replace(mod, "sagasu v0.0.0", "sagasu v0.0.1", 1)
	if err := os.WriteFile(filepath.Join(dir, "go.mod"), []byte(mod), 0o600); err != nil {
		t.Fatal(err)
	}
	publishModule(t, proxy, "example.com/titles", dir, "go.mod", "main.go")
	publishModule(t, proxy, "github.com/sagasu-search/sagasu", repository(t), "go.mod", "sdk")
	tools := toolchain(t, "-modcacherw -trimpath")
	env := append(buildEnvironment(t), "GOFLAGS="+tools["GOFLAGS"], "GOMODCACHE="+t.TempDir(),
		"GOPROXY=file://"+filepath.ToSlash(proxy)+",file://"+filepath.ToSlash(filepath.Join(tools["GOMODCACHE"], "cache", "download")))
	install := exec.Command(binary, "plugin", "install", "example.com/titles@v0.0.1")
	install.Env = env
	if out, err := install.CombinedOutput(); err != nil || !strings.Contains(string(out), "installed titles 0.1 (retrieve) from example.com/titles@v0.0.1") {
		t.Fatalf("%v\n%s", err, out)
	}
	find := exec.Command(binary, "find", "RAID", "--workspace", sample(t), "--explain")
	find.Env = env
	if out, err := find.CombinedOutput(); err != nil || !strings.Contains(string(out), "titles ") {
		t.Errorf("%v\n%s", err, out)
	}
}
