package wire

import (
	"context"
	"errors"
	"fmt"
	"sync"

	"github.com/sagasu-search/sagasu/sdk/snapshot"
	"github.com/sagasu-search/sagasu/sdk/x/guard"
	pb "github.com/sagasu-search/sagasu/sdk/x/wire/strategypb"
)

// corpora keeps snapshots open between calls: the last requested one of each kind, and older ones as long as calls use
// them.
type corpora struct {
	ctx  context.Context // ends with the server
	open func(ctx context.Context, dir, name string) (*snapshot.Snapshot, error)
	shut func(*snapshot.Snapshot)

	work guard.Group // opening and closing

	mu     sync.Mutex
	byRef  map[ref]*corpus
	newest map[string]*corpus // by kind
	// closing are the snapshots that the strategy is being told to forget. The channel is closed when that is done.
	closing map[ref]chan struct{}
}

// ref is the identity of a snapshot; names are never reused.
type ref struct{ kind, dir, name string }

// corpus is one snapshot, open or being opened.
type corpus struct {
	ref   ref
	users int           // calls in progress, plus one while it is the newest
	ready chan struct{} // closed when snap or err is set
	snap  *snapshot.Snapshot
	err   error
}

// acquire returns the open snapshot that in names. It opens the snapshot first if necessary. If the error is nil,
// release must be called after use.
func (c *corpora) acquire(ctx context.Context, in *pb.Corpus) (snap *snapshot.Snapshot, release func(), err error) {
	e := c.use(ref{in.GetKind(), in.GetDir(), in.GetName()})
	select {
	case <-e.ready:
		err = e.err
	case <-ctx.Done():
		err = errors.Join(ErrOpening, ctx.Err())
	}
	if err != nil {
		c.release(e)
		return nil, nil, err
	}
	return e.snap, func() { c.release(e) }, nil
}

// use counts a call on the snapshot r and starts opening it if it is not known.
func (c *corpora) use(r ref) *corpus {
	c.mu.Lock()
	defer c.mu.Unlock()
	e := c.byRef[r]
	if e == nil {
		e = &corpus{ref: r, ready: make(chan struct{})}
		c.byRef[r] = e
		c.promote(e)
		c.work.Go(func() error { c.load(e); return nil })
	}
	e.users++
	return e
}

// promote makes e the newest of its kind. The lock must be held.
func (c *corpora) promote(e *corpus) {
	if old := c.newest[e.ref.kind]; old != nil {
		c.drop(old)
	}
	c.newest[e.ref.kind] = e
	e.users++
}

// load opens a snapshot. It outlives the call that requested it, so that an impatient caller does not undo an expensive
// precomputation. A failure is forgotten once its callers have seen it, and the next call tries again.
func (c *corpora) load(e *corpus) {
	c.mu.Lock()
	closing := c.closing[e.ref]
	c.mu.Unlock()
	if closing != nil { // otherwise the strategy would forget the snapshot that it is about to open
		<-closing
	}
	var snap *snapshot.Snapshot
	err := guard.Call(func() (err error) { snap, err = c.open(c.ctx, e.ref.dir, e.ref.name); return err })
	if err != nil {
		err = fmt.Errorf("open snapshot %s: %w", e.ref.name, err)
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	e.snap, e.err = snap, err
	close(e.ready)
	if err != nil && c.newest[e.ref.kind] == e {
		delete(c.newest, e.ref.kind)
		c.drop(e)
	}
	if e.users == 0 {
		c.forget(e)
	}
}

func (c *corpora) release(e *corpus) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.drop(e)
}

// drop removes one use. The lock must be held.
func (c *corpora) drop(e *corpus) {
	e.users--
	select {
	case <-e.ready:
		if e.users == 0 {
			c.forget(e)
		}
	default: // load checks the uses when it ends
	}
}

// forget closes a snapshot that nobody uses. The lock must be held.
func (c *corpora) forget(e *corpus) {
	if c.byRef[e.ref] != e {
		return
	}
	delete(c.byRef, e.ref)
	if e.snap != nil {
		done := make(chan struct{})
		c.closing[e.ref] = done
		c.work.Go(func() error { // without the lock, since it runs the author's code
			defer close(done)
			c.shut(e.snap)
			c.mu.Lock()
			defer c.mu.Unlock()
			delete(c.closing, e.ref)
			return nil
		})
	}
}

// close releases all snapshots. No call uses one.
func (c *corpora) close() {
	c.mu.Lock()
	for kind, e := range c.newest {
		delete(c.newest, kind)
		c.drop(e)
	}
	c.mu.Unlock()
	_ = c.work.Wait() // callers got the errors
}
