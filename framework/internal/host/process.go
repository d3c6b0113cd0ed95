package host

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"time"

	"github.com/hashicorp/go-hclog"
	"github.com/hashicorp/go-plugin"
	transport "github.com/hashicorp/go-plugin/runner"

	"github.com/sagasu-search/sagasu/sdk"
	"github.com/sagasu-search/sagasu/sdk/x/border"
	"github.com/sagasu-search/sagasu/sdk/x/guard"
	"github.com/sagasu-search/sagasu/sdk/x/wire"
)

// killAfter is how long a process may take to end on request.
const killAfter = time.Second

// process is a started strategy.
type process struct {
	runner      *runner
	client      *plugin.Client
	connection  plugin.ClientProtocol // nil until connected
	temp        string                // its temporary directory
	strategy    *wire.Client
	description sdk.Description
	indexes     []fs.FileInfo // the directories that it may read; nil for those that did not exist
	shared      *shared       // the shared process that serves it, or nil

	// Guarded by the supervisor.
	users   int    // calls under way
	pinged  bool   // it has not answered a ping yet
	opening string // the snapshot that it is preparing for, as far as known

	prepared chan struct{} // closed when it has finished preparing for that snapshot
}

// launch starts the strategy of e, gets its description and configures it. When ctx ends, it kills
// the process and returns.
func (h *Host) launch(ctx context.Context, e *Entry) (*process, error) {
	if e.Shared && h.group != nil {
		if p, err := h.group.launch(ctx, e); !errors.Is(err, errApart) {
			return p, err
		}
	}
	return h.launchTo(ctx, e, func(ctx context.Context, p *process) error {
		if err := p.connect(); err != nil {
			return err
		}
		return p.begin(ctx, e)
	})
}

// launchTo starts the strategy of e and makes the first calls.
func (h *Host) launchTo(
	caller context.Context, e *Entry, begin func(context.Context, *process) error,
) (*process, error) {
	ctx, cancel := context.WithTimeout(caller, h.options.StartTimeout)
	defer cancel()
	p, err := h.newProcess(e)
	if err != nil {
		return nil, err
	}
	defer context.AfterFunc(ctx, p.runner.kill)()
	if err := guard.Call(func() error { return begin(ctx, p) }); err != nil {
		if ctx.Err() != nil || errors.Is(err, context.DeadlineExceeded) { // the connection's clock may be ahead
			err = h.interrupted(caller, err)
		}
		p.runner.kill()
		p.close()
		if p.runner.process() == 0 {
			return nil, err
		}
		reason := p.runner.cause()
		if p.runner.handshaken.Load() && !errors.Is(err, wire.ErrGone) { // it answered, and was ended here
			if reason = p.runner.lastWords(); reason == "" {
				return nil, err
			}
		}
		return nil, fmt.Errorf("%w (%s)", err, reason)
	}
	return p, nil
}

// interrupted returns the reason why a start was interrupted: the host closed, the caller gave up,
// or the start timed out.
func (h *Host) interrupted(caller context.Context, err error) error {
	switch {
	case h.ctx.Err() != nil:
		return fmt.Errorf("%w: %w", ErrClosed, err)
	case caller.Err() != nil:
		return fmt.Errorf("%w: %w", context.Cause(caller), err)
	case errors.Is(err, context.DeadlineExceeded):
		// Not wrapped: the caller's deadline did not pass, and a longer one would not help.
		return fmt.Errorf("it did not start within %v: %v", h.options.StartTimeout, err)
	}
	return fmt.Errorf("it did not start within %v: %w", h.options.StartTimeout, err)
}

