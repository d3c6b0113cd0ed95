package host

import (
	"net"

	"github.com/hashicorp/go-hclog"
	"github.com/hashicorp/go-plugin"
	transport "github.com/hashicorp/go-plugin/runner"

	"github.com/sagasu-search/sagasu/sdk/x/wire"
)

// attach prepares the use of a process that somebody else has started and will end.
func (h *Host) attach(e *Entry, temp string) *process {
	logger := h.options.Logger.Named(e.Name)
	r := &runner{name: e.Name, logger: logger, done: make(chan struct{}), pid: e.Attach.PID, attached: true}
	var at net.Addr = &net.UnixAddr{Name: e.Attach.Address, Net: e.Attach.Network}
	if tcp, err := net.ResolveTCPAddr("tcp", e.Attach.Address); e.Attach.Network == "tcp" && err == nil {
		at = tcp
	}
	client := plugin.NewClient(&plugin.ClientConfig{
		HandshakeConfig: wire.Handshake, Plugins: wire.Plugins(nil)[e.Attach.Version],
		AllowedProtocols: []plugin.Protocol{plugin.ProtocolGRPC},
		GRPCDialOptions:  wire.DialOptions(),
		Logger:           hclog.NewNullLogger(),
		Reattach: &plugin.ReattachConfig{
			Protocol: plugin.ProtocolGRPC, ProtocolVersion: e.Attach.Version, Addr: at, Pid: e.Attach.PID,
			Test:         true, // it is not ended with the host
			ReattachFunc: func() (transport.AttachedRunner, error) { return r, nil },
		},
	})
	p := &process{runner: r, client: client, temp: temp}
	p.remember(h.options.indexDirs())
	return p
}

// detach lets a process go that goes on without the host.
func (p *process) detach() {
	if !p.runner.attached {
		return
	}
	if c, ok := p.connection.(*plugin.GRPCClient); ok {
		_ = c.Conn.Close() // there is nothing to lose on it
	}
	close(p.runner.done)
}
