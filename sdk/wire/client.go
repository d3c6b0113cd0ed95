package wire

import (
	"context"
	"encoding/json"
	"fmt"

	"google.golang.org/grpc"

	"github.com/sagasu-search/sagasu/sdk"
	"github.com/sagasu-search/sagasu/sdk/snapshot"
	pb "github.com/sagasu-search/sagasu/sdk/wire/strategypb"
)

// Client calls a strategy in another process. Its errors are [*PanicError],
// [ErrGone], [ErrOpening], [ErrTooLarge], [ErrMalformed], those of the context, or the strategy's own as text.
type Client struct {
	rpc pb.StrategyClient
}

// NewClient returns a client on a connection that the caller closes.
func NewClient(conn grpc.ClientConnInterface) *Client {
	return &Client{pb.NewStrategyClient(conn)}
}

// Describe asks what the strategy is.
func (c *Client) Describe(ctx context.Context) (sdk.Description, error) {
	out, err := c.rpc.Describe(ctx, &pb.DescribeRequest{})
	if err != nil {
		return sdk.Description{}, fromStatus(err)
	}
	return unpackDescription(out), nil
}

// Configure hands the strategy its configuration.
func (c *Client) Configure(ctx context.Context, config json.RawMessage) error {
	_, err := c.rpc.Configure(ctx, &pb.ConfigureRequest{Config: config})
	return fromStatus(err)
}

// Open lets the strategy map corpus and precompute what it needs.
func (c *Client) Open(ctx context.Context, corpus *snapshot.Snapshot) error {
	_, err := c.rpc.Open(ctx, &pb.OpenRequest{Corpus: packCorpus(corpus)})
	return fromStatus(err)
}

// Search passes a request on. The result is as the strategy gave it: well
// formed, but not yet checked against the request.
func (c *Client) Search(ctx context.Context, req *sdk.Request) (*sdk.Result, error) {
	in, err := packRequest(req)
	if err != nil {
		return nil, err
	}
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
