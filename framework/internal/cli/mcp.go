package cli

import (
	"context"
	"fmt"
	"io"
	"os"
	"time"

	"github.com/spf13/cobra"

	"github.com/sagasu-search/sagasu/framework/internal/host"
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
			_ = host.LoosenTimers() // a failure only costs more wake-ups
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

// serveUntilEnd serves a client until its input ends, and then ends the process in time. It calls close once nothing is
// served any more.
func serveUntilEnd(c *cobra.Command, tools *server.Server, close func() error) error {
	ended, release := context.WithCancel(context.Background())
	defer release()
	defer endAfter(ended, exitFailure)()
	defer close()
	return tools.ServeStdio(c.Context(), &ending{c.InOrStdin(), release}, c.OutOrStdout())
}

// endTime is how long a process may take to end by itself after its input has ended or it has received a signal: three
// seconds in all, with the time that a busy system needs to end it.
const endTime = 2500 * time.Millisecond

// endAfter ends the process with code when endTime has passed after ctx is done, whatever is running: a call may ignore
// its context, or an answer may wait for a client that does not read. Strategies end when their pipes close, and files
// are only replaced as a whole. calm cancels this.
func endAfter(ctx context.Context, code int) (calm func()) {
	calmed := make(chan struct{})
	forget := context.AfterFunc(ctx, func() {
		select {
		case <-calmed:
		case <-time.After(endTime):
			fmt.Fprintln(os.Stderr, "sagasu: stopped in the middle of its work, which did not end in time")
			os.Exit(code)
		}
	})
	return func() {
		forget()
		close(calmed)
	}
}

// ending is a reader that calls end at its end, perhaps several times.
type ending struct {
	io.Reader
	end func()
}

// Read implements [io.Reader].
func (e *ending) Read(p []byte) (int, error) {
	n, err := e.Reader.Read(p)
	if err != nil {
		e.end()
	}
	return n, err
}
