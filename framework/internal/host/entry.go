package host

import (
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"

	"github.com/sagasu-search/sagasu/sdk"
	"github.com/sagasu-search/sagasu/sdk/x/border"
	"github.com/sagasu-search/sagasu/sdk/x/wire"
)

// Entry says which executable is a strategy, what pins it and what it may do.
type Entry struct {
	// Name is the strategy's name; its Describe must say the same.
	Name string
	// Path is the absolute path of the executable. "" means bundled: the
	// running binary with the arguments that Options.Bundled gives.
	Path string
	// Args are the executable's arguments. Not for a bundled strategy.
	Args []string
	// SHA256 pins the executable, in hexadecimal. Required with a Path.
	SHA256 string
	// Env names variables of the host's environment that are passed on.
	Env []string
	// Reads are further files and directories that it may read and execute.
	Reads []string
	// Network grants outgoing connections: "tcp:443", and "unix" for unix sockets.
	Network []string
	// Admit lets the signals of its Description.Admitting make sections candidates. A bundled strategy needs none.
	Admit bool
	// Known is what Describe will say, where that is known without a process, as of a
	// bundled strategy; nil where it is not. A strategy so known starts when it is
	// called, not when all are asked what they are.
	Known *sdk.Description
	// Converter makes it a converter of documents, and says what DescribeConverter will; nil for a strategy.
	Converter *sdk.ConverterDescription
	// Stage is when it will be called, "" where that is not known before it has said so: a
	// search that misses a reranker has missed no section.
	Stage sdk.Stage
	// Config is passed to the strategy's Configure unless it is empty.
	Config json.RawMessage
	// Refused is why the strategy is not started at all, such as [ErrNotInstalled];
	// nil for one that is. What refuses needs no executable.
	Refused error

	// Shared lets it run in one process with others so marked, which are bundled and granted nothing.
	Shared bool

	members []string // what a process of several strategies serves

	// Attach is a process that somebody else started, such as a debugger, and that serves
	// the strategy; nil for one to start. Nothing pins or confines it.
	Attach *wire.Reattach
}

var envName = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]*$`)

// Check reports the first thing wrong with an entry.
func (e *Entry) Check() error {
	if !border.IsName(e.Name) {
		return fmt.Errorf("strategy name %q: must be 1 to 40 lower-case letters, digits and '-'", e.Name)
	}
	if err := e.checkPath(); err != nil {
		return fmt.Errorf("strategy %s: %w", e.Name, err)
	}
	if err := CheckGrants(e.Network, e.Env); err != nil {
		return fmt.Errorf("strategy %s: %w", e.Name, err)
	}
	if len(e.Config) > 0 && !json.Valid(e.Config) {
		return fmt.Errorf("strategy %s: the configuration is not JSON", e.Name)
	}
	return nil
}

// CheckGrants reports the first thing wrong with what an entry grants of connections
// and variables of the environment.
func CheckGrants(connections, variables []string) error {
	if _, _, err := network(connections); err != nil {
		return err
	}
	for _, name := range variables {
		if !envName.MatchString(name) {
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

// network reads network grants.
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
