package index

import (
	"context"
	"iter"
	"runtime"

	"github.com/sagasu-search/sagasu/sdk/x/guard"
)

// inOrder applies do to all items on GOMAXPROCS goroutines and yields the results in the order of
// the items. If do panics on an item, it yields the panic as an error. It ends early with ctx. All
// goroutines have ended when it returns.
func inOrder[T, R any](ctx context.Context, items []T, do func(T) R) iter.Seq2[R, error] {
	return func(yield func(R, error) bool) {
		ctx, cancel := context.WithCancel(ctx)
		workers := runtime.GOMAXPROCS(0)
		queue := make(chan chan outcome[R], 2*workers)
		var feeder guard.Group
		defer func() { // the feeder stops, then waits for its goroutines
			cancel()
			_ = feeder.Wait() // outcomes hold the errors
		}()
		feeder.Go(func() error { feed(ctx, items, do, queue, workers); return nil })
		for result := range queue {
			if r := <-result; !yield(r.value, r.err) {
				return
			}
		}
	}
}

// outcome is the result for an item.
type outcome[R any] struct {
	value R
	err   error
}

// feed starts do for each item, at most workers at once, and queues a channel for each result. It
// returns when all its goroutines have ended.
func feed[T, R any](ctx context.Context, items []T, do func(T) R, queue chan<- chan outcome[R], workers int) {
	defer close(queue)
	var all guard.Group
	defer func() { _ = all.Wait() }()
	slots := make(chan struct{}, workers)
	for _, item := range items {
		result := make(chan outcome[R], 1)
		select {
		case queue <- result:
		case <-ctx.Done():
			return
		}
		slots <- struct{}{}
		all.Go(func() error {
			var out outcome[R]
			out.err = guard.Call(func() error { out.value = do(item); return nil })
			result <- out
			<-slots
			return nil
		})
	}
}
