package host

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	"github.com/hashicorp/go-hclog"

	"github.com/sagasu-search/sagasu/sdk/x/guard"
)

// drainTime is how long the output of an ended process may still be read. It can only be exceeded if a descendant keeps
// the pipes open.
const drainTime = 200 * time.Millisecond

// runner starts one process and ends it; it is go-plugin's runner.Runner.
type runner struct {
	name    string
	logger  hclog.Logger
	forker  *forker
	dir     string                              // where it has its socket
	memory  int64                               // limit in bytes; 0 or less means no limit
	prepare func() (*exec.Cmd, *os.File, error) // the command and its open executable

	attached bool // another program started the process

	done chan struct{} // closed when the process has ended
	said chan struct{} // closed when all that it wrote to stderr was read
	exit error         // why; set before done is closed

	waiting guard.Group // until the process has ended

	mu             sync.Mutex
	cmd            *exec.Cmd // nil unless the process runs
	pid            int
	killed         bool
	keepAlive      *os.File // the write end of its standard input; the process ends when it closes
	stdout, stderr *os.File
	stderrTail     tail
	extraStdout    atomic.Int64 // bytes on stdout besides the handshake
	handshaken     atomic.Bool
	protocol       atomic.Int64 // version according to the handshake
}

var errKilled = errors.New("killed by the host")

// Start implements runner.Runner.
func (r *runner) Start(context.Context) error {
	cmd, binary, err := r.prepare()
	if err != nil {
		return err
	}
	defer func() { _ = binary.Close() }() // the child has its own descriptor

	ends, err := r.pipes(cmd)
	defer closeAll(ends)
	if err != nil {
		return err
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.killed {
		return errKilled
	}
	if err := r.forker.start(cmd); err != nil {
		return fmt.Errorf("start %s: %w", r.name, err)
	}
	r.cmd, r.pid = cmd, cmd.Process.Pid
	release := adopt(cmd)
	r.waiting.Log = r.logger
	r.waiting.Go(func() error { r.wait(cmd, release); return nil })
	return nil
}

// pipes connects the command and returns the child's ends. A strategy must not
// inherit the host's stdin, which carries another protocol's messages.
func (r *runner) pipes(cmd *exec.Cmd) (childEnds []*os.File, err error) {
	stdin, keepAlive, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	childEnds = append(childEnds, stdin)
	r.keepAlive = keepAlive
	var out, errOut *os.File
	if r.stdout, out, err = os.Pipe(); err != nil {
		return childEnds, err
	}
	childEnds = append(childEnds, out)
	if r.stderr, errOut, err = os.Pipe(); err != nil {
		return childEnds, err
	}
	childEnds = append(childEnds, errOut)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = stdin, out, errOut
	return childEnds, nil
}

// wait waits for the process to end.
func (r *runner) wait(cmd *exec.Cmd, release func()) {
	defer close(r.done)
	r.exit = await(cmd, func() {
		r.mu.Lock()
		r.cmd = nil
		r.mu.Unlock()
	})
	release()
	deadline := time.Now().Add(drainTime)
	_ = r.stdout.SetReadDeadline(deadline) // where pipes have no deadlines, the readers wait
	_ = r.stderr.SetReadDeadline(deadline)
}

// kill ends the process and its descendants at once, or prevents its start.
func (r *runner) kill() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.killed = true
	if r.cmd != nil {
		killTree(r.cmd)
	}
}

func (r *runner) ended() bool {
	select {
	case <-r.done:
		return true
	default:
		return false
	}
}

// closeKeepAlive closes the standard input of the process, as happens when the host ends.
func (r *runner) closeKeepAlive() error {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.keepAlive.Close()
}

// cause returns why the process ended, with the last line of its stderr.
func (r *runner) cause() string {
	reason := "it still runs"
	if r.attached {
		return "somebody else has started it"
	}
	if r.ended() {
		reason = "exit status 0"
		if r.exit != nil {
			reason = r.exit.Error()
		}
	}
	if said := r.lastWords(); said != "" {
		reason += "; " + said
	}
	return reason
}

// lastWords returns its last message on stderr, or "" if there is none.
func (r *runner) lastWords() string {
	if line := r.stderrTail.lastLine(); line != "" {
		return "it said: " + line
	}
	return ""
}

// close releases the pipes. The process must have ended or never started.
func (r *runner) close() {
	closeAll([]*os.File{r.keepAlive, r.stdout, r.stderr})
}

func closeAll(files []*os.File) {
	for _, f := range files {
		if f != nil {
			_ = f.Close() // a pipe's end: nothing is buffered
		}
	}
}

// Wait implements runner.Runner. A process that was killed on purpose is not a failure.
func (r *runner) Wait(context.Context) error {
	<-r.done
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.killed {
		return nil
	}
	return r.exit
}

// Kill implements runner.Runner.
func (r *runner) Kill(context.Context) error {
	r.kill()
	return nil
}

// ID implements runner.Runner: the process's number, "" before the start.
func (r *runner) ID() string {
	if pid := r.process(); pid != 0 {
		return strconv.Itoa(pid)
	}
	return ""
}

// process returns the process's number, 0 before the start.
func (r *runner) process() int {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.pid
}

// Name implements runner.Runner.
func (r *runner) Name() string { return r.name }

// Diagnose implements runner.Runner.
func (r *runner) Diagnose(context.Context) string { return "" }

// PluginToHost implements runner.Runner: both see the same sockets.
func (r *runner) PluginToHost(network, addr string) (string, string, error) {
	return network, addr, nil
}

// HostToPlugin implements runner.Runner.
func (r *runner) HostToPlugin(network, addr string) (string, string, error) {
	return network, addr, nil
}

// forker starts processes from one thread. Linux binds the death signal to the thread that forked, so that thread must
// live as long as the host. If it were the thread of any goroutine, the runtime could end it and the strategies with
// it.
type forker struct {
	jobs   chan func()
	thread guard.Group
}

func newForker() *forker {
	f := &forker{jobs: make(chan func())}
	f.thread.Go(func() error {
		runtime.LockOSThread()
		defer runtime.UnlockOSThread()
		_ = loosenThread() // without it, strategies only wake up more often
		for job := range f.jobs {
			job()
		}
		return nil
	})
	return f
}

// start is cmd.Start.
func (f *forker) start(cmd *exec.Cmd) error {
	err := make(chan error, 1)
	f.jobs <- func() { err <- guard.Call(cmd.Start) }
	return <-err
}

// close ends the thread. No process may be running and no start may follow.
func (f *forker) close() {
	close(f.jobs)
	_ = f.thread.Wait() // jobs return their own errors
}
