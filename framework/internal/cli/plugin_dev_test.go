package cli

import (
	"bufio"
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/hashicorp/go-hclog"

	"github.com/sagasu-search/sagasu/framework/internal/host/trust"
)

// heard is what a process says on stderr.
type heard struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (h *heard) Write(p []byte) (int, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.text.Write(p)
}

func (h *heard) String() string {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.text.String()
}

// await waits until the process has said something.
func (h *heard) await(t *testing.T, what string) []string {
	t.Helper()
	pattern := regexp.MustCompile(what)
	for end := time.Now().Add(2 * time.Minute); time.Now().Before(end); time.Sleep(20 * time.Millisecond) {
		if m := pattern.FindStringSubmatch(h.String()); m != nil {
			return m
		}
	}
	t.Fatalf("nobody said %q but\n%s", what, h)
	return nil
}

func buildEnvironment(t *testing.T) []string {
	env := environment(t)
	for name, value := range toolchain(t, "-mod=mod") {
		env = append(env, name+"="+value)
	}
	return env
}

func TestStrategyUnderADebugger(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("there are no interrupts to end it with")
	}
	dir := filepath.Join(t.TempDir(), "titles")
	writeTitles(t, dir)
	source := filepath.Join(dir, "main.go")
	prints := strings.NewReplacer("c.Score++", `os.Stdout.WriteString("printed\n")`+"\nc.Score++", `"slices"`, "\"os\"\n\"slices\"")
	if err := os.WriteFile(source, []byte(prints.Replace(fileText(t, source))), 0o600); err != nil {
		t.Fatal(err)
	}
	var said heard
	dev := exec.Command(binary, "plugin", "dev", dir, "--debug")
	dev.Env, dev.Stderr = buildEnvironment(t), &said
	if err := dev.Start(); err != nil {
		t.Fatal(err)
	}
	defer func() { _ = dev.Process.Kill() }() // unless it has ended
	m := said.await(t, `process (\d+) waits[\s\S]*dlv attach (\d+) .*\n[\s\S]*--reattach '(.*)' --`)
	if m[1] != m[2] {
		t.Errorf("it is process %s, told to be %s", m[1], m[2])
	}
	for range 2 { // it outlives the command that uses it
		find := exec.Command(binary, "plugin", "dev", "--reattach", m[3], "--", "find", "RAID", "--workspace", sample(t), "--explain")
		find.Env = dev.Env
		out, err := find.CombinedOutput()
		if err != nil || !strings.Contains(string(out), "titles ") || !strings.Contains(string(out), "DEVELOPMENT: titles is process "+m[1]+"; it is not installed, and nothing confines it") {
			t.Errorf("%v\n%s", err, out)
		}
	}
	said.await(t, "(?m)^printed$")
	if err := dev.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	if err := dev.Wait(); err != nil {
		t.Errorf("%v\n%s", err, &said)
	}
	if _, err := os.Stat("/proc/" + m[1]); err == nil {
		t.Error("the strategy outlives the command")
	}
}

func TestStrategyIsBuiltAgainWhenItChanges(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "titles")
	writeTitles(t, dir)
	source := filepath.Join(dir, "main.go")
	change := func(old, new string) {
		text := strings.Replace(fileText(t, source), old, new, 1)
		if err := os.WriteFile(source, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	var said heard
	server := exec.Command(binary, "plugin", "dev", dir, "--", "mcp", "--workspace", sample(t))
	server.Env, server.Stderr = buildEnvironment(t), &said
	stdin, err := server.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	stdout, err := server.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := server.Start(); err != nil {
		t.Fatal(err)
	}
	defer func() { _ = server.Process.Kill() }() // unless it has ended
	said.await(t, "DEVELOPMENT: titles is ")
	lines := bufio.NewScanner(stdout)
	lines.Buffer(nil, 10<<20)
	ask := func(message string) (answer string) {
		if _, err := stdin.Write([]byte(message + "\n")); err != nil {
			t.Fatal(err)
		}
		for !strings.Contains(answer, `"id":`) && lines.Scan() {
			answer = lines.Text()
		}
		return answer
	}
	ask(`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}`)
	find := func() string {
		return ask(`{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"manual_find","arguments":{"query":"RAID"}}}`)
	}
	if answer := find(); strings.Contains(answer, "did not contribute") {
		t.Errorf("the first one does not answer: %s", answer)
	}
	change(`c.Score++`, `c.Score += nothing`)
	said.await(t, `DEVELOPMENT: the last titles goes on: .*\n.*\n.*undefined: nothing`)
	change(`c.Score += nothing`, `panic("the new one")`)
	said.await(t, "DEVELOPMENT: titles was built again")
	answer := find()
	if !strings.Contains(answer, "strategy titles did not contribute: it panicked") {
		t.Errorf("the old one answers, or the new one is not started: %s", answer)
	}
	change(`panic("the new one")`, `c.Score++`)
	said.await(t, "DEVELOPMENT: titles was built again[^D]*DEVELOPMENT: titles was built again")
	change(`"titles"`, `"headings"`)
	said.await(t, "DEVELOPMENT: the last titles goes on: it calls itself headings now")
	change(`"headings"`, `"titles"`)
	change("func main() {", `func main() { panic("at once");`)
	said.await(t, "DEVELOPMENT: the last titles goes on: it does not start as a strategy: .*")
	answer = find()
	if strings.Contains(answer, "did not contribute") || !strings.Contains(answer, "next_actions") {
		t.Errorf("the last one that started does not answer: %s", answer)
	}
	if err := stdin.Close(); err != nil {
		t.Fatal(err)
	}
	if err := server.Wait(); err != nil {
		t.Errorf("%v\n%s", err, &said)
	}
}

func TestDevLines(t *testing.T) {
	const own = `"@module":"sagasu.titles.titles"`
	for name, tc := range map[string]struct{ line, shown, rest string }{
		"of the strategy": {`{"@level":"debug","@message":"it\u001b[2J",` + own + `,"n":1,"a":"x"}`, "titles debug it\ufffd[2J a=x n=1\n", ""},
		"of a panic": {
			`{"@level":"error","@message":"m",` + own + `,"stack":"main.f()\n\tf.go:3 +0x1\n","value":"v"}`,
			"titles error m value=v\n    main.f()\n     f.go:3 +0x1\n", "",
		},
		"of the transport":       {`{"@level":"debug","@message":"plugin address",` + own + `}`, "", ""},
		"of the host":            {`{"@level":"debug","@message":"using plugin","@module":"sagasu.titles"}`, "", ""},
		"of the host, a warning": {`{"@level":"error","@message":"m","@module":"sagasu.titles"}`, "", `{"@level":"error","@message":"m","@module":"sagasu.titles"}`},
		"of the host, about it": {
			`{"@level":"error","@message":"strategy failed","@module":"sagasu","strategy":"titles","error":"why"}`,
			"titles error strategy failed error=why\n", "",
		},
		"no entry": {"text\n", "", "text\n"},
	} {
		var shown, rest bytes.Buffer
		l := &devLines{named: &developed{plugin: trust.Plugin{Name: "titles"}}, level: hclog.Error, out: &shown, rest: &rest}
		if n, err := l.Write([]byte(tc.line)); n != len(tc.line) || err != nil {
			t.Errorf("%s: %d, %v", name, n, err)
		}
		if shown.String() != tc.shown || rest.String() != tc.rest {
			t.Errorf("%s: shown %q, passed on %q", name, &shown, &rest)
		}
	}
}
