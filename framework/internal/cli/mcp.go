package cli

import (
	"github.com/spf13/cobra"

	"github.com/sagasu-search/sagasu/framework/internal/server"
	"github.com/sagasu-search/sagasu/sdk/x/rest"
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
			a, err := open(c.Context(), prog, nil)
			if err != nil {
				return err
			}
			idle := rest.GiveBack()
			defer idle.Stop()
			a.Tools.Note(idle)
			return serveUntilEnd(c, a.Tools, a.Close)
		},
	}
}

// serveUntilEnd serves a client until its input ends, and then ends the process in time. close is
// called when nothing is served any more.
func serveUntilEnd(c *cobra.Command, tools *server.Server, close func() error) error {
	in, ended, release := untilEnd(c.InOrStdin())
	defer release()
	defer endAfter(ended, exitFailure)()
	defer close()
	return tools.ServeStdio(c.Context(), in, c.OutOrStdout())
}
