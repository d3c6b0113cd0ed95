package serve

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/signal"
	"runtime/debug"
	"syscall"
	"time"

	"github.com/hashicorp/go-hclog"
	"github.com/hashicorp/go-plugin"
	"google.golang.org/grpc"

	"github.com/sagasu-search/sagasu/sdk"
	"github.com/sagasu-search/sagasu/sdk/x/rest"
	"github.com/sagasu-search/sagasu/sdk/x/wire"
)

// Strategy serves s to the host that started the process. It returns when the host disconnects,
// after closing the snapshots and, if it is an io.Closer, s. If no host started the process, it
// explains this on stderr and exits with status 1.
func Strategy(s sdk.Strategy) {
	service(func(logger hclog.Logger, stateDir string) wire.Service { return wire.NewServer(s, logger, stateDir) })
}

// Strategies serves several strategies, keyed by name, in one process.
func Strategies(all map[string]sdk.Strategy) {
	service(func(logger hclog.Logger, stateDir string) wire.Service { return wire.NewGroup(all, logger, stateDir) })
}

// Converter serves c as [Strategy] does a strategy.
func Converter(c sdk.Converter) {
	service(func(logger hclog.Logger, stateDir string) wire.Service {
		return wire.NewConverterServer(c, logger, stateDir)
	})
}

// service serves the result of make.
func service(make func(logger hclog.Logger, stateDir string) wire.Service) {
	if os.Getenv(wire.EnvDebug) != "" && os.Getenv(wire.Handshake.MagicCookieKey) == "" {
		server := make(newLogger(), os.Getenv(wire.EnvStateDir))
		serveAlone(server)
		_ = server.Close() // the end of a session with a debugger
		return
	}
	// Until the handshake is sent, stdout is reserved for the host: stray prints of the
	// strategy go to the log.
	shake := &handshake{stdout: os.Stdout}
	os.Stdout = os.Stderr
	exitOnParentDeath()
	endStart(startTime)

	logger := newLogger()
	server := make(logger, os.Getenv(wire.EnvStateDir))
	idle := rest.GiveBack()
	defer idle.Stop()
	plugin.Serve(&plugin.ServeConfig{
		HandshakeConfig:  wire.Handshake,
		VersionedPlugins: wire.Plugins(server),
		Logger:           logger,
		TLSProvider:      shake.secure,
		GRPCServer: func(opts []grpc.ServerOption) *grpc.Server {
			os.Stdout = shake.output() // the library prints the handshake next
			opts = append(opts, grpc.UnaryInterceptor(noting(idle)))
			return grpc.NewServer(append(opts, wire.ServerOptions()...)...)
		},
	})
	if err := server.Close(); err != nil {
		logger.Error("close", "error", err)
	}
}

// newLogger returns a logger whose lines the host parses and logs again at their levels.
func newLogger() hclog.Logger {
	return hclog.New(&hclog.LoggerOptions{
		Level:      hclog.LevelFromString(os.Getenv(wire.EnvLogLevel)),
		Output:     os.Stderr,
		JSONFormat: true,
	})
}

// noting notifies a timer when calls begin and end.
func noting(idle *rest.Timer) grpc.UnaryServerInterceptor {
	return func(ctx context.Context, in any, _ *grpc.UnaryServerInfo, answer grpc.UnaryHandler) (any, error) {
		defer idle.Begin()()
		return answer(ctx, in)
	}
}

const (
	// startTime is how long the start phase lasts.
	startTime = 2 * time.Second
	// usualGC is GOGC after the start: how much the heap may grow, in percent, before garbage is collected.
	usualGC = 200
)

// endStart sets GOGC to usualGC after the start, unless the process was given another value.
func endStart(after time.Duration) {
	if "GOGC="+os.Getenv("GOGC") == wire.StartGC {
		time.AfterFunc(after, func() { debug.SetGCPercent(usualGC) })
	}
}

// exitOnParentDeath ends the process when its stdin is closed. The host holds the other end of that
// pipe, so the process ends even if the host crashes. The host requests this with
// [wire.EnvExitWithParent]; under a debugger stdin is not watched.
func exitOnParentDeath() {
	if os.Getenv(wire.EnvExitWithParent) != "stdin" {
		return
	}
	stdin := os.Stdin
	if null, err := os.Open(os.DevNull); err == nil {
		os.Stdin = null // the author's code must not read the pipe
	}
	go func() {
		_, _ = io.Copy(io.Discard, stdin)
		os.Exit(0)
	}()
}

// serveAlone serves without a host, for a debugger, until an interrupt. It prints one line of JSON that says where a
// host can connect.
func serveAlone(server wire.Service) {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	where, closed := make(chan *plugin.ReattachConfig, 1), make(chan struct{})
	go plugin.Serve(&plugin.ServeConfig{
		HandshakeConfig:  wire.Handshake,
		VersionedPlugins: wire.Plugins(server),
		Logger:           newLogger(),
		GRPCServer: func(opts []grpc.ServerOption) *grpc.Server {
			return grpc.NewServer(append(opts, wire.ServerOptions()...)...)
		},
		Test: &plugin.ServeTestConfig{Context: ctx, ReattachConfigCh: where, CloseCh: closed},
	})
	select {
	case at := <-where:
		line, _ := json.Marshal(wire.Reattach{ // strings and numbers
			PID: os.Getpid(), Network: at.Addr.Network(), Address: at.Addr.String(), Version: wire.ProtocolVersion,
		})
		fmt.Println(string(line))
	case <-closed:
	}
	<-closed
}
