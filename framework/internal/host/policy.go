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

// policy is what the wrapper enforces before it becomes the strategy.
type policy struct {
	// Host is the process that must still be the parent.
	Host int `json:"host"`
	// Read and Write are the files and directories that stay reachable.
	// Missing ones are passed over.
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

// systemReads is what any executable needs to start and to tell the time.
var systemReads = []string{
	"/lib", "/lib64", "/usr/lib", "/usr/lib64", "/etc/ld.so.cache",
	"/usr/share/zoneinfo", "/etc/localtime", "/dev/urandom",
	// The Go runtime sizes huge pages by this; without it, it guesses.
	"/sys/kernel/mm/transparent_hugepage",
}

// networkReads is what a connection needs: name resolution and certificates.
var networkReads = []string{
	"/etc/resolv.conf", "/etc/hosts", "/etc/nsswitch.conf", "/etc/services", "/run/systemd/resolve",
	"/etc/ssl", "/etc/pki", "/etc/ca-certificates", "/usr/share/ca-certificates", "/usr/local/share/ca-certificates",
}

// trustEnv are the variables that name the user's own certificate authorities: a file, and a list of folders.
var trustEnv = []string{"SSL_CERT_FILE", "SSL_CERT_DIR"}

// trusted is the value of such a variable with absolute paths: a strategy runs in another folder.
func trusted(name string) string {
	var paths []string
	for _, path := range filepath.SplitList(os.Getenv(name)) {
		if abs, err := filepath.Abs(path); path != "" && err == nil {
			paths = append(paths, abs)
		}
	}
	return strings.Join(paths, string(filepath.ListSeparator))
}

// policy returns what the strategy of e may do.
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
	if e.Converter == nil { // who converts sees a document at a time and nothing else
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

// commandLine returns what the strategy of e is started with.
func (o *Options) commandLine(e *Entry) []string {
	if e.Path == "" {
		return append([]string{program}, o.Bundled(e.served()...)...)
	}
	return append([]string{filepath.Base(e.Path)}, e.Args...)
}

// limits bound what a strategy's process takes of the system, beside its memory.
type limits struct {
	// Files is how many files and connections it has open.
	Files uint64 `json:"files"`
	// FileSize is how large a file it writes, in bytes.
	FileSize uint64 `json:"file_size"`
	// Threads is how many more its user may have than the whole system has when it
	// starts; root is not bound by it.
	Threads uint64 `json:"threads"`
}

// usualLimits are far above what a strategy needs and far below what a system has.
var usualLimits = limits{Files: 1024, FileSize: 4 << 30, Threads: 512}

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
		// Strategies run beside each other. With more threads than that a Go process wakes
		// one to look for work whenever a message comes, and each such switch
		// keeps the others from a core. An entry may pass another number on.
		"GOMAXPROCS="+strconv.Itoa(min(len(e.served()), runtime.NumCPU())),
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
	for _, name := range trustEnv {
		if value := trusted(name); value != "" && len(e.Network) > 0 {
			env = append(env, name+"="+value)
		}
	}
	return env
}
