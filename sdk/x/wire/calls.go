package wire

import (
	"context"
	"errors"
	"io"
	"sync"

	"github.com/hashicorp/go-hclog"

	"github.com/sagasu-search/sagasu/sdk"
	"github.com/sagasu-search/sagasu/sdk/x/guard"
)

// calls are the calls of an author's code that are in progress in a process.
type calls struct {
	logger   hclog.Logger
	stateDir string
	ctx      context.Context // for work that outlives a call
	stop     context.CancelFunc

	mu     sync.Mutex
	closed bool
	under  sync.WaitGroup // calls in progress; none begins after closed
}

func newCalls(logger hclog.Logger, stateDir string) *calls {
	ctx, stop := context.WithCancel(sdk.WithSurroundings(context.Background(), logger, stateDir))
	return &calls{logger: logger, stateDir: stateDir, ctx: ctx, stop: stop}
}

// end waits for the calls in progress, which the stopped transport has cancelled.
func (c *calls) end() {
	c.stop()
	c.mu.Lock()
	c.closed = true
	c.mu.Unlock()
	c.under.Wait()
}

var errClosed = errors.New("the strategy is shutting down")

// begin counts a call in progress until c.under.Done.
func (c *calls) begin() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.closed {
		return errClosed
	}
	c.under.Add(1)
	return nil
}

// call runs the author's code and returns the error to send. It refuses a call that a stopped transport delivers late.
// It logs what the host's error does not say.
func (c *calls) call(code func() error) error {
	err := c.begin()
	if err == nil {
		defer c.under.Done()
		err = guard.Call(code)
	}
	if p, ok := errors.AsType[*guard.PanicError](err); ok {
		c.logger.Error("the strategy panicked", "value", p.Value, "stack", p.Stack)
	}
	return toStatus(err)
}

// closeAuthor closes an author's value if it is an io.Closer.
func closeAuthor(made any) error {
	closer, ok := made.(io.Closer)
	if !ok {
		return nil
	}
	return guard.Call(closer.Close)
}
