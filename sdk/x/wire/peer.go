package wire

import (
	"context"
	"fmt"
	"net"

	"google.golang.org/grpc/credentials"
)

// EnvPeer carries the number of the host's process to one of the same executable where [PeersKnown]: the two know
// each other by their numbers, which the system tells of a socket, and need no certificates. That holds off whoever
// else reaches the socket, such as another strategy of the same user. What they say stays in the system.
const EnvPeer = "SAGASU_PEER"

// Peer are credentials of a socket of this machine, at whose other end the process with that number must be: the one
// that connected, and as others see it the one that listens.
func Peer(pid func() int) credentials.TransportCredentials { return peer{pid} }

type peer struct{ pid func() int }

// stranger is the error of a connection with a process that is not the one expected. Another try would not help.
type stranger struct{ pid, want int }

func (s stranger) Error() string {
	return fmt.Sprintf("at the other end of the connection is process %d instead of %d", s.pid, s.want)
}

// Temporary is what the transport asks to know whether to try again.
func (stranger) Temporary() bool { return false }

func (p peer) check(conn net.Conn) (net.Conn, credentials.AuthInfo, error) {
	pid, err := peerOf(conn)
	if err != nil {
		return nil, nil, fmt.Errorf("find the process at the other end: %w", err)
	}
	if want := p.pid(); pid != want {
		return nil, nil, stranger{pid, want}
	}
	return conn, known{credentials.CommonAuthInfo{SecurityLevel: credentials.PrivacyAndIntegrity}}, nil
}

// ClientHandshake implements credentials.TransportCredentials.
func (p peer) ClientHandshake(
	_ context.Context, _ string, conn net.Conn,
) (net.Conn, credentials.AuthInfo, error) {
	return p.check(conn)
}

// ServerHandshake implements credentials.TransportCredentials.
func (p peer) ServerHandshake(conn net.Conn) (net.Conn, credentials.AuthInfo, error) {
	return p.check(conn)
}

// Info implements credentials.TransportCredentials.
func (peer) Info() credentials.ProtocolInfo {
	return credentials.ProtocolInfo{SecurityProtocol: "peer"}
}

// Clone implements credentials.TransportCredentials.
func (p peer) Clone() credentials.TransportCredentials { return p }

// OverrideServerName implements credentials.TransportCredentials. There are no names.
func (peer) OverrideServerName(string) error { return nil }

// known says that the other end is known.
type known struct{ credentials.CommonAuthInfo }

// AuthType implements credentials.AuthInfo.
func (known) AuthType() string { return "peer" }
