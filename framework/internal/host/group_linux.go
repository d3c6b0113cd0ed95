package host

import (
	"os/exec"

	"golang.org/x/sys/unix"
)

// killTree kills a process and its process group. The process must not have been waited for.
func killTree(cmd *exec.Cmd) {
	// It may have left its group, or have ended and left others in it.
	_ = unix.Kill(cmd.Process.Pid, unix.SIGKILL)
	_ = unix.Kill(-cmd.Process.Pid, unix.SIGKILL)
}

// await waits for the end of a process, kills the rest of its group, and calls gone before its PID
// is released.
func await(cmd *exec.Cmd, gone func()) error {
	for {
		err := unix.Waitid(unix.P_PID, cmd.Process.Pid, nil, unix.WEXITED|unix.WNOWAIT, nil)
		if err != unix.EINTR {
			break
		}
	}
	killTree(cmd)
	gone()
	return cmd.Wait()
}
