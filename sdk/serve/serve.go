package serve

import (
	"os"

	"github.com/hashicorp/go-hclog"
	"github.com/hashicorp/go-plugin"
	"google.golang.org/grpc"

	"github.com/sagasu-search/sagasu/sdk"
	"github.com/sagasu-search/sagasu/sdk/x/wire"
)

// Strategy serves s to the host that started the process and returns when the
// host lets go, after closing the snapshots and, if it is an io.Closer, s. In a
// process that no host started it explains itself on stderr and exits with 1.
func Strategy(s sdk.Strategy) {
	if os.Getenv(wire.EnvDebug) != "" && os.Getenv(wire.Handshake.MagicCookieKey) == "" {
		server := wire.NewServer(s, newLogger(), os.Getenv(wire.EnvStateDir))
		serveAlone(server)
		_ = server.Close() // the end of a session with a debugger
		return
	}
	// Until the handshake is out, stdout is the host's: a stray print of the
	// author's goes to the log instead.
	shake := &handshake{stdout: os.Stdout}
	os.Stdout = os.Stderr
	holdLeash()
	endStart(startTime)

	logger := newLogger()
	server := wire.NewServer(s, logger, os.Getenv(wire.EnvStateDir))
	plugin.Serve(&plugin.ServeConfig{
		HandshakeConfig:  wire.Handshake,
		VersionedPlugins: wire.Plugins(server),
		Logger:           logger,
		TLSProvider:      shake.secure,
		GRPCServer: func(opts []grpc.ServerOption) *grpc.Server {
			os.Stdout = shake.output() // the library prints the handshake next
			return grpc.NewServer(append(opts, wire.ServerOptions()...)...)
		},
	})
	if err := server.Close(); err != nil {
		logger.Error("close the strategy", "error", err)
	}
}

// newLogger writes the lines that the host reads and levels again.
func newLogger() hclog.Logger {
	return hclog.New(&hclog.LoggerOptions{
		Level:      hclog.LevelFromString(os.Getenv(wire.EnvLogLevel)),
		Output:     os.Stderr,
		JSONFormat: true,
	})
}
