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

	"github.com/sagasu-search/sagasu/sdk"
	"github.com/sagasu-search/sagasu/sdk/snapshot"
	pb "github.com/sagasu-search/sagasu/sdk/wire/strategypb"
)

// Client calls a strategy in another process. Its errors are [*PanicError],
// [ErrGone], [ErrOpening], [ErrTooLarge], [ErrMalformed], those of the context, or the strategy's own as text.
type Client struct {
	rpc    pb.StrategyClient
	broker *plugin.GRPCBroker // nil where only snapshots can be read
	desk   func() *desk       // opened when first called; nil for a strategy that maps snapshots
}

// NewClient returns a client on a connection that the caller closes. It serves no strategy
// that reads remotely; that of [Dispense] does.
func NewClient(conn grpc.ClientConnInterface) *Client {
	return &Client{rpc: pb.NewStrategyClient(conn)}
}

// Describe asks what the strategy is. It comes before the other calls.
func (c *Client) Describe(ctx context.Context) (sdk.Description, error) {
	out, err := c.rpc.Describe(ctx, &pb.DescribeRequest{})
	if err != nil {
		return sdk.Description{}, fromStatus(err)
	}
	if out.ReadsRemotely && c.desk == nil {
		if c.broker == nil {
			return sdk.Description{}, errors.New("the strategy reads remotely, which this connection does not offer")
		}
		c.desk = sync.OnceValue(func() *desk { return openDesk(c.broker) })
	}
	return unpackDescription(out), nil
}

// admit lets the strategy read a scope, nil for all, until dismiss is called; one that maps
// snapshots gets no such right.
func (c *Client) admit(snap *snapshot.Snapshot, scope *roaring.Bitmap) (right *pb.Reading, dismiss func()) {
	if c.desk == nil {
		return nil, func() {}
	}
	return c.desk().admit(snap, scope)
}

// Configure hands the strategy its configuration.
func (c *Client) Configure(ctx context.Context, config json.RawMessage) error {
	_, err := c.rpc.Configure(ctx, &pb.ConfigureRequest{Config: config})
	return fromStatus(err)
}

// Open lets the strategy map corpus and precompute what it needs.
func (c *Client) Open(ctx context.Context, corpus *snapshot.Snapshot) error {
	right, dismiss := c.admit(corpus, nil)
	defer dismiss()
	_, err := c.rpc.Open(ctx, &pb.OpenRequest{Corpus: packCorpus(corpus), Reading: right})
	return fromStatus(err)
}

// Search passes a request on. The result is as the strategy gave it: well
// formed, but not yet checked against the request.
func (c *Client) Search(ctx context.Context, req *sdk.Request) (*sdk.Result, error) {
	in, err := packRequest(req)
	if err != nil {
		return nil, err
	}
	right, dismiss := c.admit(req.Corpus, req.Scope)
	defer dismiss()
	in.Reading = right
	out, err := c.rpc.Search(ctx, in)
	if err != nil {
		return nil, fromStatus(err)
	}
	res, err := unpackResult(out)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrMalformed, err)
	}
	return res, nil
}
