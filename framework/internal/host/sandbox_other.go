//go:build !linux

package host

import (
	"errors"
	"os"
	"os/exec"
)

// RunSandbox is the main function of the wrapper, which exists only on Linux.
func RunSandbox(_, _ []string) error { return errors.New("this system has no sandbox to run in") }

// Confine does nothing: this system has no sandbox.
func Confine() error { return nil }

// Confinement returns that nothing confines a strategy on this system.
func Confinement() Sandbox { return confinement(policy{}) }

func confinement(policy) Sandbox {
	return Sandbox{Open: []string{openFiles, openTCP, openUDP, openSockets}}
}

func selfPath() (string, error) { return os.Executable() }

// command starts the executable by its path. Between the check of the hash and the start, anyone who may write to the
// path could replace it.
func (o *Options) command(_ *Entry, binary *os.File, args []string, _ policy, env []string) *exec.Cmd {
	return &exec.Cmd{Path: binary.Name(), Args: args, Env: env, SysProcAttr: ownGroup()}
}

// await waits for the end of a process and calls gone.
func await(cmd *exec.Cmd, gone func()) error {
	defer gone()
	return cmd.Wait()
}

// LoosenTimers does nothing: no other system is known to gain from it.
func LoosenTimers() error { return nil }

func loosenThread() error { return nil }
