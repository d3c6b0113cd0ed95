package host

import (
	"encoding/json"
	"os"
	"os/exec"
	"slices"
	"syscall"
)

// self is the running image, also when the file was replaced by an upgrade.
const self = "/proc/self/exe"

func selfPath() (string, error) { return self, nil }

// command starts the strategy so that it is confined before any of its code runs:
// a bundled one is this binary again, which calls [Confine] first; binary, its
// descriptor 3, is executed by the wrapper, which is this binary too. The death
// signal ends it with the host; a group of its own keeps a terminal's Ctrl-C from it.
func (o *Options) command(e *Entry, binary *os.File, args []string, p policy, env []string) (*exec.Cmd, error) {
	encoded, err := json.Marshal(p)
	if err != nil {
		return nil, err
	}
	cmd := &exec.Cmd{
		Path: self, Args: args, Env: append(env, envPolicy+"="+string(encoded)),
		SysProcAttr: &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL, Setpgid: true},
	}
	if e.Path != "" || !threadsAgree() {
		cmd.Args = slices.Concat([]string{program}, o.Wrapper, args)
		cmd.ExtraFiles = []*os.File{binary}
	}
	return cmd, nil
}
