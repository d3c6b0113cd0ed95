package cli

import (
	"fmt"
	"os"

	"github.com/spf13/cobra"

	"github.com/sagasu-search/sagasu/framework/internal/host"
	"github.com/sagasu-search/sagasu/sdk/serve"
)

func pluginCommand(prog *program) *cobra.Command {
	c := &cobra.Command{
		Use:   "plugin",
		Short: "Look after the strategies",
		Args:  noSuchCommand,
		RunE:  help,
	}
	c.AddCommand(
		pluginNewCommand(prog), pluginCheckCommand(), pluginDevCommand(prog), pluginInstallCommand(prog), pluginLsCommand(prog), pluginRmCommand(prog), pluginVerifyCommand(prog),
		pluginServeCommand(prog), pluginSandboxCommand(),
	)
	return c
}

// pluginServeCommand is how the host starts a bundled strategy.
func pluginServeCommand(prog *program) *cobra.Command {
	return &cobra.Command{
		Use:    "serve NAME",
		Short:  "Serve a bundled strategy to the host that started this process",
		Hidden: true,
		Args:   exactly(1),
		RunE: func(_ *cobra.Command, args []string) error {
			if b, ok := prog.strategies.named(args[0]); ok {
				if err := host.Confine(); err != nil {
					return err
				}
				serve.Strategy(b.New())
				return nil
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
