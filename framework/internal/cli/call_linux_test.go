package cli

import (
	"bufio"
	"errors"
	"os/exec"
	"syscall"
	"testing"
)

// TestCallsAreInterrupted stops a session of calls that waits for its next line.
func TestCallsAreInterrupted(t *testing.T) {
	cmd := exec.Command(binary, "call", "--stdin", "--workspace", sample(t))
	cmd.Env = environment(t)
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	if _, err := in.Write([]byte("{\"tool\": \"manual_list\"}\n")); err != nil {
		t.Fatal(err)
	}
	if _, err := bufio.NewReader(out).ReadString('\n'); err != nil {
		t.Fatal(err)
	}
	if err := cmd.Process.Signal(syscall.SIGINT); err != nil {
		t.Fatal(err)
	}
	exit, ok := errors.AsType[*exec.ExitError](cmd.Wait())
	if !ok || exit.ExitCode() != exitInterrupted {
		t.Errorf("ended with %v", exit)
	}
}
