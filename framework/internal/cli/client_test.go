package cli

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/sagasu-search/sagasu/framework/internal/search"
)

// client speaks MCP with a real sagasu process over its stdin and stdout.
type client struct {
	hello struct{ Instructions string }

	t      testing.TB
	cmd    *exec.Cmd
	in     io.WriteCloser
	out    *bufio.Reader
	stderr *strings.Builder
	id     int
}

// environment is that of a new user: a home of its own and nothing configured.
func environment(t testing.TB) []string {
	home := t.TempDir()
	return []string{
		"HOME=" + home, "USERPROFILE=" + home, "LOCALAPPDATA=" + filepath.Join(home, "local"),
		"SYSTEMROOT=" + os.Getenv("SYSTEMROOT"), "PATH=" + os.Getenv("PATH"), "TMPDIR=" + os.TempDir(), "TMP=" + os.TempDir(),
	}
}

// connect starts `sagasu mcp` and shakes hands.
func connect(t testing.TB, env []string, args ...string) *client {
	t.Helper()
	return connectTo(t, binary, env, args...)
}

// connectTo is [connect] with another program than the tests'.
func connectTo(t testing.TB, program string, env []string, args ...string) *client {
	t.Helper()
	c := &client{t: t, stderr: &strings.Builder{}}
	c.cmd = exec.Command(program, append([]string{"mcp"}, args...)...)
	c.cmd.Env, c.cmd.Stderr = env, c.stderr
	in, err := c.cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := c.cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	c.in, c.out = in, bufio.NewReaderSize(out, 1<<20)
	if err := c.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.in.Close(); c.cmd.Wait() })
	hello := c.request("initialize", map[string]any{
		"protocolVersion": "2025-11-25", "capabilities": map[string]any{}, "clientInfo": map[string]any{"name": "test", "version": "1"},
	})
	if err := json.Unmarshal(hello, &c.hello); err != nil {
		t.Fatal(err)
	}
	c.send(map[string]any{"jsonrpc": "2.0", "method": "notifications/initialized"})
	return c
}

func (c *client) send(message map[string]any) {
	c.t.Helper()
	line, err := json.Marshal(message)
	if err != nil {
		c.t.Fatal(err)
	}
	if _, err := c.in.Write(append(line, '\n')); err != nil {
		c.t.Fatalf("write to sagasu: %v\n%s", err, c.stderr)
	}
}

// request sends a request and waits for its result.
func (c *client) request(method string, params map[string]any) json.RawMessage {
	c.t.Helper()
	c.id++
	c.send(map[string]any{"jsonrpc": "2.0", "id": c.id, "method": method, "params": params})
	for {
		line, err := c.out.ReadBytes('\n')
		if err != nil {
			c.t.Fatalf("read from sagasu: %v\n%s", err, c.stderr)
		}
		var reply struct {
			ID     *int            `json:"id"`
			Result json.RawMessage `json:"result"`
			Error  json.RawMessage `json:"error"`
		}
		if err := json.Unmarshal(line, &reply); err != nil {
			c.t.Fatalf("not JSON on stdout: %q", line)
		}
		if reply.ID == nil || *reply.ID != c.id {
			continue // a notification
		}
		if reply.Error != nil {
			c.t.Fatalf("%s: %s", method, reply.Error)
		}
		return reply.Result
	}
}

// call calls a tool and decodes its structured content into result.
func (c *client) call(tool string, arguments map[string]any, result any) (failed bool) {
	c.t.Helper()
	raw := c.request("tools/call", map[string]any{"name": tool, "arguments": arguments})
	var reply struct {
		IsError           bool            `json:"isError"`
		StructuredContent json.RawMessage `json:"structuredContent"`
		Content           []struct {
			Text string `json:"text"`
		} `json:"content"`
	}
	if err := json.Unmarshal(raw, &reply); err != nil {
		c.t.Fatal(err)
	}
	if len(reply.Content) != 1 || !sameJSON(reply.Content[0].Text, string(reply.StructuredContent)) {
		c.t.Fatalf("%s: content and structured content differ: %s", tool, raw)
	}
	if err := json.Unmarshal(reply.StructuredContent, result); err != nil {
		c.t.Fatalf("%s: %v in %s", tool, err, raw)
	}
	return reply.IsError
}

// sameJSON reports whether two texts are one value, however they escape it.
func sameJSON(a, b string) bool {
	var x, y any
	if json.Unmarshal([]byte(a), &x) != nil || json.Unmarshal([]byte(b), &y) != nil {
		return false
	}
	return reflect.DeepEqual(x, y)
}

// must is call for a call that must succeed.
func must[T any](c *client, tool string, arguments map[string]any) T {
	c.t.Helper()
	var raw json.RawMessage
	if c.call(tool, arguments, &raw) {
		c.t.Fatalf("%s(%v): %s", tool, arguments, raw)
	}
	var result T
	if err := json.Unmarshal(raw, &result); err != nil {
		c.t.Fatal(err)
	}
	return result
}

func (c *client) String() string { return fmt.Sprintf("sagasu (pid %d)", c.cmd.Process.Pid) }

// warm searches until every strategy contributes, however slowly they start here.
func warm(c *client) {
	c.t.Helper()
	var warnings []string
	for range 30 {
		if warnings = must[search.Answer](c, "manual_find", map[string]any{"query": "RAID", "use_cache": false}).Warnings; len(warnings) == 0 {
			return
		}
	}
	c.t.Fatalf("the strategies do not all start: %q", warnings)
}
