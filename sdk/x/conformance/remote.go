package conformance

import (
	"context"
	"errors"
	"net"
	"sync"

	"github.com/hashicorp/go-hclog"
	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials/insecure"

	"github.com/sagasu-search/sagasu/sdk"
	"github.com/sagasu-search/sagasu/sdk/x/wire"
	pb "github.com/sagasu-search/sagasu/sdk/x/wire/strategypb"
)

// OverGRPC makes a start of strategies that are served in this process and called over a
// connection, as the host does.
func OverGRPC(make func() sdk.Strategy, stateDir string) func(context.Context) (Strategy, error) {
	return func(ctx context.Context) (Strategy, error) {
		var s sdk.Strategy
		if err := wire.Guard(func() error { s = make(); return nil }); err != nil {
			return nil, err
		}
		listener, err := new(net.ListenConfig).Listen(ctx, "tcp", "127.0.0.1:0")
		if err != nil {
			return nil, err
		}
		conn, err := grpc.NewClient(listener.Addr().String(), append(wire.DialOptions(), grpc.WithTransportCredentials(insecure.NewCredentials()))...)
		if err != nil {
			return nil, errors.Join(err, listener.Close())
		}
		r := &remote{Client: wire.NewClient(conn), conn: conn, server: wire.NewServer(s, hclog.NewNullLogger(), stateDir)}
		r.transport = grpc.NewServer(wire.ServerOptions()...)
		pb.RegisterStrategyServer(r.transport, r.server)
		r.serving.Go(func() { _ = r.transport.Serve(listener) })
		return r, nil
	}
}

// remote is a strategy behind a connection, and what serves it.
type remote struct {
	*wire.Client
	conn      *grpc.ClientConn
	transport *grpc.Server
	server    *wire.Server
	serving   sync.WaitGroup
}

// Close implements [Strategy].
func (r *remote) Close() (err error) {
	closed := r.conn.Close()
	r.transport.Stop()
	r.serving.Wait()
	ended := within(func() { err = r.server.Close() })
	if ended != nil {
		return ended
	}
	return errors.Join(err, closed)
}
