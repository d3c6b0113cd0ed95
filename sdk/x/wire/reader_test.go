package wire_test

import (
	"context"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/RoaringBitmap/roaring/v2"
	"github.com/google/go-cmp/cmp"
	"github.com/hashicorp/go-plugin"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/emptypb"

	"github.com/sagasu-search/sagasu/sdk"
	"github.com/sagasu-search/sagasu/sdk/sdktest"
	"github.com/sagasu-search/sagasu/sdk/snapshot"
	"github.com/sagasu-search/sagasu/sdk/x/wire"
	pb "github.com/sagasu-search/sagasu/sdk/x/wire/strategypb"
)

// remote is a strategy as if written in another language. It runs the test's code with the given corpus.
type remote struct {
	pb.StrategyServer // missing methods are not called
	plugin.NetRPCUnsupportedPlugin
	broker *plugin.GRPCBroker
	conn   *grpc.ClientConn
	do     func(ctx context.Context, corpus corpusReader, token uint64) (string, error)
	token  uint64 // of the last call
}

func (r *remote) GRPCServer(broker *plugin.GRPCBroker, s *grpc.Server) error {
	r.broker = broker
	pb.RegisterStrategyServer(s, "", r)
	return nil
}

func (r *remote) GRPCClient(ctx context.Context, broker *plugin.GRPCBroker, conn *grpc.ClientConn) (any, error) {
	return wire.GRPCClient(ctx, broker, conn)
}

func (r *remote) Describe(context.Context, *emptypb.Empty) (*pb.Description, error) {
	return &pb.Description{Name: "remote", ReadsRemotely: true}, nil
}

// corpusReader calls the host.
type corpusReader struct{ conn grpc.ClientConnInterface }

func (c corpusReader) Scope(ctx context.Context, in *pb.ScopeRequest) (*pb.ScopeResponse, error) {
	return pb.Call[pb.ScopeResponse](ctx, c.conn, "CorpusReader/Scope", in)
}

func (c corpusReader) Sections(ctx context.Context, in *pb.SectionsRequest) (*pb.SectionsResponse, error) {
	return pb.Call[pb.SectionsResponse](ctx, c.conn, "CorpusReader/Sections", in)
}

func (c corpusReader) Statistics(ctx context.Context, in *pb.StatisticsRequest) (*pb.StatisticsResponse, error) {
	return pb.Call[pb.StatisticsResponse](ctx, c.conn, "CorpusReader/Statistics", in)
}

// run returns the result of do as a warning.
func (r *remote) run(ctx context.Context, right *pb.Reading) (string, error) {
	r.token = right.Token
	if r.conn == nil {
		var err error
		if r.conn, err = r.broker.Dial(right.BrokerId); err != nil {
			return "", err
		}
	}
	return r.do(ctx, corpusReader{r.conn}, right.Token)
}

func (r *remote) Open(ctx context.Context, in *pb.OpenRequest) (*emptypb.Empty, error) {
	_, err := r.run(ctx, in.Reading)
	return &emptypb.Empty{}, err
}

func (r *remote) Search(ctx context.Context, in *pb.SearchRequest) (*pb.SearchResponse, error) {
	said, err := r.run(ctx, in.Reading)
	return &pb.SearchResponse{Warnings: []string{said}}, err
}

// far returns a client connected to r.
func far(t *testing.T, r *remote) *wire.Client {
	t.Helper()
	client, _ := plugin.TestPluginGRPCConn(t, false, map[string]plugin.Plugin{wire.PluginName: r})
	t.Cleanup(func() {
		if r.conn != nil {
			must(t, r.conn.Close())
		}
		must(t, client.Close()) // stops the server
	})
	c, err := wire.Dispense(client)
	must(t, err)
	return c
}

