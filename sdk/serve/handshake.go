package serve

import (
	"bufio"
	"crypto/tls"
	"fmt"
	"io"
	"os"
	"strconv"

	"google.golang.org/grpc"

	"github.com/sagasu-search/sagasu/sdk/x/wire"
)

// handshake is the first exchange with the host: its certificate comes in the
// environment, ours goes out in the line that the library prints. Or the number of its process comes.
type handshake struct {
	stdout   *os.File
	identity *wire.Identity // nil when the host asked for no certificate
	host     int            // the number of its process, 0 where it is known otherwise
}

// secure returns the TLS configuration that the host asked for, nil for none.
func (h *handshake) secure() (_ *tls.Config, err error) {
	if pid := os.Getenv(wire.EnvPeer); pid != "" {
		if h.host, err = strconv.Atoi(pid); err != nil {
			return nil, fmt.Errorf("%s: %w", wire.EnvPeer, err)
		}
		return nil, nil
	}
	host := os.Getenv(wire.EnvClientCert)
	if host == "" {
		return nil, nil
	}
	if h.identity, err = wire.NewIdentity(); err != nil {
		return nil, err
	}
	return h.identity.ProcessTLS(host)
}

// options are those of a server that lets in the host alone, where TLS does not see to that.
func (h *handshake) options() []grpc.ServerOption {
	if h.host == 0 {
		return nil
	}
	return []grpc.ServerOption{grpc.Creds(wire.Peer(func() int { return h.host }))}
}

// output is what the library shall print its line to.
func (h *handshake) output() *os.File {
	if h.identity == nil {
		return h.stdout
	}
	in, out, err := os.Pipe()
	if err != nil {
		return h.stdout // without our certificate the host ends the start
	}
	go func() {
		defer out.Close()
		defer in.Close()
		line, err := bufio.NewReader(in).ReadString('\n')
		if err == nil {
			_, _ = io.WriteString(h.stdout, h.identity.Sign(line)) // an error means that the host is gone
		}
	}()
	return out
}
