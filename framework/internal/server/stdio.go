package server

import (
	"context"
	"fmt"
	"io"
	"time"

	"github.com/hashicorp/go-hclog"
	"github.com/mark3labs/mcp-go/server"

	"github.com/sagasu-search/sagasu/framework/internal/toolset"
)

const (
	// callWorkers is how many calls run at once; over stdio, a call that waits
	// for a worker cannot be cancelled.
	callWorkers = 16
	// stdioGrace is how long answers under way may take after the client has
	// closed its end, so that `echo … | sagasu mcp` gets them.
	stdioGrace = 1500 * time.Millisecond
)

// ServeStdio serves one MCP client until in ends or ctx is done; both are a
// clean end. The MCP library keeps its session in a global: a process serves
// one stdio client at a time.
func (s *Server) ServeStdio(ctx context.Context, in io.Reader, out io.Writer) error {
	wire := newWire(ctx, in, out, stdioGrace)
	defer wire.close()
	stdio := server.NewStdioServer(s.protocol(transport{
		session: &toolset.Session{}, notify: wire.notify, refuse: wire.refuse,
	}))
	server.WithWorkerPoolSize(callWorkers)(stdio)
	stdio.SetErrorLogger(s.log.StandardLogger(&hclog.StandardLoggerOptions{ForceLevel: hclog.Warn}))
	if err := stdio.Listen(ctx, wire, wire); err != nil && ctx.Err() == nil {
		return fmt.Errorf("serve stdio: %w", err)
	}
	return nil
}
