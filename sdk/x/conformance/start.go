package conformance

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"slices"
	"sync"
	"time"

	"github.com/hashicorp/go-hclog"
	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials/insecure"

	"github.com/sagasu-search/sagasu/sdk"
	"github.com/sagasu-search/sagasu/sdk/snapshot"
	"github.com/sagasu-search/sagasu/sdk/x/wire"
	pb "github.com/sagasu-search/sagasu/sdk/x/wire/strategypb"
)

// InProcess returns a function for [Subject.Start] that makes strategies and calls them directly.
// stateDir is their state directory, or "".
func InProcess(make func() sdk.Strategy, stateDir string) func(context.Context) (Strategy, error) {
	return func(context.Context) (s Strategy, err error) {
		err = wire.Guard(func() error { s = &direct{strategy: make(), stateDir: stateDir}; return nil })
		return s, err
	}
}

// direct calls a strategy of this process as if it were in another: a panic is an error,
// and a call returns when its context ends.
type direct struct {
	strategy sdk.Strategy
	stateDir string
	calls    sync.WaitGroup
}

// Describe implements [Strategy].
func (d *direct) Describe(ctx context.Context) (out sdk.Description, err error) {
	err = d.call(ctx, func(context.Context) error { out = d.strategy.Describe(); return nil })
	return out, err
}

// Configure implements [Strategy].
func (d *direct) Configure(ctx context.Context, config json.RawMessage) error {
	configurer, ok := d.strategy.(sdk.Configurer)
	if !ok {
		return errors.New("the strategy has no method Configure")
	}
	return d.call(ctx, func(ctx context.Context) error { return configurer.Configure(ctx, config) })
}

// Open implements [Strategy].
func (d *direct) Open(ctx context.Context, corpus *snapshot.Snapshot) error {
	opener, ok := d.strategy.(sdk.Opener)
	if !ok {
		return nil
	}
	return d.call(ctx, func(ctx context.Context) error { return opener.Open(ctx, corpus) })
}

// Search implements [Strategy].
func (d *direct) Search(ctx context.Context, req *sdk.Request) (*sdk.Result, error) {
	var res *sdk.Result
	req = clone(req)
	err := d.call(ctx, func(ctx context.Context) (err error) { res, err = d.strategy.Search(ctx, req); return err })
	if err != nil {
		return nil, err
	}
	return res, nil
}

// clone copies a request, as the transport does: a strategy may change its copy.
func clone(req *sdk.Request) *sdk.Request {
	out := *req
	out.Query.Terms, out.Pool = slices.Clone(req.Query.Terms), slices.Clone(req.Pool)
	if req.Scope != nil {
		out.Scope = req.Scope.Clone()
	}
	return &out
}

// Close implements [Strategy].
func (d *direct) Close() error {
	if err := waitFor(d.calls.Wait); err != nil {
		return err
	}
	closer, ok := d.strategy.(io.Closer)
	if !ok {
		return nil
	}
	return wire.Guard(closer.Close)
}

// call runs the strategy's code until it or ctx ends.
func (d *direct) call(ctx context.Context, code func(context.Context) error) error {
	ctx = sdk.WithSurroundings(ctx, hclog.NewNullLogger(), d.stateDir)
	done := make(chan error, 1)
	d.calls.Go(func() { done <- wire.Guard(func() error { return code(ctx) }) })
	select {
	case err := <-done:
		return err
	case <-ctx.Done():
	}
	select {
	case err := <-done: // in time, or all but
		return err
	case <-time.After(time.Millisecond):
		return ctx.Err()
	}
}

// waitFor waits, with a time limit.
func waitFor(wait func()) error {
	done := make(chan struct{})
	go func() {
		defer close(done)
		wait()
	}()
	select {
	case <-done:
		return nil
	case <-time.After(defaultTimeout):
		return fmt.Errorf("calls that have ended for the caller still run after %v", defaultTimeout)
	}
}

// OverGRPC returns a function for [Subject.Start] that serves strategies in this process and calls
// them over a connection, as the host does.
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
		options := append(wire.DialOptions(), grpc.WithTransportCredentials(insecure.NewCredentials()))
		conn, err := grpc.NewClient(listener.Addr().String(), options...)
		if err != nil {
			return nil, errors.Join(err, listener.Close())
		}
		server := wire.NewServer(s, hclog.NewNullLogger(), stateDir)
		r := &remote{Client: wire.NewClient(conn), conn: conn, server: server}
		r.transport = grpc.NewServer(wire.ServerOptions()...)
		pb.RegisterStrategyServer(r.transport, r.server)
		r.serving.Go(func() { _ = r.transport.Serve(listener) })
		return r, nil
	}
}

// remote is a strategy behind a connection, with its server.
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
	ended := waitFor(func() { err = r.server.Close() })
	if ended != nil {
		return ended
	}
	return errors.Join(err, closed)
}
