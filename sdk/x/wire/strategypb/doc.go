// Package strategypb contains the messages of the protocol, generated from sdk/proto/strategy.proto (see package wire
// for how), and the code that serves and calls its methods.
package strategypb
