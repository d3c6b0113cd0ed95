package host

import (
	"context"
	"testing"
	"time"

	"github.com/hashicorp/go-plugin"
	"google.golang.org/grpc"
	"google.golang.org/protobuf/types/known/emptypb"

	"github.com/sagasu-search/sagasu/sdk/snapshot"
	"github.com/sagasu-search/sagasu/sdk/x/wire"
	"github.com/sagasu-search/sagasu/sdk/x/wire/strategypb"
)

// farReader is a strategy that reads remotely, and reads while it prepares.
type farReader struct {
	strategypb.StrategyServer // the methods that it lacks are not called
	plugin.Plugin
	hosts  plugin.GRPCPlugin // the host's side
	broker *plugin.GRPCBroker

	begin chan struct{} // closed when it may read
	read  chan string
}

func (r *farReader) GRPCServer(broker *plugin.GRPCBroker, s *grpc.Server) error {
	r.broker = broker
	strategypb.RegisterStrategyServer(s, "", r)
	return nil
}

func (r *farReader) GRPCClient(ctx context.Context, broker *plugin.GRPCBroker, conn *grpc.ClientConn) (any, error) {
	return r.hosts.GRPCClient(ctx, broker, conn)
}

func (r *farReader) Describe(context.Context, *emptypb.Empty) (*strategypb.Description, error) {
	return &strategypb.Description{Name: "far", ReadsRemotely: true}, nil
}

func (r *farReader) Open(ctx context.Context, in *strategypb.OpenRequest) (*emptypb.Empty, error) {
	<-r.begin
	conn, err := r.broker.Dial(in.Reading.BrokerId)
	if err != nil {
		return nil, err
	}
	defer func() { _ = conn.Close() }()
	out, err := strategypb.Call[strategypb.SectionsResponse](ctx, conn, "CorpusReader/Sections",
		&strategypb.SectionsRequest{Token: in.Reading.Token, Sections: []uint32{0}})
	if err != nil {
		return nil, err
	}
	r.read <- out.Sections[0].Fields[snapshot.FieldBody]
	return &emptypb.Empty{}, nil
}

// TestPreparesWhenTheSearchIsOver has the search that met an unprepared process let go of
// its snapshot before the process reads it.
func TestPreparesWhenTheSearchIsOver(t *testing.T) {
	h, published := start(t, options(t))
	ours := wire.Plugins(nil)[wire.ProtocolVersion]
	r := &farReader{begin: make(chan struct{}), read: make(chan string, 1)}
	for name, p := range ours {
		r.Plugin, r.hosts = p, p.(plugin.GRPCPlugin)
		ours[name] = r
	}
	client, _ := plugin.TestPluginGRPCConn(t, false, ours)
	t.Cleanup(func() { must(t, client.Close()) })
	strategy, err := wire.Dispense(client)
	must(t, err)
	p := &process{strategy: strategy}
	s := &supervisor{host: h, current: p}

	snap, err := snapshot.Open(published.Dir(), published.Name(), false)
	must(t, err)
	s.awaitOpening(p, snap)
	must(t, snap.Close())
	close(r.begin)
	for s.opening(p, published.Name()) { // the test's own time limit ends it
		time.Sleep(time.Millisecond)
	}
	must(t, h.Close()) // which waits for what it does in the background
	if s.lastErr != nil || len(r.read) != 1 {
		t.Fatalf("it could not read: %v", s.lastErr)
	}
	if got := <-r.read; got != "body 0" {
		t.Errorf("it read %q", got)
	}
}
