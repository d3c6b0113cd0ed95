//go:build unix && !linux

package host

import (
	"os/exec"
	"syscall"
)

// ownGroup keeps a terminal's Ctrl-C from a strategy.
func ownGroup() *syscall.SysProcAttr { return &syscall.SysProcAttr{Setpgid: true} }

// killTree ends a process and what it started in its group.
func killTree(cmd *exec.Cmd) {
	_ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) // an error means that it is gone
}

// await waits for the end of a process and calls gone.
func await(cmd *exec.Cmd, gone func()) error {
	defer gone()
	return cmd.Wait()
}

// adopt does nothing here: only the standard input binds a process to the host.
func adopt(*exec.Cmd) (release func()) { return func() {} }
