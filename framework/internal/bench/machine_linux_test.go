package bench

import (
	"os"
	"os/exec"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"
)

func TestMemoryOfAProcessAndItsChildren(t *testing.T) {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	alone, err := privateDirtyOf(os.Getpid())
	if err != nil || alone <= 0 {
		t.Fatal(alone, err)
	}
	child := exec.Command(self, "peer")
	in, err := child.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := child.Start(); err != nil {
		t.Fatal(err)
	}
	defer func() { in.Close(); child.Wait() }()
	children, err := childrenOf(os.Getpid())
	if err != nil || !slices.Contains(children, child.Process.Pid) {
		t.Errorf("children %v lack %d: %v", children, child.Process.Pid, err)
	}
	if _, err := PrivateDirty(1 << 30); err == nil {
		t.Error("a process that is not there has memory")
	}
}

func TestCPUOfAProcessAndItsChildren(t *testing.T) {
	const work = 100 * time.Millisecond
	before, err := cpuTime(os.Getpid())
	if err != nil {
		t.Fatal(err)
	}
	for spent := before; spent < before+work; { // ends when the CPU time of this process has grown
		if spent, err = cpuTime(os.Getpid()); err != nil {
			t.Fatal(err)
		}
	}
	child := exec.Command("sh", "-c", "read x")
	in, err := child.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := child.Start(); err != nil {
		t.Fatal(err)
	}
	defer func() { in.Close(); child.Wait() }()
	alone, err := cpuTime(child.Process.Pid)
	if all, failed := cpuTime(os.Getpid()); failed != nil || err != nil || all < before+work+alone {
		t.Errorf("%v of all, %v of the child: %v, %v", all, alone, failed, err)
	}
	if _, err := cpuTime(1 << 30); err == nil {
		t.Error("a process that is not there has had time")
	}
}

func TestMachine(t *testing.T) {
	if m := machine(); !strings.HasPrefix(m, "linux/") || runtime.GOARCH == "amd64" && strings.Contains(m, "unknown") {
		t.Errorf("machine %q", m)
	}
	if load() == "unknown" {
		t.Error("the load average was not read")
	}
}
