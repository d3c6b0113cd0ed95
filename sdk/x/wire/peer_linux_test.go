package wire_test

import (
	"context"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/protobuf/types/known/emptypb"

	"github.com/sagasu-search/sagasu/sdk/x/wire"
)

// Each side lets in one process and no other.
func TestPeersAreKnownByTheirProcesses(t *testing.T) {
	self, other := func() int { return os.Getpid() }, func() int { return os.Getppid() }
	for _, c := range []struct {
		name           string
		client, server func() int
		reached        bool
	}{
		{"both known", self, self, true},
		{"a stranger calls", self, other, false},
		{"a stranger listens", other, self, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			listener, err := net.Listen("unix", filepath.Join(t.TempDir(), "s"))
			if err != nil {
				t.Fatal(err)
			}
			server := grpc.NewServer(grpc.Creds(wire.Peer(c.server)))
			defer server.Stop()
			go server.Serve(listener)
			conn, err := grpc.NewClient("unix:"+listener.Addr().String(), grpc.WithTransportCredentials(wire.Peer(c.client)))
			if err != nil {
				t.Fatal(err)
			}
			defer conn.Close()
			ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
			defer cancel()
			err = conn.Invoke(ctx, "/none/None", &emptypb.Empty{}, &emptypb.Empty{})
			if reached := err != nil && strings.Contains(err.Error(), "unknown service none"); reached != c.reached {
				t.Errorf("reached: %t, %v", reached, err)
			}
		})
	}
}

// A socket that leaves the machine has no process.
func TestPeersOfAddressesAreNotKnown(t *testing.T) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	conn, err := net.Dial("tcp", listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	if _, _, err := wire.Peer(os.Getpid).ServerHandshake(conn); err == nil {
		t.Error("a connection over an address was let in")
	}
}
