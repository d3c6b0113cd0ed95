package cli

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/sagasu-search/sagasu/framework/internal/search"
)

// Thousands of sentences that contradict each other hold up neither an answer nor the end of the server.
func TestAJudgementHoldsUpNothing(t *testing.T) {
	workspace := t.TempDir()
	manual := filepath.Join(workspace, "manuals", "m")
	if err := os.MkdirAll(manual, 0o700); err != nil {
		t.Fatal(err)
	}
	for i := range 60 {
		var text strings.Builder
		fmt.Fprintf(&text, "# Returns %d\n", i)
		for k := range 140 {
			fmt.Fprintf(&text, "\nYou can return an item within %d days of delivery.\n", 1000*i+k)
		}
		if err := os.WriteFile(filepath.Join(manual, fmt.Sprintf("%02d.md", i)), []byte(text.String()), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	c := connect(t, environment(t), "--workspace", workspace)
	request := map[string]any{
		"query": "return an item within how many days of delivery", "budget": map[string]any{"time_ms": 3000},
	}
	answer := must[search.Answer](c, "manual_find", request)
	if answer.Summary.Candidates == 0 || len(answer.Warnings) > 0 {
		t.Fatalf("%+v, warnings %q", answer.Summary, answer.Warnings)
	}
	request["budget"] = map[string]any{"time_ms": 600_000}
	call := map[string]any{"name": "manual_find", "arguments": request}
	c.send(map[string]any{"jsonrpc": "2.0", "id": "long", "method": "tools/call", "params": call})
	time.Sleep(time.Second) // until it is judging
	if err := c.cmd.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	held := time.AfterFunc(30*time.Second, func() { c.cmd.Process.Kill() })
	if err := c.cmd.Wait(); err != nil || !held.Stop() {
		t.Errorf("ended with %v\n%s", err, c.stderr)
	}
}
