//go:build soak

package cli

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestNodeClients installs the public MCP clients from npm and runs them
// against the server, as docs/testing.md says.
func TestNodeClients(t *testing.T) {
	dir := t.TempDir()
	script := filepath.Join("testdata", "client.mjs")
	for _, block := range blocks(t, "sh") {
		for _, line := range strings.Split(strings.TrimSpace(block), "\n") {
			if !nodeCommand(line) {
				continue
			}
			line = strings.NewReplacer("framework/internal/cli/testdata/client.mjs", "client.mjs", "testdata/workspace", sample(t), "$(which sagasu)", binary).Replace(line)
			source, err := os.ReadFile(script)
			if err == nil {
				err = os.WriteFile(filepath.Join(dir, "client.mjs"), source, 0o600)
			}
			if err != nil {
				t.Fatal(err)
			}
			cmd := exec.Command("sh", "-c", line)
			cmd.Dir = dir
			cmd.Env = append(os.Environ(), "PATH="+filepath.Join(dir, "node_modules", "node", "bin")+string(os.PathListSeparator)+filepath.Dir(binary)+string(os.PathListSeparator)+os.Getenv("PATH"))
			if out, err := cmd.CombinedOutput(); err != nil {
				t.Fatalf("%s: %v\n%s", line, err, out)
			} else if len(out) > 0 {
				t.Logf("%s\n%s", line, out[max(0, len(out)-200):])
			}
		}
	}
}
