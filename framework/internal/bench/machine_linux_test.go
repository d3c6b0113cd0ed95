package bench

import (
	"os"
	"os/exec"
	"slices"
	"testing"
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

func TestMachine(t *testing.T) {
	if m := here(); m.OS != "linux" || m.Cores < 1 || m.CPU == "" && m.Arch == "amd64" {
		t.Errorf("machine %+v", m)
	}
}
