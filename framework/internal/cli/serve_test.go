package cli

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"time"
)

// service is a real `sagasu serve`.
type service struct {
	t   testing.TB
	cmd *exec.Cmd
	url string // of the server
	log lockedBuffer
}

// serveOver starts `sagasu serve` and waits until it listens.
func serveOver(t testing.TB, env []string, args ...string) *service {
	t.Helper()
	s := &service{t: t, cmd: exec.Command(binary, append([]string{"serve"}, args...)...)}
	s.cmd.Env = env
	log, err := s.cmd.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := s.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.cmd.Process.Kill(); _ = s.cmd.Wait() })
	lines, said := bufio.NewReader(log), ""
	for {
		line, err := lines.ReadString('\n')
		if said += line; err != nil {
			t.Fatalf("sagasu serve does not listen: %v\n%s", err, said)
		}
		if at, ok := strings.CutPrefix(strings.TrimSpace(line), "sagasu: MCP at "); ok {
			s.url = strings.TrimSuffix(at, "/mcp")
			break
		}
	}
	go func() { _, _ = io.Copy(&s.log, lines) }()
	return s
}

// call calls a tool without a session and returns its result.
func (s *service) call(tool string, args any) map[string]any {
	s.t.Helper()
	result, err := callOver(http.DefaultClient, s.url, "", tool, args)
	if err != nil {
		s.t.Fatalf("%s: %v", tool, err)
	}
	return result
}

// callOver calls a tool of a server over HTTP.
func callOver(client *http.Client, url, token, tool string, args any) (map[string]any, error) {
	body, err := json.Marshal(map[string]any{
		"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": map[string]any{"name": tool, "arguments": args},
	})
	if err != nil {
		return nil, err
	}
	req, err := http.NewRequest(http.MethodPost, url+"/mcp", strings.NewReader(string(body)))
	if err != nil {
		return nil, err
	}
	req.Header.Set("Content-Type", "application/json")
	if token != "" {
		req.Header.Set("Authorization", "Bearer "+token)
	}
	resp, err := client.Do(req)
	if err != nil {
		return nil, err
	}
	defer resp.Body.Close()
	raw, err := io.ReadAll(resp.Body)
	if err != nil {
		return nil, err
	}
	var reply struct {
		Result struct {
			StructuredContent map[string]any
			IsError           bool
		}
	}
	if err := json.Unmarshal(raw, &reply); err != nil || resp.StatusCode != http.StatusOK || reply.Result.IsError {
		return nil, fmt.Errorf("%s: %.3000s", resp.Status, raw)
	}
	return reply.Result.StructuredContent, nil
}

// A server that is killed and started again goes on for clients that know nothing of it: handles name
// what is kept on disk, and what was in memory costs nothing.
func TestServeGoesOnAfterARestart(t *testing.T) {
	env, root := environment(t), sample(t)
	first := serveOver(t, env, "--workspace", root, "--listen", "127.0.0.1:0")
	address := strings.TrimPrefix(first.url, "http://")
	found := first.call("manual_find", map[string]any{"query": "RAID1 交換"})
	trace := found["trace_id"]
	read := func(s *service, args map[string]any) map[string]any {
		t.Helper()
		args["ref"] = map[string]any{"manual_id": "aoba-nas", "path": "06-disk-raid.md", "start_line": 12}
		return s.call("manual_read", args)
	}
	mode := func(result map[string]any) any { return result["applied"].(map[string]any)["mode"] }
	once := read(first, map[string]any{})
	handle := map[string]any{"reader_id": once["reader_id"]}
	if again := read(first, handle); mode(once) != "read" || mode(again) != "scan_fallback" || mode(read(first, map[string]any{})) != "read" {
		t.Errorf("a section read once, again and by another: %v, %v", mode(once), mode(again))
	}
	if err := first.cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = first.cmd.Wait()

	second := serveOver(t, env, "--workspace", root, "--listen", address)
	hits := second.call("manual_hits", map[string]any{"trace_id": trace})
	if rows, _ := hits["items"].([]any); len(rows) == 0 {
		t.Errorf("the hits of a search before the restart: %v", hits)
	}
	if after := read(second, handle); mode(after) != "read" || after["text"] != once["text"] || after["reader_id"] != once["reader_id"] {
		t.Errorf("a section read before the restart: %v", after["applied"])
	}
	http.DefaultClient.CloseIdleConnections()
}

func TestServeEndsAtASignal(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("Windows sends no signal to a process")
	}
	s := serveOver(t, append(environment(t), "SAGASU_TOKEN=a-token-of-the-tests"), "--workspace",
		sample(t), "--listen", "0.0.0.0:0")
	_, port, err := net.SplitHostPort(strings.TrimPrefix(s.url, "http://"))
	if err != nil {
		t.Fatal(err)
	}
	url := "http://127.0.0.1:" + port
	if _, err := callOver(http.DefaultClient, url, "", "manual_find", map[string]any{"query": "x"}); err == nil ||
		!strings.Contains(err.Error(), "401") {
		t.Errorf("without the token: %v", err)
	}
	if _, err := callOver(http.DefaultClient, url, "a-token-of-the-tests", "manual_find", map[string]any{"query": "RAID"}); err != nil {
		t.Error(err)
	}
	child, err := os.ReadFile(fmt.Sprintf("/proc/%d/task/%[1]d/children", s.cmd.Process.Pid))
	if err == nil {
		for pid := range strings.FieldsSeq(string(child)) {
			if held, err := os.ReadFile("/proc/" + pid + "/environ"); err == nil && strings.Contains(string(held), "SAGASU_TOKEN") {
				t.Error("a strategy has the token")
			}
		}
	}
	if err := s.cmd.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	if err := s.cmd.Wait(); err != nil {
		t.Errorf("the end: %v", err)
	}
	http.DefaultClient.CloseIdleConnections()
}

func TestServeRefusesAPortInUse(t *testing.T) {
	taken, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer taken.Close()
	cmd := exec.Command(binary, "serve", "--listen", taken.Addr().String())
	cmd.Env = environment(t)
	said, err := cmd.CombinedOutput()
	if err == nil || !strings.Contains(string(said), taken.Addr().String()+" is in use by another program") {
		t.Errorf("%v %s", err, said)
	}
}

// A flag whose variable is not set is refused: the server would be open. So is a URL that would show a secret.
func TestServeRefusesFlags(t *testing.T) {
	for _, tc := range []struct{ name, value, want string }{
		{"--token-file", "", "--token-file is empty"}, {"--oauth-issuer", "", "--oauth-issuer is empty"},
		{"--public-url", "", "--public-url is empty"}, {"--listen", "", "--listen is empty"},
		{"--public-url", "https://u:geheim@docs.example.com/mcp", "--public-url must be a URL without user"},
		{"--public-url", "https://docs.example.com/mcp?key=geheim", "--public-url must be a URL without user"},
	} {
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		defer cancel()
		cmd := exec.CommandContext(ctx, binary, "serve", "--workspace", sample(t), "--listen", "127.0.0.1:0", tc.name, tc.value)
		cmd.Env = environment(t)
		said, err := cmd.CombinedOutput()
		if cmd.ProcessState.ExitCode() != 2 || !strings.Contains(string(said), tc.want) ||
			strings.Contains(string(said), "geheim") {
			t.Errorf("%s %s: %v %s", tc.name, tc.value, err, said)
		}
	}
}
