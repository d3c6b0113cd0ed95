package host

import (
	"os"
	"runtime"
	"strconv"

	"github.com/sagasu-search/sagasu/sdk/x/wire"
)

// environment is all that a strategy's process sees of the host's. handshake
// is what the transport needs.
func (o *Options) environment(e *Entry, handshake []string, temp, state string) []string {
	env := append(handshake,
		"PLUGIN_UNIX_SOCKET_DIR="+temp,
		"TMPDIR="+temp,
		"HOME="+state,
		wire.EnvExitWithParent+"=stdin",
		wire.EnvStateDir+"="+state,
		wire.EnvLogLevel+"="+o.Logger.GetLevel().String(),
		// Strategies run beside each other. With more threads a Go process wakes
		// one to look for work whenever a message comes, and each such switch
		// keeps the others from a core. An entry may pass another number on.
		"GOMAXPROCS=1",
		// What a start leaves is little; package serve ends this soon after.
		wire.StartGC,
	)
	if o.MemoryLimit > 0 {
		// The collector works harder before the hard limit is hit.
		env = append(env, "GOMEMLIMIT="+strconv.FormatInt(o.MemoryLimit/4*3, 10))
	}
	passed := append([]string{"LANG", "TZ"}, e.Env...)
	if runtime.GOOS == "windows" {
		env = append(env, "TEMP="+temp, "TMP="+temp, "USERPROFILE="+state, "LOCALAPPDATA="+state)
		passed = append(passed, "SystemRoot")
	}
	for _, name := range passed {
		if value, ok := os.LookupEnv(name); ok {
			env = append(env, name+"="+value)
		}
	}
	return env
}
