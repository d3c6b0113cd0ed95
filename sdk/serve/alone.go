package serve

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/signal"
	"syscall"

	"github.com/hashicorp/go-plugin"
	"google.golang.org/grpc"

	"github.com/sagasu-search/sagasu/sdk/x/wire"
)

// serveAlone serves without a host, for as long as a debugger likes: it says on stdout, in one
// line of JSON, where a host finds it. An interrupt ends it.
func serveAlone(server *wire.Server) {
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
		line, _ := json.Marshal(wire.Reattach{PID: os.Getpid(), Network: at.Addr.Network(), Address: at.Addr.String(), Version: wire.ProtocolVersion}) // strings and numbers
		fmt.Println(string(line))
	case <-closed:
	}
	<-closed
}