// newProcess prepares the directories and the runner of a process.
func (h *Host) newProcess(e *Entry) (*process, error) {
	temp, err := h.processDir()
	if err != nil {
		return nil, err
	}
	state := h.stateDir(e, temp)
	if e.Attach != nil {
		return h.attach(e, temp), nil
	}
	identity, err := h.identity()
	if err != nil {
		return nil, err
	}
	logger := h.options.Logger.Named(e.Name)
	r := &runner{name: e.Name, logger: logger, dir: temp, memory: h.options.MemoryLimit, forker: h.forker,
		done: make(chan struct{}), said: make(chan struct{})}
	client := plugin.NewClient(&plugin.ClientConfig{
		HandshakeConfig:  wire.Handshake,
		VersionedPlugins: wire.Plugins(nil),
		AllowedProtocols: []plugin.Protocol{plugin.ProtocolGRPC},
		TLSConfig:        identity.HostTLS(),
		SkipHostEnv:      true,
		StartTimeout:     2 * h.options.StartTimeout, // launchTo kills the process before
		Logger:           logger,
		SyncStdout:       newPrinted(logger, e.Name), // later output on stdout, where the handshake was
		SyncStderr:       newPrinted(logger, e.Name),
		GRPCDialOptions:  wire.DialOptions(),
		UnixSocketConfig: &plugin.UnixSocketConfig{TempDir: temp},
		RunnerFunc: func(_ hclog.Logger, cmd *exec.Cmd, _ string) (transport.Runner, error) {
			handshake := append(cmd.Env, wire.EnvClientCert+"="+identity.PEM())
			r.prepare = func() (*exec.Cmd, *os.File, error) { return h.options.prepare(e, handshake, temp, state) }
			return r, nil
		},
	})
	p := &process{runner: r, client: client, temp: temp}
	p.remember(h.options.indexDirs())
	return p, nil
}

// stateDir creates the state directories of a process and returns the directory to announce to it. If they
// cannot be created, they are below temp.
func (h *Host) stateDir(e *Entry, temp string) string {
	state := filepath.Join(h.options.StateDir, e.Name)
	if e.members != nil {
		state = h.options.StateDir
	}
	for _, in := range []string{state, temp} {
		errs := guard.Each(len(e.stateDirs(in)), func(i int) error { return os.MkdirAll(e.stateDirs(in)[i], 0o700) })
		if err := errors.Join(errs...); err == nil {
			return in
		} else if in == state { // the strategy must compute its state again after a restart
			h.options.Logger.Warn("a strategy keeps nothing between starts", "strategy", e.Name, "error", err)
		}
	}
	return temp
}

// served returns the strategies of a process.
func (e *Entry) served() []string {
	if e.members != nil {
		return e.members
	}
	return []string{e.Name}
}

// stateDirs returns the state directories of the strategies of a process, below state.
func (e *Entry) stateDirs(state string) (dirs []string) {
	if e.members == nil {
		return []string{state}
	}
	for _, name := range e.members {
		dirs = append(dirs, filepath.Join(state, name))
	}
	return dirs
}

// prepare opens the executable of e and returns the command that runs it.
func (o *Options) prepare(e *Entry, handshake []string, temp, state string) (*exec.Cmd, *os.File, error) {
	binary, err := openBinary(e)
	if err != nil {
		return nil, nil, err
	}
	return o.command(e, binary, o.commandLine(e), o.policy(e, temp, state),
		o.environment(e, handshake, temp, state)), binary, nil
}

// remember records which directories existed when the process was started.
func (p *process) remember(indexDirs []string) {
	for _, dir := range indexDirs {
		index, _ := os.Stat(dir)
		p.indexes = append(p.indexes, index)
	}
}

// misplaced reports whether the process's temporary directory was removed, or an index directory
// was replaced by another: the process is confined to the directories that it was started with, and
// a new one of the same name is not among them. A missing index directory does not count.
func (p *process) misplaced(indexDirs []string) bool {
	if _, err := os.Stat(p.temp); errors.Is(err, fs.ErrNotExist) {
		return true
	}
	for i, dir := range indexDirs {
		now, err := os.Stat(dir)
		if err == nil && (p.indexes[i] == nil || !os.SameFile(p.indexes[i], now)) {
			return true
		}
	}
	return false
}

