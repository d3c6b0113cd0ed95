// Package strategypb holds the messages of the protocol, generated from sdk/proto/strategy.proto (see
// package wire for how), and what serves and calls its methods.
package strategypb
