package guard

import (
	"errors"
	"runtime"
	"sync"

	"github.com/hashicorp/go-hclog"
)

// Group is a set of goroutines. The zero value is ready; it must not be copied after use.
type Group struct {
	// Log, if not nil, receives each panic when it happens. It is for goroutines whose errors no
	// caller waits for.
	Log hclog.Logger

	wg    sync.WaitGroup
	mu    sync.Mutex
	first error
}

// Go runs f in a new goroutine, with [Call].
func (g *Group) Go(f func() error) {
	g.wg.Go(func() {
		deepen()
		err := Call(f)
		if bad, ok := errors.AsType[*PanicError](err); ok && g.Log != nil {
			g.Log.Error("unexpected failure", "error", bad)
			LogStack(g.Log, bad)
		}
		g.mu.Lock()
		defer g.mu.Unlock()
		if g.first == nil {
			g.first = err
		}
	})
}

// Wait waits until all goroutines have ended and returns the first error.
func (g *Group) Wait() error {
	g.wg.Wait()
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.first
}

// Each runs f(i) for all i < n concurrently, with [Call]: the last one in the caller's goroutine, whose stack has
// already grown, and the others in new ones. It waits for all of them and returns their errors by i.
func Each(n int, f func(i int) error) []error {
	errs := make([]error, n)
	run := func(i int) { errs[i] = Call(func() error { return f(i) }) }
	var all sync.WaitGroup
	for i := range n - 1 {
		all.Go(func() { deepen(); run(i) })
	}
	if n > 0 {
		run(n - 1)
	}
	all.Wait()
	return errs
}

// deepen gives the stack of a goroutine its usual size at once. Otherwise it grows in several steps, each of which
// copies what was there and looks for pointers in it.
//
//go:noinline
func deepen() {
	var room [12 << 10]byte
	runtime.KeepAlive(&room)
}
