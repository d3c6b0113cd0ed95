package host

import (
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"

	"github.com/sagasu-search/sagasu/sdk/x/wire"
)

// envPolicy carries a policy, as JSON, to the wrapper.
const envPolicy = "SAGASU_SANDBOX"

// policy holds the restrictions that the wrapper enforces before it executes the strategy.
type policy struct {
	// Host is the process that must still be the parent.
	Host int `json:"host"`
	// Read and Write are the files and directories that stay reachable. Missing ones are
	// ignored.
	Read  []string `json:"read"`
	Write []string `json:"write"`
	// TCP are the ports that may be connected to.
	TCP []uint16 `json:"tcp"`
	// Sockets lets it connect to unix sockets.
	Sockets bool `json:"sockets"`
	// Data is the limit of RLIMIT_DATA in bytes; 0 for none.
	Data uint64 `json:"data"`
	limits
}

// systemReads lists the files that any executable needs to start and to know the local time.
var systemReads = []string{
	"/lib", "/lib64", "/usr/lib", "/usr/lib64", "/etc/ld.so.cache",
	"/usr/share/zoneinfo", "/etc/localtime", "/dev/urandom",
	// The Go runtime reads the size of huge pages here, and guesses it otherwise.
	"/sys/kernel/mm/transparent_hugepage",
}

// networkReads lists the files that connections need: name resolution and certificates.
var networkReads = []string{
	"/etc/resolv.conf", "/etc/hosts", "/etc/nsswitch.conf", "/etc/services", "/run/systemd/resolve",
	"/etc/ssl", "/etc/pki", "/etc/ca-certificates", "/usr/share/ca-certificates", "/usr/local/share/ca-certificates",
}

// trustEnv are the variables that name the user's own certificate authorities: a file, and a list of folders.
var trustEnv = []string{"SSL_CERT_FILE", "SSL_CERT_DIR"}

// trusted returns the value of such a variable with absolute paths, since a strategy runs in another folder.
func trusted(name string) string {
	var paths []string
	for _, path := range filepath.SplitList(os.Getenv(name)) {
		if abs, err := filepath.Abs(path); path != "" && err == nil {
			paths = append(paths, abs)
		}
	}
	return strings.Join(paths, string(filepath.ListSeparator))
}

// policy returns the restrictions for the strategy of e.
func (o *Options) policy(e *Entry, temp, state string) policy {
	ports, sockets, _ := network(e.Network) // checked with the entry
	p := policy{
		Host:    os.Getpid(),
		Read:    slices.Clone(systemReads),
		Write:   append(e.stateDirs(state), temp, os.DevNull),
		TCP:     ports,
		Data:    uint64(max(o.MemoryLimit, 0)),
		Sockets: sockets, limits: o.limits,
	}
	if e.Converter == nil { // a converter sees one document at a time and nothing else
		p.Read = append(p.Read, o.indexDirs()...)
	}
	if len(ports) > 0 {
		p.Read = append(p.Read, networkReads...)
		for _, name := range trustEnv {
			p.Read = append(p.Read, filepath.SplitList(trusted(name))...)
		}
	}
	p.Read = append(p.Read, e.Reads...)
	return p
}

// program is this binary's name on a command line.
const program = "sagasu"

// commandLine returns the command line of the strategy of e.
func (o *Options) commandLine(e *Entry) []string {
	if e.Path == "" {
		return append([]string{program}, o.Bundled(e.served()...)...)
	}
	return append([]string{filepath.Base(e.Path)}, e.Args...)
}

// limits are the resource limits of a strategy's process, besides memory.
type limits struct {
	// Files is the maximum number of open files and connections.
	Files uint64 `json:"files"`
	// FileSize is the maximum size of a file that it writes, in bytes.
	FileSize uint64 `json:"file_size"`
	// Threads is how many more threads its user may have than the whole system has when it
	// starts. It does not limit root.
	Threads uint64 `json:"threads"`
}

// usualLimits are far above the needs of a strategy and far below the resources of a system.
var usualLimits = limits{Files: 1024, FileSize: 4 << 30, Threads: 512}

// environment returns the environment of a strategy's process. handshake holds the variables of the
// transport.
func (o *Options) environment(e *Entry, handshake []string, temp, state string) []string {
	env := append(handshake,
		"PLUGIN_UNIX_SOCKET_DIR="+temp,
		"TMPDIR="+temp,
		"HOME="+state,
		wire.EnvExitWithParent+"=stdin",
		wire.EnvStateDir+"="+state,
		wire.EnvLogLevel+"="+o.Logger.GetLevel().String(),
		// Strategies run in parallel. With more threads, a Go process wakes one to look for
		// work with each message, and each such switch keeps the other strategies from a
		// core. An entry may ask for another number.
		"GOMAXPROCS="+strconv.Itoa(min(max(len(e.served()), e.Threads), runtime.NumCPU())),
		// A start leaves little garbage. Package serve ends this soon after.
		wire.StartGC,
	)
	if o.MemoryLimit > 0 {
		// Collect more often before the hard limit is reached.
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
	for _, name := range trustEnv {
		if value := trusted(name); value != "" && len(e.Network) > 0 {
			env = append(env, name+"="+value)
		}
	}
	return env
}
