// Package strategypb is generated from sdk/proto/strategy.proto; see package
// wire for how.
package strategypb
