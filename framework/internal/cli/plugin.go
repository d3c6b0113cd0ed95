package cli

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/sagasu-search/sagasu/framework/internal/host"
	"github.com/sagasu-search/sagasu/framework/internal/host/scaffold"
	"github.com/sagasu-search/sagasu/framework/internal/host/trust"
)

func pluginCommand(prog *program) *cobra.Command {
	c := &cobra.Command{
		Use:   "plugin",
		Short: "Look after the strategies",
	}
	c.AddCommand(
		pluginNewCommand(prog), pluginCheckCommand(), pluginDevCommand(prog), pluginInstallCommand(prog),
		pluginLsCommand(prog), pluginRmCommand(prog), pluginVerifyCommand(prog),
	)
	return c
}

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
			return usageError{fmt.Errorf("--read %s: %w", path, errors.Unwrap(err))} // the path once
		}
	}
	return nil
}

func pluginNewCommand(prog *program) *cobra.Command {
	var o scaffold.Options
	c := &cobra.Command{
		Use:   "new NAME",
		Short: "Write the Go module of a new strategy",
		Long: `new writes a module that builds, passes its tests and runs: a strategy of a few
lines that finds sections, or with --rerank orders those that others found, a test
that it keeps the rules of the host, and a job for CI. Nothing that exists is
overwritten.`,
		Example: `  sagasu plugin new my-strategy --sdk ~/src/sagasu
  sagasu plugin new my-reranker --rerank --sdk ~/src/sagasu`,
		RunE: func(c *cobra.Command, args []string) error {
			o.Name = args[0]
			o.Dir = cmp.Or(o.Dir, o.Name)
			o.Taken = prog.strategies.Names()
			names, err := scaffold.Write(o)
			if err != nil {
				return err
			}
			out := c.OutOrStdout()
			for _, name := range names {
				fmt.Fprintln(out, filepath.Join(o.Dir, filepath.FromSlash(name)))
			}
			s := styleFor(out)
			fmt.Fprintf(out, "\n%s\n  cd %s\n", s.bold("next:"), o.Dir)
			if o.SDK == "" {
				fmt.Fprintln(out, "  go mod tidy")
			}
			_, err = fmt.Fprintf(out, "  go test ./...\n  go build .\n  sagasu plugin check ./%s\n", o.Name)
			return err
		},
	}
	c.Flags().BoolVar(&o.Rerank, "rerank", false, "make a reranker")
	c.Flags().StringVar(&o.Dir, "dir", "", "the directory of the module (default ./NAME)")
	c.Flags().StringVar(&o.SDK, "sdk", "", "a checkout of sagasu to build with, until the module is published")
	return c
}
