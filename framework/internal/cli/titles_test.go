package cli

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// toolchain returns the environment in which a test builds with Go as this one was built, with more flags,
// whatever home it has, and fetches nothing. The same flags let it find in the cache what was compiled before.
func toolchain(t testing.TB, flags string) map[string]string {
	t.Helper()
	out, err := exec.Command("go", "env", "GOMODCACHE", "GOCACHE", "GOFLAGS").Output()
	if err != nil {
		t.Fatal(err)
	}
	of := strings.Split(string(out), "\n")
	return map[string]string{
		"GOMODCACHE": of[0], "GOCACHE": of[1], "GOFLAGS": of[2] + " " + flags, "GOPROXY": "off", "GONOSUMDB": "*",
	}
}

// writeTitles makes a folder with the module of a third party's strategy.
func writeTitles(t testing.TB, dir string) { writeModule(t, dir, "titles") }

// writeModule makes a folder with a module of a third party, whose main.go is in a folder of testdata.
func writeModule(t testing.TB, dir, name string) {
	t.Helper()
	ours := fileText(t, filepath.Join(repository(t), "go.mod"))
	ours = strings.Replace(ours, "module github.com/sagasu-search/sagasu", "module example.com/"+name, 1)
	ours, _, _ = strings.Cut(ours, "\ntool ")
	files := map[string]string{
		"go.mod":  ours + "\nrequire github.com/sagasu-search/sagasu v0.0.0\n\nreplace github.com/sagasu-search/sagasu => " + filepath.ToSlash(repository(t)) + "\n",
		"go.sum":  fileText(t, filepath.Join(repository(t), "go.sum")),
		"main.go": fileText(t, filepath.Join("testdata", name, "main.go")),
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
}
