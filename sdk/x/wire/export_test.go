package wire

import (
	"context"

	"github.com/hashicorp/go-plugin"
	"google.golang.org/grpc"
)

// Names for tests outside the package, which may publish snapshots.
const (
	PluginName   = pluginName
	MostTexts    = mostTexts
	MostField    = mostField
	MostSections = mostSections
	MostTerms    = mostTerms
	MostAsked    = mostAsked
	MostCalls    = mostCalls
	BrokerStream = brokerStream
)

// GRPCClient returns the host's side of a connection.
func GRPCClient(ctx context.Context, broker *plugin.GRPCBroker, conn *grpc.ClientConn) (any, error) {
	return (&grpcPlugin{}).GRPCClient(ctx, broker, conn)
}

// Readings returns the number of valid rights to read.
func (c *Client) Readings() int { return len(c.server.readings) }
