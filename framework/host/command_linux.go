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

// command starts the wrapper: this binary again, which restricts itself and
// then becomes binary, its descriptor 3. The death signal ends it with the
// host; a group of its own keeps a terminal's Ctrl-C from it.
func (o *Options) command(binary *os.File, args []string, p policy, env []string) (*exec.Cmd, error) {
	encoded, err := json.Marshal(p)
	if err != nil {
		return nil, err
	}
	return &exec.Cmd{
		Path:        self,
		Args:        slices.Concat([]string{program}, o.Wrapper, args),
		Env:         append(env, envPolicy+"="+string(encoded)),
		ExtraFiles:  []*os.File{binary},
		SysProcAttr: &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL, Setpgid: true},
	}, nil
}
