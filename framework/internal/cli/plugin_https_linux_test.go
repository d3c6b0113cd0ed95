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
	for hash, want := range map[string]string{
		sum: "installed titles 0.1 (retrieve) from " + server.URL, strings.Repeat("0", 64): "was expected",
	} {
		cmd := exec.Command(binary, "plugin", "install", server.URL+"/titles_linux", "--sha256", hash)
		cmd.Env = env
		if out, _ := cmd.CombinedOutput(); !strings.Contains(string(out), want) {
			t.Errorf("%s, want %q", out, want)
		}
	}
}
