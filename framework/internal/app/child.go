package app

import (
	"fmt"
	"os"

	"github.com/sagasu-search/sagasu/framework/internal/host"
	"github.com/sagasu-search/sagasu/sdk/serve"
	"github.com/sagasu-search/sagasu/sdk/x/wire"
)

// IsChild reports whether this process was started by a host: to serve a compiled-in strategy, or
// to become one in the sandbox. args are the process's arguments without its name.
func IsChild(args []string) bool {
	return len(args) > 1 && args[0] == "plugin" && (args[1] == "serve" || args[1] == "sandbox") &&
		os.Getenv(wire.Handshake.MagicCookieKey) == wire.Handshake.MagicCookieValue
}

// RunChild does what a process was started for, see [IsChild]. It returns when the host is gone.
func RunChild(strategies Strategies, args []string) error {
	if args[1] == "sandbox" {
		return host.RunSandbox(args[2:], os.Environ())
	}
	if len(args) != 3 {
		return fmt.Errorf("serve takes the name of a strategy")
	}
	return ServeStrategy(strategies, args[2])
}

// ServeStrategy confines this process and serves a compiled-in strategy in it. It fails when
// there is none of that name.
func ServeStrategy(strategies Strategies, name string) error {
	e, ok := strategies.Named(name)
	if !ok {
		return fmt.Errorf("no bundled strategy is called %q", name)
	}
	if err := host.Confine(); err != nil {
		return err
	}
	serve.Strategy(e.New())
	return nil
}
