package cli

import (
	"fmt"
	"os"
	"path/filepath"

	"github.com/spf13/pflag"

	"github.com/sagasu-search/sagasu/framework/internal/host"
	"github.com/sagasu-search/sagasu/framework/internal/host/trust"
)

// grantFlags are how a strategy is started: what it may do, and its arguments.
func grantFlags(f *pflag.FlagSet, g *trust.Grants, args *[]string) {
	f.StringArrayVar(&g.Network, "network", nil, "let it connect out, such as `tcp:443`; may be repeated")
	f.StringArrayVar(&g.Reads, "read", nil, "let it read and execute this file or folder (`PATH`); may be repeated")
	f.StringArrayVar(&g.Env, "env", nil, "let it see this variable of the environment (`NAME`); may be repeated")
	f.StringArrayVar(args, "arg", nil, "start it with this argument; may be repeated")
}

// checkGrants checks what flags grant and makes the paths absolute.
func checkGrants(g *trust.Grants) (err error) {
	if err := host.CheckGrants(g.Network, g.Env); err != nil {
		return usageError{err}
	}
	for i, path := range g.Reads {
		if g.Reads[i], err = filepath.Abs(path); err != nil {
			return err
		}
		if _, err := os.Stat(path); err != nil {
			return usageError{fmt.Errorf("--read %s: %w", path, err)}
		}
	}
	return nil
}
