package main

import (
	"fmt"
	"os"
	"slices"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"github.com/sagasu-search/sagasu/framework/host"
	"github.com/sagasu-search/sagasu/framework/workspace"
	"github.com/sagasu-search/sagasu/sdk/serve"
)

func pluginCommand(flags *workspace.Flags) *cobra.Command {
	c := &cobra.Command{
		Use:   "plugin",
		Short: "Look after the strategies",
		Args:  noSuchCommand,
		RunE:  help,
	}
	c.AddCommand(pluginLsCommand(flags), pluginServeCommand(), pluginSandboxCommand())
	return c
}

func pluginLsCommand(flags *workspace.Flags) *cobra.Command {
	var asJSON bool
	c := &cobra.Command{
		Use:     "ls",
		Short:   "Start the strategies and show their state",
		Example: `  sagasu plugin ls --workspace testdata/workspace`,
		Args:    exactly(0),
		RunE: func(c *cobra.Command, _ []string) error {
			a, err := open(c.Context(), flags, c.ErrOrStderr())
			if err != nil {
				return err
			}
			defer a.Close()
			a.host.Start(c.Context())
			states := a.host.Status()
			if asJSON {
				return printJSON(c.OutOrStdout(), states)
			}
			t := tabwriter.NewWriter(c.OutOrStdout(), 0, 4, 2, ' ', 0)
			fmt.Fprintln(t, "NAME\tVERSION\tSTAGE\tWEIGHT\tSTATE\tPID\tRESTARTS\tSANDBOX")
			for _, s := range states {
				fmt.Fprintf(t, "%s\t%s\t%s\t%.2f\t%s\t%d\t%d\t%s\n", s.Name, s.Version, s.Stage, s.Weight, s.State, s.PID, s.Restarts, s.Sandbox)
			}
			return t.Flush()
		},
	}
	c.Flags().BoolVar(&asJSON, "json", false, "print as JSON")
	return c
}

// pluginServeCommand is how the host starts a bundled strategy.
func pluginServeCommand() *cobra.Command {
	return &cobra.Command{
		Use:    "serve NAME",
		Short:  "Serve a bundled strategy to the host that started this process",
		Hidden: true,
		Args:   exactly(1),
		RunE: func(_ *cobra.Command, args []string) error {
			for _, b := range slices.Concat(bundled, lanes) {
				if b.name == args[0] {
					if err := host.Confine(); err != nil {
						return err
					}
					serve.Strategy(b.make())
					return nil
				}
			}
			return usageError{fmt.Errorf("no bundled strategy is called %q", args[0])}
		},
	}
}

// pluginSandboxCommand confines this process and becomes the strategy.
func pluginSandboxCommand() *cobra.Command {
	return &cobra.Command{
		Use:                "sandbox",
		Short:              "Confine this process, then become a strategy",
		Hidden:             true,
		DisableFlagParsing: true,
		RunE: func(_ *cobra.Command, args []string) error {
			return host.RunSandbox(args, os.Environ())
		},
	}
}
