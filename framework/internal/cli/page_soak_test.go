//go:build soak

package cli

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// TestPageInABrowser drives the page of a real server in headless Chromium, see testdata/browser.mjs. SAGASU_SHOTS names
// a folder for the screenshots, CHROMIUM the browser.
func TestPageInABrowser(t *testing.T) {
	for _, program := range []string{"node", "npm", "chromium"} {
		if _, err := exec.LookPath(program); err != nil && (program != "chromium" || os.Getenv("CHROMIUM") == "") {
			t.Skipf("%s is not installed", program)
		}
	}
	dir, shots := t.TempDir(), os.Getenv("SAGASU_SHOTS")
	if shots == "" {
		shots = filepath.Join(dir, "shots")
	}
	script, err := os.ReadFile(filepath.Join("testdata", "browser.mjs"))
	if err == nil {
		err = os.WriteFile(filepath.Join(dir, "browser.mjs"), script, 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
	run := func(name string, args ...string) {
		t.Helper()
		cmd := exec.Command(name, args...)
		cmd.Dir = dir
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("%s: %v\n%s", name, err, out)
		}
		t.Logf("%s", out)
	}
	run("npm", "install", "--no-audit", "--no-fund", "puppeteer-core@24", "axe-core@4")
	s := serveOver(t, environment(t), "--workspace", sample(t), "--listen", "127.0.0.1:0")
	run("node", "browser.mjs", s.url+"/", shots)
}
