package wire

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"sync"

	"github.com/RoaringBitmap/roaring/v2"
	"github.com/hashicorp/go-plugin"
	"google.golang.org/grpc"
	"google.golang.org/protobuf/types/known/emptypb"
	"google.golang.org/protobuf/types/known/wrapperspb"

	"github.com/sagasu-search/sagasu/sdk"
	"github.com/sagasu-search/sagasu/sdk/snapshot"
	pb "github.com/sagasu-search/sagasu/sdk/x/wire/strategypb"
)

// Client calls a strategy in another process. Its errors are [*guard.PanicError], [ErrGone],
// [ErrOpening], [ErrForeign], [ErrTooLarge], [ErrMalformed], those of the context, or the strategy's own as text.
type Client struct {
	conn    grpc.ClientConnInterface
	service string
	broker  *plugin.GRPCBroker // nil if only mapped snapshots can be read

	mu            sync.Mutex
	described     bool // readsRemotely is known
	readsRemotely bool
	server        *readServer // started at the first use
}

// NewClient returns a client for a connection that the caller closes. It cannot serve strategies that read remotely;
// the client of [Dispense] can.
func NewClient(conn grpc.ClientConnInterface) *Client {
	return &Client{conn: conn, service: pb.StrategyService("")}
}

// Member returns a client for one of several strategies that the process serves.
func (c *Client) Member(name string) *Client {
	return &Client{conn: c.conn, service: pb.StrategyService(name), broker: c.broker}
}

// Describe returns the description of the strategy.
func (c *Client) Describe(ctx context.Context) (sdk.Description, error) {
	out, err := pb.Call[pb.Description](ctx, c.conn, c.service+"/Describe", &emptypb.Empty{})
	if err != nil {
		return sdk.Description{}, fromStatus(err)
	}
	if out.ReadsRemotely && c.broker == nil {
		return sdk.Description{}, errors.New("the strategy reads remotely, which this connection does not offer")
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.described, c.readsRemotely = true, out.ReadsRemotely
	return unpackDescription(out), nil
}

// grant lets the strategy read a scope (nil for all) until revoke is called. A strategy that maps snapshots needs no
// grant.
func (c *Client) grant(
	ctx context.Context, snap *snapshot.Snapshot, scope *roaring.Bitmap,
) (right *pb.Reading, revoke func(), err error) {
	if c.broker == nil {
		return nil, func() {}, nil
	}
	c.mu.Lock()
	described := c.described
	c.mu.Unlock()
	if !described {
		if _, err := c.Describe(ctx); err != nil {
			return nil, nil, err
		}
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if !c.readsRemotely {
		return nil, func() {}, nil
	}
	if c.server == nil {
		c.server = serveReads(c.broker)
	}
	right, revoke = c.server.grant(snap, scope)
	return right, revoke, nil
}

// Configure sends the strategy its configuration.
func (c *Client) Configure(ctx context.Context, config json.RawMessage) error {
	_, err := pb.Call[emptypb.Empty](ctx, c.conn, c.service+"/Configure", &wrapperspb.BytesValue{Value: config})
	return fromStatus(err)
}

// Open lets the strategy map corpus and precompute what it needs.
func (c *Client) Open(ctx context.Context, corpus *snapshot.Snapshot) error {
	right, revoke, err := c.grant(ctx, corpus, nil)
	if err != nil {
		return err
	}
	defer revoke()
	in := &pb.OpenRequest{Corpus: packCorpus(corpus), Reading: right}
	_, err = pb.Call[emptypb.Empty](ctx, c.conn, c.service+"/Open", in)
	return fromStatus(err)
}

// Search sends a request. The result is well formed, but not yet checked against the request.
func (c *Client) Search(ctx context.Context, req *sdk.Request) (*sdk.Result, error) {
	in, err := packRequest(req)
	if err != nil {
		return nil, err
	}
	right, revoke, err := c.grant(ctx, req.Corpus, req.Scope)
	if err != nil {
		return nil, err
	}
	defer revoke()
	in.Reading = right
	out, err := pb.Call[pb.SearchResponse](ctx, c.conn, c.service+"/Search", in)
	if err != nil {
		return nil, fromStatus(err)
	}
	// A row takes ten times as much memory as in the message, and one row too many already breaks the rule.
	if most := req.Limit + 1; len(out.GetCandidates().GetSections()) > most {
		out.Candidates = &pb.Candidates{Sections: out.Candidates.Sections[:most], Scores: make([]float64, most)}
	}
	res, err := unpackResult(out)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrMalformed, err)
	}
	return res, nil
}

// Gather sends a request to a gatherer. The result is not yet checked against the request.
func (c *Client) Gather(ctx context.Context, req *sdk.GatherRequest) (*sdk.Gathered, error) {
	out, err := pb.Call[pb.Gathered](ctx, c.conn, c.service+"/Gather", packGatherRequest(req))
	if err != nil {
		return nil, fromStatus(err)
	}
	return unpackGathered(out), nil
}
