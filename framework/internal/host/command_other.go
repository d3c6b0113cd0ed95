//go:build !linux

package host

import (
	"os"
	"os/exec"
)

func selfPath() (string, error) { return os.Executable() }

// command starts the executable by its path. Between the check of the hash and
// the start it could be replaced by whoever may write to it.
func (o *Options) command(_ *Entry, binary *os.File, args []string, _ policy, env []string) (*exec.Cmd, error) {
	return &exec.Cmd{Path: binary.Name(), Args: args, Env: env, SysProcAttr: ownGroup()}, nil
}
