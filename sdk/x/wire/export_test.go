package wire

import (
	"context"

	"github.com/hashicorp/go-plugin"
	"google.golang.org/grpc"
)

// What tests outside the package, which may publish snapshots, see of it.
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

// Readings returns how many rights to read are valid.
func (c *Client) Readings() int { return len(c.server.readings) }