func shelf(t *testing.T) *snapshot.Snapshot {
	return sdktest.Snapshot(t,
		sdktest.Section{Path: "a.md", Line: 3, Heading: "料金", Body: "一回 100 円。"},
		sdktest.Section{Path: "b.md", Heading: "Fees", Body: "A fee of 1 euro.", Names: "price list"},
		sdktest.Section{Path: "c.md", Heading: "Long", Body: strings.Repeat("あ", 3*wire.MostTexts/5/3)},
		sdktest.Section{Path: "d.md", Heading: "Longer", Body: strings.Repeat("い", 3*wire.MostTexts/5/3)})
}

func TestReadingRemotely(t *testing.T) {
	snap := shelf(t)
	for name, tc := range map[string]struct {
		scope []uint32
		do    func(context.Context, corpusReader, uint64) (proto.Message, error)
		want  proto.Message
		code  codes.Code
	}{
		"a scope": {[]uint32{1, 3, 99}, func(ctx context.Context, c corpusReader, token uint64) (proto.Message, error) {
			return c.Scope(ctx, &pb.ScopeRequest{Token: token, From: 2})
		}, &pb.ScopeResponse{Sections: []uint32{3}, Size: 2}, codes.OK},
		"everything": {nil, func(ctx context.Context, c corpusReader, token uint64) (proto.Message, error) {
			return c.Scope(ctx, &pb.ScopeRequest{Token: token})
		}, &pb.ScopeResponse{Sections: []uint32{0, 1, 2, 3}, Size: 4}, codes.OK},
		"sections": {nil, func(ctx context.Context, c corpusReader, token uint64) (proto.Message, error) {
			return c.Sections(ctx, &pb.SectionsRequest{Token: token, Sections: []uint32{1, 0}, MaxBytes: 10})
		}, &pb.SectionsResponse{Sections: []*pb.SectionText{
			{Section: 1, Group: "m", Path: "b.md", Title: "Fees", StartLine: 1, EndLine: 2, Fields: []string{"Fees", "A fee of 1", "price list"}, Cut: true},
			{Section: 0, Group: "m", Path: "a.md", Title: "料金", StartLine: 3, EndLine: 4, Fields: []string{"料金", "一回 100", ""}, Cut: true},
		}}, codes.OK},
		"outside of the scope": {[]uint32{1}, func(ctx context.Context, c corpusReader, token uint64) (proto.Message, error) {
			return c.Sections(ctx, &pb.SectionsRequest{Token: token, Sections: []uint32{1, 0}})
		}, nil, codes.NotFound},
		"a section that is not there": {nil, func(ctx context.Context, c corpusReader, token uint64) (proto.Message, error) {
			return c.Sections(ctx, &pb.SectionsRequest{Token: token, Sections: []uint32{4}})
		}, nil, codes.NotFound},
		"another's token": {nil, func(ctx context.Context, c corpusReader, token uint64) (proto.Message, error) {
			return c.Scope(ctx, &pb.ScopeRequest{Token: token + 1})
		}, nil, codes.NotFound},
		"too many sections": {nil, func(ctx context.Context, c corpusReader, token uint64) (proto.Message, error) {
			return c.Sections(ctx, &pb.SectionsRequest{Token: token, Sections: make([]uint32, wire.MostSections+1)})
		}, nil, codes.InvalidArgument},
		"too many terms": {nil, func(ctx context.Context, c corpusReader, token uint64) (proto.Message, error) {
			return c.Statistics(ctx, &pb.StatisticsRequest{Token: token, Terms: make([]string, wire.MostTerms+1)})
		}, nil, codes.InvalidArgument},
		"too large a call": {nil, func(ctx context.Context, c corpusReader, token uint64) (proto.Message, error) {
			return c.Statistics(ctx, &pb.StatisticsRequest{Token: token, Terms: []string{strings.Repeat("x", wire.MostAsked)}})
		}, nil, codes.ResourceExhausted},
		"too many calls at once": {nil, func(ctx context.Context, c corpusReader, _ uint64) (proto.Message, error) {
			stream, scopes := &grpc.StreamDesc{ServerStreams: true}, "/sagasu.strategy.v1.CorpusReader/Scope"
			for range wire.MostCalls { // they never send their request
				if _, err := c.conn.NewStream(ctx, stream, scopes); err != nil {
					return nil, err
				}
			}
			short, cancel := context.WithTimeout(ctx, 50*time.Millisecond)
			defer cancel()
			_, err := c.conn.NewStream(short, stream, scopes)
			return nil, err
		}, nil, codes.DeadlineExceeded},
		"statistics": {[]uint32{0}, func(ctx context.Context, c corpusReader, token uint64) (proto.Message, error) {
			return c.Statistics(ctx, &pb.StatisticsRequest{Token: token, Terms: []string{"fee", "料金", "none"}})
		}, &pb.StatisticsResponse{
			Sections: 4, Fields: []string{"heading", "body", "path"},
			MeanLengths:         []float64{snap.AvgLen(0), snap.AvgLen(1), snap.AvgLen(2)},
			DocumentFrequencies: []uint64{1, 1, 0},
		}, codes.OK},
	} {
		t.Run(name, func(t *testing.T) {
			var got proto.Message
			r := &remote{do: func(ctx context.Context, c corpusReader, token uint64) (string, error) {
				out, err := tc.do(ctx, c, token)
				if status.Code(err) != tc.code {
					t.Errorf("%v, want %v", err, tc.code)
				}
				got = out
				return "", nil
			}}
			req := &sdk.Request{Corpus: snap, Limit: 1}
			if tc.scope != nil {
				req.Scope = roaring.BitmapOf(tc.scope...)
			}
			_, err := far(t, r).Search(t.Context(), req)
			must(t, err)
			if tc.want != nil && !proto.Equal(tc.want, got) {
				t.Errorf("got %v, want %v", got, tc.want)
			}
		})
	}
}

