package cli

import (
	"encoding/pem"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/sagasu-search/sagasu/framework/internal/host/trust"
)

// TestInstallOverHTTPS installs a prebuilt executable from a server, whose certificate the process is told to trust.
func TestInstallOverHTTPS(t *testing.T) {
	buildsModules(t)
	dir := t.TempDir()
	writeTitles(t, filepath.Join(dir, "titles"))
	build := exec.Command("go", "build", "-o", filepath.Join(dir, "titles_linux"), ".")
	build.Dir = filepath.Join(dir, "titles")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	sum, err := trust.Hash(filepath.Join(dir, "titles_linux"))
	if err != nil {
		t.Fatal(err)
	}
	server := httptest.NewTLSServer(http.FileServer(http.Dir(dir)))
	defer server.Close()
	certificate := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: server.Certificate().Raw})
	if err := os.WriteFile(filepath.Join(dir, "ca.pem"), certificate, 0o600); err != nil {
		t.Fatal(err)
	}
	env := append(environment(t), "SSL_CERT_FILE="+filepath.Join(dir, "ca.pem"), "PATH=") // no toolchain
	says := func(want string, args ...string) {
		t.Helper()
		cmd := exec.Command(binary, append([]string{"plugin"}, args...)...)
		cmd.Env = env
		if out, _ := cmd.CombinedOutput(); !strings.Contains(string(out), want) {
			t.Errorf("%s, want %q", out, want)
		}
	}
	source := server.URL + "/titles_linux"
	says("was expected", "install", source, "--sha256", strings.Repeat("0", 64))
	says("installed titles 0.1 (retrieve) from "+source, "install", source, "--sha256", sum)
	// What is there still needs no sum, what has changed does, and so does what lies elsewhere.
	says("granted: sections of its own", "update", "titles", "--admit")
	says("needs --sha256", "update", "titles", source+"_2")
	if err := os.WriteFile(filepath.Join(dir, "titles_linux"), []byte("another"), 0o700); err != nil {
		t.Fatal(err)
	}
	says(sum+" was expected", "update", "titles")
}
