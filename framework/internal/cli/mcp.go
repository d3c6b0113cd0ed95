package cli

import (
	"github.com/spf13/cobra"
)

func mcpCommand(prog *program) *cobra.Command {
	return &cobra.Command{
		Use:   "mcp",
		Short: "Serve MCP on standard input and output",
		Long: `mcp is what an agent connects to. It speaks MCP on standard input and output,
logs on standard error, and ends when its input ends.`,
		Example: `  sagasu mcp --workspace ~/docs
  claude mcp add sagasu -- sagasu mcp --workspace ~/docs`,
		RunE: func(c *cobra.Command, _ []string) error {
			easeStart(startTime)
			a, err := open(c.Context(), prog, nil)
			if err != nil {
				return err
			}
			defer a.Close()
			return a.Tools.ServeStdio(c.Context(), c.InOrStdin(), c.OutOrStdout())
		},
	}
}
