//go:build unix && !linux

package host

import (
	"os/exec"
	"syscall"
)

// ownGroup keeps a terminal's Ctrl-C from a strategy.
func ownGroup() *syscall.SysProcAttr { return &syscall.SysProcAttr{Setpgid: true} }

// killTree kills a process and its process group.
func killTree(cmd *exec.Cmd) {
	_ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) // an error means that it has ended
}
