package host

import (
	"context"
	"errors"
	"fmt"
	"io"
	"sync"

	"github.com/hashicorp/go-hclog"

	"github.com/sagasu-search/sagasu/sdk"
	"github.com/sagasu-search/sagasu/sdk/snapshot"
	"github.com/sagasu-search/sagasu/sdk/x/border"
	"github.com/sagasu-search/sagasu/sdk/x/guard"
)

// Local calls strategies in the calling process. It checks and returns results like a [Host], but
// isolates nothing. It is for tests and measurements.
type Local struct {
	strategies []sdk.Strategy

	mu     sync.Mutex
	opened map[opening]func() error
}

// opening identifies a snapshot opened by one strategy.
type opening struct {
	strategy  sdk.Strategy
	dir, name string
}

// InProcess returns a Local. The strategies must be comparable values, such as
// pointers, and are called in the order given.
func InProcess(strategies ...sdk.Strategy) *Local {
	return &Local{strategies: strategies, opened: map[opening]func() error{}}
}

// Strategies returns the descriptions of the strategies that can be called, and the failures of the others.
func (l *Local) Strategies(context.Context) ([]sdk.Description, []Failure) {
	var descriptions []sdk.Description
	var failures []Failure
	for i, s := range l.strategies {
		d, err := describe(s)
		if err == nil {
			err = border.CheckDescription(d)
		}
		if err != nil {
			failures = append(failures, Failure{Name: fmt.Sprintf("%s (number %d)", d.Name, i+1), Err: err})
			continue
		}
		descriptions = append(descriptions, d)
	}
	return descriptions, failures
}

// Search calls the strategy called name. Strings of the result may point into req.Corpus and are
// invalid once it is closed. Errors are a [Failure].
func (l *Local) Search(ctx context.Context, name string, req *sdk.Request) (found *sdk.Result, err error) {
	ctx = sdk.WithSurroundings(ctx, hclog.NewNullLogger(), "")
	s, d, err := l.named(name)
	if err == nil {
		err = l.open(ctx, s, req.Corpus)
	}
	if err == nil {
		err = guard.Call(func() (err error) { found, err = s.Search(ctx, req); return err })
	}
	if err == nil {
		err = border.CheckResult(d, req, found)
	}
	if err != nil {
		return nil, Failure{Name: name, Err: err}
	}
	return found, nil
}

func (l *Local) named(name string) (sdk.Strategy, sdk.Description, error) {
	for _, s := range l.strategies {
		if d, err := describe(s); err == nil && d.Name == name {
			return s, d, nil
		}
	}
	return nil, sdk.Description{}, ErrUnknown
}

// Gather calls the gatherer called name. Errors are a [Failure].
func (l *Local) Gather(ctx context.Context, name string, req *sdk.GatherRequest) (found *sdk.Gathered, err error) {
	ctx = sdk.WithSurroundings(ctx, hclog.NewNullLogger(), "")
	s, _, err := l.named(name)
	g, ok := s.(sdk.Gatherer)
	if err == nil && !ok {
		err = ErrUnknown
	}
	if err == nil {
		err = guard.Call(func() (err error) { found, err = g.Gather(ctx, req); return err })
	}
	if err == nil {
		err = border.CheckGathered(req, found)
	}
	if err != nil {
		return nil, Failure{Name: name, Stage: sdk.StageGather, Err: err}
	}
	return found, nil
}

// OpenOne lets the strategy called name prepare for a snapshot, once.
func (l *Local) OpenOne(ctx context.Context, name string, corpus *snapshot.Snapshot) error {
	s, _, err := l.named(name)
	if err != nil {
		return Failure{Name: name, Err: err}
	}
	return l.open(ctx, s, corpus)
}

// open hands a snapshot to an Opener once.
func (l *Local) open(ctx context.Context, s sdk.Strategy, corpus *snapshot.Snapshot) error {
	opener, ok := s.(sdk.Opener)
	if !ok {
		return nil
	}
	key := opening{s, corpus.Dir(), corpus.Name()}
	l.mu.Lock()
	once := l.opened[key]
	if once == nil {
		ctx := context.WithoutCancel(ctx) // later calls use the outcome
		once = sync.OnceValue(func() error {
			return guard.Call(func() error { return opener.Open(ctx, corpus) })
		})
		l.opened[key] = once
	}
	l.mu.Unlock()
	return once()
}

// Close closes the strategies that are io.Closers.
func (l *Local) Close() error {
	var errs []error
	for _, s := range l.strategies {
		if closer, ok := s.(io.Closer); ok {
			errs = append(errs, guard.Call(closer.Close))
		}
	}
	return errors.Join(errs...)
}

func describe(s sdk.Strategy) (d sdk.Description, err error) {
	err = guard.Call(func() error { d = s.Describe(); return nil })
	return d, err
}
