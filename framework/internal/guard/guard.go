// Package guard runs code so that its panic ends neither the process nor a caller that waits. All
// goroutines of the host start here; a test looks for others.
package guard

import (
	"errors"
	"fmt"
	"runtime/debug"
	"sync"

	"github.com/hashicorp/go-hclog"
)

// PanicError is a panic that was recovered.
type PanicError struct {
	Value any
	Stack []byte
}

// Error returns the value of the panic, without the stack.
func (e *PanicError) Error() string { return fmt.Sprintf("unexpected failure: %v", e.Value) }

// Call runs f and returns its error, or its panic as a [*PanicError].
func Call(f func() error) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = &PanicError{p, debug.Stack()}
		}
	}()
	return f()
}

// Group is a set of goroutines. The zero value is ready; it must not be copied after use.
type Group struct {
	// Log, if not nil, gets each panic when it happens.
	Log hclog.Logger

	wg    sync.WaitGroup
	mu    sync.Mutex
	first error
}

// Go runs f in a goroutine of its own, by [Call].
func (g *Group) Go(f func() error) {
	g.wg.Go(func() {
		err := Call(f)
		if bad, ok := errors.AsType[*PanicError](err); ok && g.Log != nil {
			g.Log.Error("unexpected failure", "panic", bad.Value, "stack", string(bad.Stack))
		}
		g.mu.Lock()
		defer g.mu.Unlock()
		if g.first == nil {
			g.first = err
		}
	})
}

// Wait waits until all goroutines have ended and returns the first error of one.
func (g *Group) Wait() error {
	g.wg.Wait()
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.first
}
