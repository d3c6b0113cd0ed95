package index

import (
	"context"
	"sync"
	"sync/atomic"
	"time"
)

// Lazy is an index that is opened when it is needed first: a workspace that never needs it gets no directory for it.
// It is safe for concurrent use.
type Lazy struct {
	open   func() (*Index, error) // once
	opened atomic.Pointer[Index]
}

// NewLazy returns the index that [Open] would.
func NewLazy(opts Options) *Lazy {
	l := &Lazy{}
	l.open = sync.OnceValues(func() (*Index, error) {
		x, err := Open(opts)
		l.opened.Store(x)
		return x, err
	})
	return l
}

// Open returns the index.
func (l *Lazy) Open() (*Index, error) { return l.open() }

// View is [Index.View].
func (l *Lazy) View(ctx context.Context, patience time.Duration) (View, error) {
	x, err := l.open()
	if err != nil {
		return View{}, err
	}
	return x.View(ctx, patience)
}

// Build is [Index.Build].
func (l *Lazy) Build(ctx context.Context) (*Report, error) {
	x, err := l.open()
	if err != nil {
		return nil, err
	}
	report, err := x.Build(ctx)
	return &report, err
}

// Changed is [Index.Changed]. An index that is opened later looks at all files.
func (l *Lazy) Changed(name string) {
	if x := l.opened.Load(); x != nil {
		x.Changed(name)
	}
}

// Close closes the index if it was opened.
func (l *Lazy) Close() error {
	if x := l.opened.Load(); x != nil {
		return x.Close()
	}
	return nil
}
