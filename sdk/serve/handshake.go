package serve

import (
	"bufio"
	"crypto/tls"
	"io"
	"os"

	"github.com/sagasu-search/sagasu/sdk/x/wire"
)

// handshake is the first exchange with the host: its certificate comes in the environment, and ours goes out in the
// line that the library prints.
type handshake struct {
	stdout   *os.File
	identity *wire.Identity // nil if the host requested no certificate
}

// secure returns the TLS configuration that the host requested, or nil.
func (h *handshake) secure() (*tls.Config, error) {
	host := os.Getenv(wire.EnvClientCert)
	if host == "" {
		return nil, nil
	}
	var err error
	if h.identity, err = wire.NewIdentity(); err != nil {
		return nil, err
	}
	return h.identity.ProcessTLS(host)
}

// output returns the file to which the library must print its handshake line.
func (h *handshake) output() *os.File {
	if h.identity == nil {
		return h.stdout
	}
	in, out, err := os.Pipe()
	if err != nil {
		return h.stdout // without our certificate the host aborts the start
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
