package app

import (
	"fmt"
	"os"

	"github.com/sagasu-search/sagasu/framework/internal/host"
	"github.com/sagasu-search/sagasu/sdk"
	"github.com/sagasu-search/sagasu/sdk/serve"
	"github.com/sagasu-search/sagasu/sdk/x/wire"
)

// ServeChild runs a process that a host started: it serves compiled-in strategies, or becomes a strategy in the
// sandbox, until the host ends. It reports whether these arguments are those of such a process, and its exit code.
func ServeChild(strategies Strategies, args []string) (code int, child bool) {
	started := os.Getenv(wire.Handshake.MagicCookieKey) == wire.Handshake.MagicCookieValue
	if !started || len(args) < 3 || args[0] != "plugin" {
		return 0, false
	}
	var err error
	switch args[1] {
	case "serve":
		err = serveStrategies(strategies, args[2:])
	case "sandbox":
		err = host.RunSandbox(args[2:], os.Environ())
	default:
		return 0, false
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1, true
	}
	return 0, true
}

func serveStrategies(strategies Strategies, names []string) error {
	var entries []sdk.Entry
	for _, name := range names {
		e, ok := strategies.Named(name)
		if !ok {
			return fmt.Errorf("no bundled strategy is called %q", name)
		}
		entries = append(entries, e)
	}
	if err := host.Confine(); err != nil {
		return err
	}
	switch {
	case len(entries) > 1:
		all := map[string]sdk.Strategy{}
		for _, e := range entries {
			all[e.Name] = e.New()
		}
		serve.Strategies(all)
	case entries[0].NewConverter != nil:
		serve.Converter(entries[0].NewConverter())
	default:
		serve.Strategy(entries[0].New())
	}
	return nil
}
