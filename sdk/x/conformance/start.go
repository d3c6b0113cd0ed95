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
		return serveHere(ctx, wire.NewServer(s, hclog.NewNullLogger(), stateDir), serverOptions...)
	}
}

// LocalConverter is like [Local], but for [ConverterSubject.Start].
func LocalConverter(make func() sdk.Converter, stateDir string) func(context.Context) (Converter, error) {
	return func(ctx context.Context) (Converter, error) {
		var c sdk.Converter
		if err := guard.Call(func() error { c = make(); return nil }); err != nil {
			return nil, err
		}
		service := wire.NewConverterServer(c, hclog.NewNullLogger(), stateDir)
		return serveHere(ctx, service, wire.ServerOptions()...)
	}
}

// serveHere serves in this process.
func serveHere(ctx context.Context, service wire.Service, serverOptions ...grpc.ServerOption) (*remote, error) {
	listener, err := new(net.ListenConfig).Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	options := append(wire.DialOptions(), grpc.WithTransportCredentials(insecure.NewCredentials()))
	conn, err := grpc.NewClient(listener.Addr().String(), options...)
	if err != nil {
		return nil, errors.Join(err, listener.Close())
	}
	r := &remote{Client: wire.NewClient(conn), conn: conn, server: service}
	r.transport = grpc.NewServer(serverOptions...)
	service.Register(r.transport)
	r.serving.Go(func() error { return r.transport.Serve(listener) })
	return r, nil
}

// remote is a strategy or a converter behind a connection, with its server.
type remote struct {
	*wire.Client
	conn      *grpc.ClientConn
	transport *grpc.Server
	server    wire.Service
	serving   guard.Group
}

// Close implements [Strategy].
func (r *remote) Close() error {
	closed := r.conn.Close()
	r.transport.Stop()
	_ = r.serving.Wait() // stopping it is not an error
	ended := make(chan error, 1)
	var closing guard.Group
	closing.Go(func() error { ended <- r.server.Close(); return nil })
	select {
	case err := <-ended:
		return errors.Join(err, closed)
	case <-time.After(defaultTimeout):
		return fmt.Errorf("calls that have ended for the caller still run after %v", defaultTimeout)
	}
}
