// Package wire carries a strategy across the process boundary: the generated protocol, its packing, and an adapter for
// each side. [Server] turns protocol calls into calls of an sdk.Strategy. [Client] is the host's view of a strategy in
// another process.
//
// The host starts, sandboxes and supervises processes, and a strategy's main calls package serve.
package wire

//go:generate protoc -I ../../proto --go_out=strategypb --go_opt=paths=source_relative strategy.proto converter.proto
//go:generate protoc -I ../../proto --python_out=../../python strategy.proto transport.proto
