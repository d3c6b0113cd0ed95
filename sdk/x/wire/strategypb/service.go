package strategypb

import (
	"context"

	"google.golang.org/grpc"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/emptypb"
	"google.golang.org/protobuf/types/known/wrapperspb"
)

// StrategyServer is the service of a strategy process. The proto file documents its methods.
type StrategyServer interface {
	Describe(context.Context, *emptypb.Empty) (*Description, error)
	Configure(context.Context, *wrapperspb.BytesValue) (*emptypb.Empty, error)
	Open(context.Context, *OpenRequest) (*emptypb.Empty, error)
	Search(context.Context, *SearchRequest) (*SearchResponse, error)
	Gather(context.Context, *GatherRequest) (*Gathered, error)
}

// ConverterServer is the service of a converter process. The proto file documents its methods.
type ConverterServer interface {
	DescribeConverter(context.Context, *emptypb.Empty) (*ConverterDescription, error)
	Convert(grpc.ServerStream) error
}

// CorpusReaderServer is the service of the host. The proto file documents its methods.
type CorpusReaderServer interface {
	Scope(context.Context, *ScopeRequest) (*ScopeResponse, error)
	Sections(context.Context, *SectionsRequest) (*SectionsResponse, error)
	Statistics(context.Context, *StatisticsRequest) (*StatisticsResponse, error)
}

// namespace is the package of the proto file.
const namespace = "sagasu.strategy.v1."

// StrategyService returns the name of a strategy's service: member is "" if the process serves a single strategy, and
// the strategy's name if it serves several.
func StrategyService(member string) string {
	if member == "" {
		return "Strategy"
	}
	return "Strategy." + member
}

// RegisterStrategyServer registers the service of a strategy with a gRPC server, under the name of [StrategyService].
func RegisterStrategyServer(to grpc.ServiceRegistrar, member string, server StrategyServer) {
	to.RegisterService(&grpc.ServiceDesc{
		ServiceName: namespace + StrategyService(member),
		HandlerType: (*StrategyServer)(nil),
		Methods: []grpc.MethodDesc{
			method("Describe", StrategyServer.Describe),
			method("Configure", StrategyServer.Configure),
			method("Open", StrategyServer.Open),
			method("Search", StrategyServer.Search),
			method("Gather", StrategyServer.Gather),
		},
	}, server)
}

// RegisterConverterServer registers the service of a converter process with a gRPC server.
func RegisterConverterServer(to grpc.ServiceRegistrar, server ConverterServer) {
	to.RegisterService(&grpc.ServiceDesc{
		ServiceName: namespace + "Converter",
		HandlerType: (*ConverterServer)(nil),
		Methods:     []grpc.MethodDesc{method("DescribeConverter", ConverterServer.DescribeConverter)},
		Streams: []grpc.StreamDesc{{StreamName: "Convert", ServerStreams: true, ClientStreams: true,
			Handler: func(server any, stream grpc.ServerStream) error {
				return server.(ConverterServer).Convert(stream)
			}}},
	}, server)
}

// RegisterCorpusReaderServer registers the service of the host with a gRPC server.
func RegisterCorpusReaderServer(to grpc.ServiceRegistrar, server CorpusReaderServer) {
	to.RegisterService(&grpc.ServiceDesc{
		ServiceName: namespace + "CorpusReader",
		HandlerType: (*CorpusReaderServer)(nil),
		Methods: []grpc.MethodDesc{
			method("Scope", CorpusReaderServer.Scope),
			method("Sections", CorpusReaderServer.Sections),
			method("Statistics", CorpusReaderServer.Statistics),
		},
	}, server)
}

// method describes a method that takes and returns one message. Interceptors do not learn its name.
func method[Server, In, Out any](name string, code func(Server, context.Context, *In) (*Out, error)) grpc.MethodDesc {
	return grpc.MethodDesc{MethodName: name, Handler: func(
		server any, ctx context.Context, decode func(any) error, intercept grpc.UnaryServerInterceptor,
	) (any, error) {
		in := new(In)
		if err := decode(in); err != nil {
			return nil, err
		}
		answer := func(ctx context.Context, in any) (any, error) { return code(server.(Server), ctx, in.(*In)) }
		if intercept == nil {
			return answer(ctx, in)
		}
		return intercept(ctx, in, nil, answer)
	}}
}

// Call calls a method, such as "Strategy/Search", of the process at the other end of a connection.
func Call[Out any](ctx context.Context, conn grpc.ClientConnInterface, method string, in proto.Message) (*Out, error) {
	out := new(Out)
	if err := conn.Invoke(ctx, "/"+namespace+method, in, out); err != nil {
		return nil, err
	}
	return out, nil
}

// Stream opens a stream to a method, such as "Converter/Convert", of the process at the other end of a connection.
func Stream(ctx context.Context, conn grpc.ClientConnInterface, method string) (grpc.ClientStream, error) {
	return conn.NewStream(ctx, &grpc.StreamDesc{ServerStreams: true, ClientStreams: true}, "/"+namespace+method)
}
