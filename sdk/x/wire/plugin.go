package wire

import (
	"context"
	"errors"

	"github.com/hashicorp/go-plugin"
	"google.golang.org/grpc"
)

const (
	// ProtocolVersion is the version of the protocol in package strategypb.
	ProtocolVersion = 1
	// maxMessage is the maximum size of a message that either side accepts, in bytes. The library's own limit, 4 MiB,
	// is less than the bitmap of a large corpus.
	maxMessage = 64 << 20

	// flow is the maximum number of bytes in transit. A fixed number keeps the library from measuring the connection,
	// which costs a ping and its answer in every call.
	flow = 1 << 20

	// workers is the number of goroutines of a strategy's process that stay for further calls, since the stack of a new
	// one grows in steps while a call runs. More calls at once get goroutines of their own.
	workers = 8

	pluginName = "strategy"
)

// Environment variables with which the host informs a strategy's process.
const (
	// EnvExitWithParent is "stdin" if the process must end as soon as its stdin is closed.
	EnvExitWithParent = "SAGASU_LEASH"
	// EnvStateDir is the strategy's state directory.
	EnvStateDir = "SAGASU_STATE_DIR"
	// EnvLogLevel is the minimum level to log, as an hclog name.
	EnvLogLevel = "SAGASU_LOG_LEVEL"
	// StartGC is the setting with which a Go process collects no garbage during its start, until its heap reaches 16
	// MB. Otherwise it would do so twice before its first answer.
	StartGC = "GOGC=400"
)

// Handshake shows a strategy's executable that a host started it. It is a courtesy to people who start it by hand, not
// a secret.
var Handshake = plugin.HandshakeConfig{
	MagicCookieKey:   "SAGASU_STRATEGY",
	MagicCookieValue: "b6f3d1c0-sagasu-strategy",
}

// Plugins returns the versions of the protocol that this module supports. service is nil on the host's side.
func Plugins(service Service) map[int]plugin.PluginSet {
	return map[int]plugin.PluginSet{
		ProtocolVersion: {pluginName: &grpcPlugin{service: service}},
	}
}

// Dispense returns the client of a started plugin. protocol owns the connection.
func Dispense(protocol plugin.ClientProtocol) (*Client, error) {
	raw, err := protocol.Dispense(pluginName)
	if err != nil {
		return nil, err
	}
	return raw.(*Client), nil
}

// ServerOptions sets the message limits, the flow and the goroutines of the strategy's side.
func ServerOptions() []grpc.ServerOption {
	return []grpc.ServerOption{
		grpc.MaxRecvMsgSize(maxMessage), grpc.MaxSendMsgSize(maxMessage),
		grpc.InitialWindowSize(flow), grpc.InitialConnWindowSize(flow),
		grpc.NumStreamWorkers(workers),
	}
}

// DialOptions sets the message limits and the flow of the host's side.
func DialOptions() []grpc.DialOption {
	return []grpc.DialOption{
		grpc.WithDefaultCallOptions(grpc.MaxCallRecvMsgSize(maxMessage), grpc.MaxCallSendMsgSize(maxMessage)),
		grpc.WithInitialWindowSize(flow), grpc.WithInitialConnWindowSize(flow),
		grpc.WithStreamInterceptor(deafen),
	}
}

// brokerStream is the stream on which each side offers connections to the other.
const brokerStream = "/plugin.GRPCBroker/StartStream"

// deafen keeps the host from receiving a strategy's offers. The host never dials, and the library would keep and wait
// for every offered connection, so that a flood of offers would exhaust the host's memory.
func deafen(
	ctx context.Context, desc *grpc.StreamDesc, conn *grpc.ClientConn, method string,
	stream grpc.Streamer, opts ...grpc.CallOption,
) (grpc.ClientStream, error) {
	s, err := stream(ctx, desc, conn, method, opts...)
	if err != nil || method != brokerStream {
		return s, err
	}
	return deafStream{s}, nil
}

// deafStream only sends. Unreceived messages fill the window of the stream and no more.
type deafStream struct{ grpc.ClientStream }

// RecvMsg waits for the end of the stream.
func (s deafStream) RecvMsg(any) error {
	<-s.Context().Done()
	return s.Context().Err()
}

// grpcPlugin connects the adapters to go-plugin.
type grpcPlugin struct {
	plugin.NetRPCUnsupportedPlugin
	service Service
}

// GRPCServer implements plugin.GRPCPlugin.
func (p *grpcPlugin) GRPCServer(_ *plugin.GRPCBroker, s *grpc.Server) error {
	p.service.Register(s)
	return nil
}

// GRPCClient implements plugin.GRPCPlugin.
func (p *grpcPlugin) GRPCClient(_ context.Context, broker *plugin.GRPCBroker, conn *grpc.ClientConn) (any, error) {
	c := NewClient(conn)
	c.broker = broker
	return c, nil
}

// EnvDebug makes a strategy's executable serve by itself and print where it listens, if a debugger started it rather
// than a host.
const EnvDebug = "SAGASU_DEBUG"

// Reattach says where a strategy listens that was not started by a host.
type Reattach struct {
	PID     int    `json:"pid"`
	Network string `json:"network"` // unix or tcp
	Address string `json:"address"`
	Version int    `json:"version"` // of the protocol
}

// Check returns what is missing in a line that should describe a process.
func (r *Reattach) Check() error {
	switch {
	case r.PID <= 0:
		return errors.New("it names no process")
	case r.Network == "" || r.Address == "":
		return errors.New("it does not say where the process listens")
	case Plugins(nil)[r.Version] == nil:
		return errors.New("the process speaks another version of the protocol")
	}
	return nil
}
