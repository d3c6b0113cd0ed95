package host

import (
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/sagasu-search/sagasu/sdk"
	"github.com/sagasu-search/sagasu/sdk/x/border"
	"github.com/sagasu-search/sagasu/sdk/x/lazyregexp"
	"github.com/sagasu-search/sagasu/sdk/x/wire"
)

// Entry describes how to start a strategy or converter, and what it may do.
type Entry struct {
	// Name is the strategy's name; its Describe must say the same.
	Name string
	// Path is the absolute path of the executable. "" means bundled: the
	// running binary with the arguments that Options.Bundled gives.
	Path string
	// Args are the executable's arguments. Not for a bundled strategy.
	Args []string
	// SHA256 is the required hash of the executable, in hexadecimal. It must be set if Path is.
	SHA256 string
	Grants
	// Known is the description, if it is known without starting the process, as for bundled
	// strategies; else nil. A strategy with a known description starts when it is first called,
	// not when the host asks all for their descriptions.
	Known *sdk.Description
	// Converter is the description of a converter; nil for a strategy.
	Converter *sdk.ConverterDescription
	// Stage is its stage, or "" if that is unknown before it has described itself. It matters
	// for failures: a search without a reranker misses no section.
	Stage sdk.Stage
	// Config is passed to the strategy's Configure unless it is empty.
	Config json.RawMessage
	// Refused is why the strategy must not be started, such as [ErrNotInstalled], or nil. A
	// refused entry needs no executable.
	Refused error

	// Shared lets it run in one process with other shared strategies. All of them are bundled and have no grants.
	Shared bool

	// Threads is how many of its goroutines may run at once, for a strategy that divides a search among
	// them; 0 for one of each strategy in the process. It is at most the number of cores.
	Threads int

	members []string // the strategies of a shared process

	// Attach is a running process that serves the strategy and that another program, such as a debugger, has
	// started; nil to start one. Its executable is not verified and it is not sandboxed.
	Attach *wire.Reattach
}

// Grants are what a strategy may do beside reading the index.
type Grants struct {
	// Network grants outgoing connections: "tcp:443", and "unix" for unix sockets.
	Network []string `toml:"network,omitempty" json:"network"`
	// Reads are absolute paths of files and directories that it may read and execute.
	Reads []string `toml:"reads,omitempty" json:"reads"`
	// Env names variables of the host's environment that are passed on.
	Env []string `toml:"env,omitempty" json:"env"`
	// Admit lets the signals in its Description.Admitting admit sections. Bundled strategies do not need it.
	Admit bool `toml:"admit,omitempty" json:"admit"`
}

var envName = lazyregexp.New(`^[A-Za-z_][A-Za-z0-9_]*$`)

// Check returns the first error of an entry.
func (e *Entry) Check() error {
	if !border.IsName(e.Name) {
		return fmt.Errorf("strategy name %q: must be 1 to 40 lower-case letters, digits and '-'", e.Name)
	}
	if err := e.checkPath(); err != nil {
		return fmt.Errorf("strategy %s: %w", e.Name, err)
	}
	if err := e.CheckGrants(); err != nil {
		return fmt.Errorf("strategy %s: %w", e.Name, err)
	}
	if len(e.Config) > 0 && !json.Valid(e.Config) {
		return fmt.Errorf("strategy %s: the configuration is not JSON", e.Name)
	}
	return nil
}

// CheckGrants returns the first error in the grants of connections and environment variables.
func (g Grants) CheckGrants() error {
	if _, _, err := network(g.Network); err != nil {
		return err
	}
	for _, name := range g.Env {
		if !envName().MatchString(name) {
			return errors.New("what is given as the name of an environment variable is none: it has letters, digits " +
				"and _, and begins with no digit")
		}
	}
	return nil
}

func (e *Entry) checkPath() error {
	if e.Path == "" || e.Refused != nil || e.Attach != nil {
		return nil
	}
	if !filepath.IsAbs(e.Path) {
		return fmt.Errorf("the path %q of the executable is not absolute", e.Path)
	}
	if sum, err := hex.DecodeString(e.SHA256); err != nil || len(sum) != 32 {
		return fmt.Errorf("%s is not pinned: its entry needs the executable's SHA-256", e.Path)
	}
	return nil
}

// network parses network grants.
func network(grants []string) (ports []uint16, sockets bool, err error) {
	for _, grant := range grants {
		if grant == "unix" {
			sockets = true
			continue
		}
		number, ok := strings.CutPrefix(grant, "tcp:")
		port, err := strconv.ParseUint(number, 10, 16)
		if !ok || err != nil || port == 0 {
			return nil, false, fmt.Errorf("network grant %q: must be tcp: and a port, such as tcp:443, or unix", grant)
		}
		ports = append(ports, uint16(port))
	}
	return ports, sockets, nil
}
