// Package python holds the library for strategies in Python, and an example. A new strategy gets a copy.
package python

import "embed"

// Files are the library: sagasu.py and the messages of the protocol.
//
//go:embed sagasu.py strategy_pb2.py transport_pb2.py
var Files embed.FS
