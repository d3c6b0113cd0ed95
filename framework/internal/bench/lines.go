package bench

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os/exec"
	"strings"
	"sync"
	"time"
)

// closeTime is how long a process may take to end when its input has ended.
const closeTime = 10 * time.Second

// lines is a process that answers JSON lines with JSON lines.
type lines struct {
	name   string
	ctx    context.Context
	cmd    *exec.Cmd
	in     io.WriteCloser
	out    *bufio.Reader
	stderr *tail
	end    func() error // finish, once
}

// startLines starts a process that ends with ctx, or with close.
func startLines(ctx context.Context, name string, env []string, path string, args ...string) (*lines, error) {
	l := &lines{name: name, ctx: ctx, stderr: &tail{}}
	l.end = sync.OnceValue(l.finish)
	l.cmd = exec.CommandContext(ctx, path, args...)
	l.cmd.Env, l.cmd.Stderr, l.cmd.WaitDelay = env, l.stderr, closeTime
	in, err := l.cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	// When ctx ends so does its input: then it ends what it started itself.
	l.cmd.Cancel = in.Close
	out, err := l.cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	l.in, l.out = in, bufio.NewReaderSize(out, 1<<20)
	if err := l.cmd.Start(); err != nil {
		return nil, fmt.Errorf("start %s: %w", name, err)
	}
	return l, nil
}

func (l *lines) send(message any) error {
	line, err := json.Marshal(message)
	if err != nil {
		return err
	}
	if _, err := l.in.Write(append(line, '\n')); err != nil {
		return l.broken(err)
	}
	return nil
}

func (l *lines) receive() ([]byte, error) {
	line, err := l.out.ReadBytes('\n')
	if err != nil {
		return nil, l.broken(err)
	}
	return line, nil
}

// broken returns why a process answers no more; it has ended then.
func (l *lines) broken(err error) error {
	ended := l.end()
	switch said := l.stderr.String(); {
	case l.ctx.Err() != nil:
		return l.ctx.Err()
	case said != "":
		return fmt.Errorf("%s ended: %s", l.name, said)
	case ended != nil:
		return fmt.Errorf("%s ended: %w", l.name, ended)
	}
	return fmt.Errorf("%s ended: %w", l.name, err)
}

// close ends the process and waits for it.
func (l *lines) close() error {
	if err := l.end(); err != nil || l.ctx.Err() != nil {
		return l.broken(err)
	}
	return nil
}

// finish ends the input of the process and waits until it has ended, and all that
// it said was read.
func (l *lines) finish() error {
	_ = l.in.Close()                                                       // an error means that it is closed
	slow := time.AfterFunc(closeTime, func() { _ = l.cmd.Process.Kill() }) // an error means that it is gone
	defer slow.Stop()
	_, _ = io.Copy(io.Discard, l.out) // what it still says would keep it from ending
	return l.cmd.Wait()
}

// tail keeps the last that was written to it.
type tail struct{ text []byte }

const tailBytes = 2 << 10

func (t *tail) Write(p []byte) (int, error) {
	t.text = append(t.text, p...)
	t.text = t.text[max(0, len(t.text)-tailBytes):]
	return len(p), nil
}

func (t *tail) String() string { return strings.TrimSpace(string(t.text)) }
