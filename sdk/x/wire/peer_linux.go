package wire

import (
	"fmt"
	"net"

	"golang.org/x/sys/unix"
)

// PeersKnown says whether the system tells the process at the other end of a socket.
const PeersKnown = true

// peerOf returns the number of the process at the other end of a socket.
func peerOf(conn net.Conn) (pid int, err error) {
	socket, ok := conn.(*net.UnixConn)
	if !ok {
		return 0, fmt.Errorf("%T is no socket of this machine", conn)
	}
	raw, err := socket.SyscallConn()
	if err != nil {
		return 0, err
	}
	var peer *unix.Ucred
	var failed error
	err = raw.Control(func(fd uintptr) { peer, failed = unix.GetsockoptUcred(int(fd), unix.SOL_SOCKET, unix.SO_PEERCRED) })
	if err != nil {
		return 0, err
	}
	if failed != nil {
		return 0, failed
	}
	return int(peer.Pid), nil
}
