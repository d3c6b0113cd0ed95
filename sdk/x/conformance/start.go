package conformance

import (
	"context"
	"errors"
	"fmt"
	"net"
	"time"

	"github.com/hashicorp/go-hclog"
	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials/insecure"

	"github.com/sagasu-search/sagasu/sdk"
	"github.com/sagasu-search/sagasu/sdk/x/guard"
	"github.com/sagasu-search/sagasu/sdk/x/wire"
	pb "github.com/sagasu-search/sagasu/sdk/x/wire/strategypb"
)

// Local returns a function for [Subject.Start] that serves strategies in this process and calls them
// over a connection, as the host does. stateDir is their state directory, or "".
func Local(make func() sdk.Strategy, stateDir string) func(context.Context) (Strategy, error) {
	return local(make, stateDir, wire.ServerOptions()...)
}

func local(
	make func() sdk.Strategy, stateDir string, serverOptions ...grpc.ServerOption,
) func(context.Context) (Strategy, error) {
	return func(ctx context.Context) (Strategy, error) {
		var s sdk.Strategy
		if err := guard.Call(func() error { s = make(); return nil }); err != nil {
			return nil, err
		}
		listener, err := new(net.ListenConfig).Listen(ctx, "tcp", "127.0.0.1:0")
		if err != nil {
			return nil, err
		}
		options := append(wire.DialOptions(), grpc.WithTransportCredentials(insecure.NewCredentials()))
		conn, err := grpc.NewClient(listener.Addr().String(), options...)
		if err != nil {
			return nil, errors.Join(err, listener.Close())
		}
		server := wire.NewServer(s, hclog.NewNullLogger(), stateDir)
		r := &remote{Client: wire.NewClient(conn), conn: conn, server: server}
		r.transport = grpc.NewServer(serverOptions...)
		pb.RegisterStrategyServer(r.transport, r.server)
		r.serving.Go(func() error { return r.transport.Serve(listener) })
		return r, nil
	}
}

// remote is a strategy behind a connection, with its server.
type remote struct {
	*wire.Client
	conn      *grpc.ClientConn
	transport *grpc.Server
	server    *wire.Server
	serving   guard.Group
}

// Close implements [Strategy].
func (r *remote) Close() (err error) {
	closed := r.conn.Close()
	r.transport.Stop()
	_ = r.serving.Wait() // it was stopped
	done := make(chan struct{})
	var closing guard.Group
	closing.Go(func() error {
		defer close(done)
		err = r.server.Close()
		return nil
	})
	select {
	case <-done:
		return errors.Join(err, closed)
	case <-time.After(defaultTimeout):
		return fmt.Errorf("calls that have ended for the caller still run after %v", defaultTimeout)
	}
}
