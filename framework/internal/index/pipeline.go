package index

import (
	"context"
	"iter"
	"runtime"
)

// inOrder applies do to all items on GOMAXPROCS goroutines and yields the
// results in the order of the items. It ends early with ctx; all goroutines
// have ended when it returns.
func inOrder[T, R any](ctx context.Context, items []T, do func(T) R) iter.Seq[R] {
	return func(yield func(R) bool) {
		ctx, cancel := context.WithCancel(ctx)
		workers := runtime.GOMAXPROCS(0)
		queue := make(chan chan R, 2*workers)
		done := make(chan struct{})
		defer func() { // the feeder stops, then waits for what it started
			cancel()
			<-done
		}()
		go func() {
			defer close(done)
			feed(ctx, items, do, queue, workers)
		}()
		for result := range queue {
			if !yield(<-result) {
				return
			}
		}
	}
}

// feed starts do for each item, at most workers at once, and queues where each
// result will come. It returns when all that it started has ended.
func feed[T, R any](ctx context.Context, items []T, do func(T) R, queue chan<- chan R, workers int) {
	defer close(queue)
	slots := make(chan struct{}, workers)
	defer func() {
		for range workers {
			slots <- struct{}{}
		}
	}()
	for _, item := range items {
		result := make(chan R, 1)
		select {
		case queue <- result:
		case <-ctx.Done():
			return
		}
		slots <- struct{}{}
		go func() {
			result <- do(item)
			<-slots
		}()
	}
}
