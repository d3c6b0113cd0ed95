package bench

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os/exec"
	"sync"
	"time"
)

// closeTime is how long a process may take to end after its input has ended.
const closeTime = 10 * time.Second

// process answers JSON lines with JSON lines.
type process struct {
	name   string
	ctx    context.Context
	cmd    *exec.Cmd
	in     io.WriteCloser
	out    *bufio.Reader
	stderr bytes.Buffer
	end    func() error // finish, once
}

// startProcess starts a process that ends with ctx, or with close.
func startProcess(ctx context.Context, name string, env []string, path string, args ...string) (*process, error) {
	p := &process{name: name, ctx: ctx, cmd: exec.CommandContext(ctx, path, args...)}
	p.end = sync.OnceValue(p.finish)
	p.cmd.Env, p.cmd.Stderr, p.cmd.WaitDelay = env, &p.stderr, closeTime
	in, err := p.cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	// When ctx ends, its input ends too, so that it ends the processes that it has started.
	p.cmd.Cancel = in.Close
	out, err := p.cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	p.in, p.out = in, bufio.NewReaderSize(out, 1<<20)
	if err := p.cmd.Start(); err != nil {
		return nil, fmt.Errorf("start %s: %w", name, err)
	}
	return p, nil
}

func (p *process) send(message any) error {
	if err := json.NewEncoder(p.in).Encode(message); err != nil {
		return p.broken(err)
	}
	return nil
}

func (p *process) receive() ([]byte, error) {
	line, err := p.out.ReadBytes('\n')
	if err != nil {
		return nil, p.broken(err)
	}
	return line, nil
}

// broken returns why a process no longer answers, after ending it.
func (p *process) broken(err error) error {
	ended := p.end()
	switch message := bytes.TrimSpace(p.stderr.Bytes()); {
	case p.ctx.Err() != nil:
		return p.ctx.Err()
	case len(message) > 0:
		return fmt.Errorf("%s ended: %s", p.name, message)
	case ended != nil:
		return fmt.Errorf("%s ended: %w", p.name, ended)
	}
	return fmt.Errorf("%s ended: %w", p.name, err)
}

// close ends the process and waits for it.
func (p *process) close() error {
	if err := p.end(); err != nil || p.ctx.Err() != nil {
		return p.broken(err)
	}
	return nil
}

// finish closes the input of the process and waits until it has ended and all of its output has been read.
func (p *process) finish() error {
	_ = p.in.Close()                                                       // fails if it is closed already
	slow := time.AfterFunc(closeTime, func() { _ = p.cmd.Process.Kill() }) // fails if the process has ended
	defer slow.Stop()
	_, _ = io.Copy(io.Discard, p.out) // unread output would keep it from ending
	return p.cmd.Wait()
}