// errNoHandshake replaces go-plugin's long error for a process that is not a plugin.
var errNoHandshake = errors.New("it gave no handshake on stdout")

// Reasons for incompatible protocol versions.
var (
	errNewer = errors.New("it was built with an sdk of a newer protocol than this sagasu speaks: update sagasu")
	errOlder = errors.New("it was built with an sdk of an older protocol than this sagasu speaks: build it with a " +
		"newer sdk, or install a newer release of it")
)

// connect starts the process and connects to it.
func (p *process) connect() error {
	protocol, err := p.client.Client()
	switch started := p.runner.process() != 0 && !p.runner.attached; {
	case err != nil && started && !p.runner.handshaken.Load():
		return errNoHandshake
	case err != nil && p.runner.protocol.Load() > wire.ProtocolVersion:
		return errNewer
	case err != nil && started && p.runner.protocol.Load() < wire.ProtocolVersion:
		return errOlder
	case err != nil:
		return err
	}
	p.connection = protocol
	p.strategy, err = wire.Dispense(protocol)
	return err
}

// connected connects to a process without calling it. It serves as the first calls of a launch.
func connected(_ context.Context, p *process) error { return p.connect() }

// begin makes the first calls of a connected process.
func (p *process) begin(ctx context.Context, e *Entry) (err error) {
	if p.description, err = p.strategy.Describe(ctx); err != nil {
		return fmt.Errorf("describe: %w", err)
	}
	if err := border.CheckDescription(p.description); err != nil {
		return err
	}
	if !e.Admit && e.Path != "" {
		p.description.Admitting = nil
	}
	if got := p.description.Name; got != e.Name {
		return &border.BreachError{Rule: border.RuleDescription,
			Detail: fmt.Sprintf("it calls itself %q, its entry %q", got, e.Name)}
	}
	if len(e.Config) == 0 {
		return nil
	}
	if err := p.strategy.Configure(ctx, e.Config); err != nil {
		return fmt.Errorf("configure: %w", err)
	}
	return nil
}

// close asks the process to end, kills it if it does not, and removes its temporary directory.
func (p *process) close() {
	if p.shared != nil {
		p.shared.leave()
		return
	}
	hard := time.AfterFunc(killAfter, p.runner.kill)
	p.client.Kill()
	hard.Stop()
	p.detach()
	p.runner.kill()
	if p.runner.process() != 0 {
		<-p.runner.done
	}
	p.runner.close()
	removeAll(p.temp) // the system cleans up the rest
}

// gone adds to err, the error of a call, why the process ended.
func (p *process) gone(err error) error {
	if !errors.Is(err, wire.ErrGone) {
		return err
	}
	select {
	case <-p.runner.done:
	case <-time.After(drainTime): // the connection broke first
		if !p.runner.attached {
			return fmt.Errorf("%w: only its connection did, the process still runs", wire.ErrGone)
		}
	}
	if !p.runner.attached {
		select { // its last output may say why it ended
		case <-p.runner.said:
		case <-time.After(drainTime):
		}
	}
	if p.runner.memory > 0 && p.runner.stderrTail.starved() {
		return fmt.Errorf("%w: %w: %s", wire.ErrGone, memoryError{p.runner.memory}, p.runner.cause())
	}
	return fmt.Errorf("%w: %s", wire.ErrGone, p.runner.cause())
}

// memoryError reports that a process ran out of memory.
type memoryError struct{ limit int64 }

// Error implements error.
func (e memoryError) Error() string {
	return fmt.Sprintf("it used more than %d MB of memory", e.limit>>20)
}

// attach prepares the use of a process that another program has started and will end.
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

// detach disconnects from an attached process, which continues to run.
func (p *process) detach() {
	if !p.runner.attached {
		return
	}
	if c, ok := p.connection.(*plugin.GRPCClient); ok {
		_ = c.Conn.Close() // nothing is buffered on it
	}
	close(p.runner.done)
}
