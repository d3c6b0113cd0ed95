package wire_test

import (
	"context"
	"net"
	"path/filepath"
	"testing"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/protobuf/types/known/emptypb"

	"github.com/sagasu-search/sagasu/sdk"
	"github.com/sagasu-search/sagasu/sdk/x/guard"
	"github.com/sagasu-search/sagasu/sdk/x/wire"
	pb "github.com/sagasu-search/sagasu/sdk/x/wire/strategypb"
)

// A strategy's offers on the broker's stream do not reach the host's library, which would keep them.
func TestTheHostHearsNoOffers(t *testing.T) {
	l, err := net.Listen("unix", filepath.Join(t.TempDir(), "s"))
	must(t, err)
	server := grpc.NewServer(grpc.UnknownServiceHandler(func(_ any, s grpc.ServerStream) error {
		for s.SendMsg(&emptypb.Empty{}) == nil { // until the window is full, and then until the client is gone
		}
		return nil
	}))
	var serving guard.Group
	serving.Go(func() error { return server.Serve(l) })
	defer func() {
		server.Stop()
		must(t, serving.Wait())
	}()
	conn, err := grpc.NewClient("unix:"+l.Addr().String(),
		append(wire.DialOptions(), grpc.WithTransportCredentials(insecure.NewCredentials()))...)
	must(t, err)
	defer conn.Close()
	for method, heard := range map[string]bool{wire.BrokerStream: false, "/plugin.GRPCStdio/StreamStdio": true} {
		ctx, cancel := context.WithTimeout(t.Context(), 200*time.Millisecond)
		defer cancel()
		if heard {
			ctx = t.Context()
		}
		s, err := conn.NewStream(ctx, &grpc.StreamDesc{ServerStreams: true, ClientStreams: true}, method)
		must(t, err)
		if err := s.RecvMsg(&emptypb.Empty{}); (err == nil) != heard {
			t.Errorf("%s: %v", method, err)
		}
	}
}

// An endless number of rows is not unpacked: one too many already breaks the rule.
func TestFloodOfRows(t *testing.T) {
	l, err := net.Listen("unix", filepath.Join(t.TempDir(), "s"))
	must(t, err)
	server := grpc.NewServer(grpc.UnknownServiceHandler(func(_ any, s grpc.ServerStream) error {
		return s.SendMsg(&pb.SearchResponse{Candidates: &pb.Candidates{
			Sections: make([]uint32, 1000), Scores: make([]float64, 1000),
		}})
	}))
	var serving guard.Group
	serving.Go(func() error { return server.Serve(l) })
	defer func() {
		server.Stop()
		must(t, serving.Wait())
	}()
	conn, err := grpc.NewClient("unix:"+l.Addr().String(), grpc.WithTransportCredentials(insecure.NewCredentials()))
	must(t, err)
	defer conn.Close()
	res, err := wire.NewClient(conn).Search(t.Context(), &sdk.Request{Corpus: shelf(t), Limit: 9})
	if must(t, err); len(res.Candidates) != 10 {
		t.Errorf("%d candidates", len(res.Candidates))
	}
}
