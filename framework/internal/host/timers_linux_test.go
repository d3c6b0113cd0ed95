package host

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

func TestLoosenTimers(t *testing.T) {
	if err := LoosenTimers(); err != nil {
		t.Fatal(err)
	}
	threads, err := os.ReadDir("/proc/self/task")
	if err != nil {
		t.Fatal(err)
	}
	for _, thread := range threads {
		got, err := os.ReadFile(filepath.Join("/proc", thread.Name(), "timerslack_ns"))
		if err != nil {
			continue // it has ended
		}
		if ns := strings.TrimSpace(string(got)); ns != "1000000" {
			t.Errorf("thread %s: %s ns", thread.Name(), ns)
		}
	}
	got, err := exec.CommandContext(t.Context(), "cat", "/proc/self/timerslack_ns").Output()
	if err != nil || strings.TrimSpace(string(got)) != "1000000" {
		t.Errorf("a process that is started: %s ns, %v", got, err)
	}
}
