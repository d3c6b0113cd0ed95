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
	pb "github.com/sagasu-search/sagasu/sdk/x/wire/strategypb"
)

// Client calls a strategy in another process. Its errors are [*PanicError],
// [ErrGone], [ErrOpening], [ErrTooLarge], [ErrMalformed], those of the context, or the strategy's own as text.
type Client struct {
	rpc    pb.StrategyClient
	broker *plugin.GRPCBroker // nil where only snapshots can be read

	mu    sync.Mutex
	asked bool  // whether the strategy reads remotely
	reads bool  // it does
	desk  *desk // opened when it is first needed
}

// NewClient returns a client on a connection that the caller closes. It serves no strategy
// that reads remotely; that of [Dispense] does.
func NewClient(conn grpc.ClientConnInterface) *Client {
	return &Client{rpc: pb.NewStrategyClient(conn)}
}

// Describe asks what the strategy is.
func (c *Client) Describe(ctx context.Context) (sdk.Description, error) {
	out, err := c.rpc.Describe(ctx, &pb.DescribeRequest{})
	if err != nil {
		return sdk.Description{}, fromStatus(err)
	}
	if out.ReadsRemotely && c.broker == nil {
		return sdk.Description{}, errors.New("the strategy reads remotely, which this connection does not offer")
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.asked, c.reads = true, out.ReadsRemotely
	return unpackDescription(out), nil
}

// admit lets the strategy read a scope, nil for all, until dismiss is called; one that maps
// snapshots gets no such right.
func (c *Client) admit(ctx context.Context, snap *snapshot.Snapshot, scope *roaring.Bitmap) (right *pb.Reading, dismiss func(), err error) {
	desk, err := c.reader(ctx)
	if err != nil || desk == nil {
		return nil, func() {}, err
	}
	right, dismiss = desk.admit(snap, scope)
	return right, dismiss, nil
}

// reader is what the strategy reads by, nil for one that maps snapshots.
func (c *Client) reader(ctx context.Context) (*desk, error) {
	if c.broker == nil {
		return nil, nil
	}
	c.mu.Lock()
	asked := c.asked
	c.mu.Unlock()
	if !asked {
		if _, err := c.Describe(ctx); err != nil {
			return nil, err
		}
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.reads && c.desk == nil {
		c.desk = openDesk(c.broker)
	}
	return c.desk, nil
}

// Configure hands the strategy its configuration.
func (c *Client) Configure(ctx context.Context, config json.RawMessage) error {
	_, err := c.rpc.Configure(ctx, &pb.ConfigureRequest{Config: config})
	return fromStatus(err)
}

// Open lets the strategy map corpus and precompute what it needs.
func (c *Client) Open(ctx context.Context, corpus *snapshot.Snapshot) error {
	right, dismiss, err := c.admit(ctx, corpus, nil)
	if err != nil {
		return err
	}
	defer dismiss()
	_, err = c.rpc.Open(ctx, &pb.OpenRequest{Corpus: packCorpus(corpus), Reading: right})
	return fromStatus(err)
}

// Search passes a request on. The result is as the strategy gave it: well
// formed, but not yet checked against the request.
func (c *Client) Search(ctx context.Context, req *sdk.Request) (*sdk.Result, error) {
	in, err := packRequest(req)
	if err != nil {
		return nil, err
	}
	right, dismiss, err := c.admit(ctx, req.Corpus, req.Scope)
	if err != nil {
		return nil, err
	}
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
