//go:build !linux

package wire

import (
	"errors"
	"net"
)

// PeersKnown says whether the system tells the process at the other end of a socket.
const PeersKnown = false

func peerOf(net.Conn) (int, error) { return 0, errors.ErrUnsupported }
