package host

import (
	"os"
	"path/filepath"
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
	// Free restricts nothing.
	Free bool `json:"free"`
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

// policy gives what the strategy of e may do.
func (o *Options) policy(e *Entry, temp, state string) policy {
	ports, sockets, _ := network(e.Network) // checked with the entry
	p := policy{
		Host:    os.Getpid(),
		Read:    append(o.indexDirs(), systemReads...),
		Write:   []string{temp, state, os.DevNull},
		TCP:     ports,
		Data:    uint64(max(o.MemoryLimit, 0)),
		Sockets: sockets, limits: o.limits, Free: o.unconfined,
	}
	if len(ports) > 0 {
		p.Read = append(p.Read, networkReads...)
	}
	p.Read = append(p.Read, e.Reads...)
	return p
}

// program is this binary's name on a command line.
const program = "sagasu"

// commandLine is what the strategy of e is started with.
func (o *Options) commandLine(e *Entry) []string {
	if e.Path == "" {
		return append([]string{program}, o.Bundled(e.Name)...)
	}
	return append([]string{filepath.Base(e.Path)}, e.Args...)
}
