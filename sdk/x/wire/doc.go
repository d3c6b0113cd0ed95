// Package wire carries a strategy across the process border: the generated
// protocol, its packing, and an adapter for each side. [Server] turns
// protocol calls into calls of an sdk.Strategy; [Client] is the host's view of
// one that runs elsewhere.
//
// Starting, sandboxing and supervising processes is the host's business, and
// package serve is what a strategy's main calls.
package wire

//go:generate protoc -I ../../proto --go_out=strategypb --go_opt=paths=source_relative strategy.proto converter.proto
//go:generate protoc -I ../../proto --python_out=../../python strategy.proto transport.proto
