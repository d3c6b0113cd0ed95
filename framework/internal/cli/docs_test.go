package cli

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/pelletier/go-toml/v2"

	"github.com/sagasu-search/sagasu/framework/internal/server"
)

var fence = regexp.MustCompile("(?ms)^```(\\w+)\n(.*?)^```$")

// blocks returns the fenced blocks of one language in the documents.
func blocks(t *testing.T, language string) []string {
	t.Helper()
	documents, err := filepath.Glob(filepath.Join(repository(t), "docs", "*.md"))
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, path := range append(documents, filepath.Join(repository(t), "README.md")) {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range fence.FindAllStringSubmatch(string(text), -1) {
			if m[1] == language {
				out = append(out, m[2])
			}
		}
	}
	return out
}

// words splits a command line as a shell does, as far as the documents need it.
var words = regexp.MustCompile(`"[^"]*"|'[^']*'|\S+`)

func split(line string) []string {
	out := words.FindAllString(line, -1)
	for i, w := range out {
		if len(w) > 1 && (w[0] == '"' || w[0] == '\'') {
			out[i] = w[1 : len(w)-1]
		}
	}
	return out
}

func TestCommandsOfTheDocumentsRun(t *testing.T) {
	ci, err := os.ReadFile(filepath.Join(repository(t), ".ci", "run"))
	if err != nil {
		t.Fatal(err)
	}
	env := environment(t)
	ran := 0
	for _, block := range blocks(t, "sh") {
		for _, line := range strings.Split(strings.TrimSpace(block), "\n") {
			args := split(line)
			switch {
			case strings.HasPrefix(line, "go run ./cmd/sagasu "):
				runDocumented(t, env, binary, args[3:])
			case scripted(t, line), inTutorial(t, line):
			case args[0] == "sagasu":
				runDocumented(t, env, binary, args[1:])
			case line == "go install ./cmd/sagasu":
				runDocumented(t, append(os.Environ(), "GOBIN="+t.TempDir()), "go", args[1:])
			case line == "go test ./...":
				if !strings.Contains(string(ci), "\n"+line+"\n") {
					t.Errorf(".ci/run does not call %q", line)
				}
			case args[0] == "claude":
				checkServer(t, args[slices.Index(args, "--")+1:])
			default:
				t.Errorf("no test runs %q", line)
			}
			ran++
		}
	}
	if ran < 5 {
		t.Errorf("only %d commands were found", ran)
	}
}

// scripted reports whether a script runs a line, as those that need files of their own.
func scripted(t *testing.T, line string) bool {
	t.Helper()
	scripts, err := filepath.Glob(filepath.Join("testdata", "script", "*.txtar"))
	if err != nil {
		t.Fatal(err)
	}
	return slices.ContainsFunc(scripts, func(path string) bool {
		return strings.Contains(fileText(t, path), "\nexec "+line+"\n")
	})
}

func runDocumented(t *testing.T, env []string, program string, args []string) {
	t.Helper()
	cmd := exec.Command(program, args...)
	cmd.Dir, cmd.Env = repository(t), env
	out, err := cmd.CombinedOutput()
	if err != nil || len(out) == 0 && program == binary {
		t.Errorf("%s: %v\n%s", strings.Join(cmd.Args, " "), err, out)
	}
}

// checkServer starts the server as a client's configuration says.
func checkServer(t *testing.T, command []string) {
	t.Helper()
	workspace := strings.NewReplacer("/path/to/workspace", sample(t), "${workspaceFolder}", sample(t))
	for i := range command {
		command[i] = workspace.Replace(command[i])
	}
	if len(command) < 2 || command[0] != "sagasu" || command[1] != "mcp" {
		t.Fatalf("a client would start %q", command)
	}
	c := connect(t, environment(t), command[2:]...)
	if tools := string(c.request("tools/list", map[string]any{})); !strings.Contains(tools, "manual_find") {
		t.Errorf("%q offers %s", command, tools)
	}
}

// startCommand is how clients write down what to start.
type startCommand struct {
	Command string   `json:"command" toml:"command"`
	Args    []string `json:"args" toml:"args"`
	URL     string   `json:"url" toml:"url"` // of a server that runs, in place of a command
}

func TestClientConfigurationsStartTheServer(t *testing.T) {
	started, running := 0, 0
	check := func(all map[string]startCommand) {
		for _, s := range all {
			if strings.HasSuffix(s.URL, server.MCPPath) {
				running++
				continue
			}
			checkServer(t, append([]string{s.Command}, s.Args...))
			started++
		}
	}
	for _, block := range blocks(t, "toml") {
		var c struct {
			Servers map[string]startCommand `toml:"mcp_servers"`
		}
		if err := toml.Unmarshal([]byte(block), &c); err != nil {
			t.Errorf("%v in %s", err, block)
		}
		check(c.Servers)
	}
	for _, block := range blocks(t, "json") {
		var c struct {
			Cursor map[string]startCommand `json:"mcpServers"`
			VSCode map[string]startCommand `json:"servers"`
		}
		if err := json.Unmarshal([]byte(block), &c); err != nil {
			t.Errorf("%v in %s", err, block)
		}
		check(c.Cursor)
		check(c.VSCode)
	}
	if started != 3 || running != 3 {
		t.Errorf("%d configurations that start a server and %d of one that runs were found, want 3 and 3", started, running)
	}
}