func TestAnAnswerIsBounded(t *testing.T) {
	var lengths []int
	r := &remote{do: func(ctx context.Context, c corpusReader, token uint64) (string, error) {
		for _, ids := range [][]uint32{{2, 3, 0}, {3, 0}, {3, 3, 3, 3, 3, 3, 3, 3}} {
			out, err := c.Sections(ctx, &pb.SectionsRequest{Token: token, Sections: ids, MaxBytes: 1 << 30})
			if err != nil {
				return "", err
			}
			if n := len(out.Sections[0].Fields[1]); n > wire.MostField || n < wire.MostField-3 {
				t.Errorf("a field of %d bytes", n)
			}
			lengths = append(lengths, len(out.Sections))
		}
		return "", nil
	}}
	_, err := far(t, r).Search(t.Context(), &sdk.Request{Corpus: shelf(t), Limit: 1})
	must(t, err)
	if diff := cmp.Diff([]int{3, 2, 3}, lengths); diff != "" {
		t.Error(diff)
	}
}

// The right to read ends with the call, whatever the process remembers.
func TestAReadingEndsWithItsCall(t *testing.T) {
	var tokens []uint64
	r := &remote{}
	r.do = func(ctx context.Context, c corpusReader, token uint64) (string, error) {
		for _, old := range tokens {
			if _, err := c.Scope(ctx, &pb.ScopeRequest{Token: old}); status.Code(err) != codes.NotFound {
				t.Errorf("an old token gave %v", err)
			}
		}
		tokens = append(tokens, token)
		out, err := c.Scope(ctx, &pb.ScopeRequest{Token: token})
		return strings.Repeat("x", len(out.GetSections())), err
	}
	snap, client := shelf(t), far(t, r)
	must(t, client.Open(t.Context(), snap))
	for range 2 {
		res, err := client.Search(t.Context(), &sdk.Request{Corpus: snap, Limit: 1})
		must(t, err)
		if res.Warnings[0] != "xxxx" {
			t.Errorf("read %q", res.Warnings)
		}
	}
	slices.Sort(tokens)
	if len(slices.Compact(tokens)) != 3 || client.Readings() != 0 {
		t.Errorf("tokens %v, %d still valid", tokens, client.Readings())
	}
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
