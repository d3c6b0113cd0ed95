package cli

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/spf13/cobra"

	"github.com/sagasu-search/sagasu/framework/internal/server"
	"github.com/sagasu-search/sagasu/framework/internal/toolset"
)

// hangingRoot returns a command line whose work never ends: the call of a tool, its close, or a command.
func hangingRoot() *cobra.Command {
	root := &cobra.Command{Use: "sagasu"}
	hang := func() { select {} }
	began := func() { fmt.Fprintln(os.Stderr, "it began") }
	tools := func(do func()) *server.Server {
		tool := toolset.Tool{Name: "notes_find", Group: "notes", Example: json.RawMessage(`{}`)}
		return server.New(server.Options{
			Sets: []toolset.Toolset{{Tools: []toolset.Tool{
				toolset.Define(tool, func(context.Context, struct{}) (*struct{}, error) { do(); return &struct{}{}, nil }),
			}}},
			Logger: loggerAt(0),
		})
	}
	none := func() error { return nil }
	for use, run := range map[string]func(c *cobra.Command) error{
		"call": func(c *cobra.Command) error {
			return serveUntilEnd(c, tools(func() { began(); hang() }), none)
		},
		"close": func(c *cobra.Command) error {
			return serveUntilEnd(c, tools(began), func() error { hang(); return nil })
		},
		"command": func(*cobra.Command) error { began(); hang(); return nil },
	} {
		root.AddCommand(&cobra.Command{Use: use, RunE: func(c *cobra.Command, _ []string) error {
			go func() { // a program with nothing but stuck goroutines would be ended as a deadlock
				for range time.Tick(time.Hour) {
				}
			}()
			return run(c)
		}})
	}
	return root
}

// hangVariable makes the tests' own binary run a command line that hangs.
const hangVariable = "SAGASU_TEST_HANG"

// A process ends when its input ends or a signal comes, even where work goes on that heeds
// neither; the log names the tool.
func TestHungProcessEnds(t *testing.T) {
	for name, tc := range map[string]struct {
		command string
		signal  bool // else the input ends
		code    int
		logged  string
	}{
		"a tool, end of input":  {"call", false, exitFailure, `"tool":"notes_find"`},
		"a tool, signal":        {"call", true, exitInterrupted, `"tool":"notes_find"`},
		"closing, end of input": {"close", false, exitFailure, "stopped in the middle of its work"},
		"a command, signal":     {"command", true, exitInterrupted, "stopped in the middle of its work"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if tc.signal && runtime.GOOS == "windows" {
				t.Skip("a process cannot be sent a signal")
			}
			if _, code, log := endHung(t, tc.command, tc.signal); code != tc.code || !strings.Contains(log, tc.logged) {
				t.Errorf("ended with %d, and logged %s", code, log)
			}
		})
	}
}

// endHung runs a command that hangs and ends it. It returns how long that took.
func endHung(t *testing.T, command string, signal bool) (took time.Duration, code int, log string) {
	cmd := exec.Command(os.Args[0], command)
	cmd.Env = append(os.Environ(), hangVariable+"=1")
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	stderr, err := cmd.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	const call = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"notes_find","arguments":{}}}`
	if _, err := fmt.Fprintln(in, call); err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewScanner(stderr)
	for lines.Scan() && lines.Text() != "it began" {
	}
	began := time.Now()
	if signal {
		err = cmd.Process.Signal(syscall.SIGTERM)
	} else {
		err = in.Close()
	}
	if err != nil {
		t.Fatal(err)
	}
	for lines.Scan() {
		log += lines.Text() + "\n"
	}
	exit, ok := errors.AsType[*exec.ExitError](cmd.Wait())
	if !ok {
		t.Fatalf("ended with %v, and logged %s", exit, log)
	}
	return time.Since(began), exit.ExitCode(), log
}
