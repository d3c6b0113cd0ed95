package conformance

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/sagasu-search/sagasu/sdk"
	"github.com/sagasu-search/sagasu/sdk/snapshot"
	"github.com/sagasu-search/sagasu/sdk/x/guard"
	"github.com/sagasu-search/sagasu/sdk/x/wire"
)

// Strategy is a running strategy, in this process or another one. [wire.Client] implements all of it except Close.
type Strategy interface {
	Describe(ctx context.Context) (sdk.Description, error)
	Configure(ctx context.Context, config json.RawMessage) error
	Open(ctx context.Context, corpus *snapshot.Snapshot) error
	Search(ctx context.Context, req *sdk.Request) (*sdk.Result, error)
	Gather(ctx context.Context, req *sdk.GatherRequest) (*sdk.Gathered, error)
	// Close ends the strategy and returns when all its calls have ended.
	Close() error
}

// Subject is the strategy to examine.
type Subject struct {
	// Start starts a new instance of the strategy, without a configuration and without a snapshot.
	Start func(ctx context.Context) (Strategy, error)
	// Dir is an empty directory for the corpora, which the strategy can read.
	Dir string
	// Config is the configuration, or nil.
	Config json.RawMessage
	// Timeout is how long a search may take before it counts as hung; other calls may take six times as long. 0 means
	// ten seconds.
	Timeout time.Duration
}

// Sizes of the corpora: how often each topic is in them.
const (
	few  = 4
	many = 150
)

const (
	defaultTimeout = 10 * time.Second
	// slower is the factor by which a one-time call may take longer than a search.
	slower = 6
)

// errHung reports a call without an answer.
var errHung = errors.New("no answer")

// Suite examines one strategy. It is not safe for concurrent use.
type Suite struct {
	subject     Subject
	described   sdk.Description
	configError error // why it cannot be configured
	kind        snapshot.Kind
	numbers     map[snapshot.Kind]int // number of snapshots published so far, by kind
	corpora     []*snapshot.Snapshot  // all published snapshots
	small, big  *snapshot.Snapshot    // big is nil until it is needed
	running     Strategy              // nil if the next check starts it
	results     []outcome
	unanswered  bool          // no ordinary query got a result
	opening     time.Duration // time to open the small corpus
	gathered    bool          // a request to gather was answered
	refusal     error         // the last refusal of such a request
}

// New starts the strategy for the first time and publishes a corpus of a kind that it supports. It fails if nothing can
// be examined at all. Close the suite after use.
func New(ctx context.Context, subject Subject) (*Suite, error) {
	subject.Timeout = cmp.Or(subject.Timeout, defaultTimeout)
	e := &Suite{subject: subject, kind: snapshot.KindManual, numbers: map[snapshot.Kind]int{}}
	s, err := subject.Start(ctx)
	if err != nil {
		return nil, fmt.Errorf("it does not start: %w", err)
	}
	err = e.once(ctx, func(ctx context.Context) error { e.described, err = s.Describe(ctx); return err })
	if err == nil {
		e.configError = configError(e.described.ConfigSchema, subject.Config)
	}
	if err == nil && e.configError == nil {
		e.configError = e.configure(ctx, s)
	}
	_ = s.Close() // another check examines how it closes
	if err != nil {
		return nil, fmt.Errorf("it does not describe itself: %w", err)
	}
	if e.configError != nil {
		e.subject.Config = nil // reported once; the other rules are examined without it
	}
	if len(e.described.Corpora) > 0 {
		e.kind = e.described.Corpora[0]
	}
	if e.small, err = e.publish(e.kind, few); err != nil {
		return nil, err
	}
	return e, nil
}

// Described returns the strategy's description.
func (e *Suite) Described() sdk.Description { return e.described }

// Close ends the strategy and closes the corpora.
func (e *Suite) Close() error {
	err := e.stop()
	for _, c := range e.corpora {
		err = errors.Join(err, c.Close())
	}
	return err
}

func (e *Suite) publish(kind snapshot.Kind, times int) (*snapshot.Snapshot, error) {
	e.numbers[kind]++
	return e.keep(corpus(e.subject.Dir, kind, e.numbers[kind], times))
}

func (e *Suite) keep(s *snapshot.Snapshot, err error) (*snapshot.Snapshot, error) {
	if err != nil {
		return nil, fmt.Errorf("publish the corpus: %w", err)
	}
	e.corpora = append(e.corpora, s)
	return s, nil
}

// start starts a strategy and configures it.
func (e *Suite) start(ctx context.Context) (Strategy, error) {
	s, err := e.subject.Start(ctx)
	if err != nil {
		return nil, fmt.Errorf("it does not start: %w", err)
	}
	if err := e.configure(ctx, s); err != nil {
		return nil, errors.Join(err, s.Close())
	}
	return s, nil
}

// configure gives a strategy its configuration, if there is one.
func (e *Suite) configure(ctx context.Context, s Strategy) error {
	if e.subject.Config == nil {
		return nil
	}
	if err := e.once(ctx, func(ctx context.Context) error { return s.Configure(ctx, e.subject.Config) }); err != nil {
		return fmt.Errorf("it refuses its configuration: %w", err)
	}
	return nil
}

// strategy returns the running strategy and starts it if necessary.
func (e *Suite) strategy(ctx context.Context) (_ Strategy, err error) {
	if e.running == nil {
		e.running, err = e.start(ctx)
	}
	return e.running, err
}

// stop ends the running strategy.
func (e *Suite) stop() error {
	if e.running == nil {
		return nil
	}
	s := e.running
	e.running = nil
	return s.Close()
}

// once makes a call that may take longer than a search.
func (e *Suite) once(ctx context.Context, call func(context.Context) error) error {
	limited, cancel := context.WithTimeout(ctx, slower*e.subject.Timeout)
	defer cancel()
	err := call(limited)
	if late(limited, err) && ctx.Err() == nil {
		return fmt.Errorf("%w within %v", errHung, slower*e.subject.Timeout)
	}
	return err
}

// late reports whether err is due to the deadline of ctx. The transport's clock may pass the
// deadline a moment earlier, and a snapshot may still be opening then.
func late(ctx context.Context, err error) bool {
	return err != nil && ctx.Err() != nil || errors.Is(err, context.DeadlineExceeded) || errors.Is(err, wire.ErrOpening)
}

// open opens a corpus with s.
func (e *Suite) open(ctx context.Context, s Strategy, corpus *snapshot.Snapshot) error {
	if err := e.once(ctx, func(ctx context.Context) error { return s.Open(ctx, corpus) }); err != nil {
		return fmt.Errorf("open a %s corpus of %d sections: %w", corpus.Kind(), corpus.Bound(), err)
	}
	return nil
}

// search calls s. It returns errors that a strategy may return as refused, and all others as err.
func (e *Suite) search(ctx context.Context, s Strategy, req *sdk.Request) (res *sdk.Result, refused error, err error) {
	refused, err = e.ask(ctx, func(ctx context.Context) (err error) {
		res, err = s.Search(ctx, req)
		if errors.Is(err, wire.ErrOpening) && ctx.Err() == nil { // search does not open it; the host does
			if err = s.Open(ctx, req.Corpus); err == nil {
				res, err = s.Search(ctx, req)
			}
		}
		return err
	})
	if refused != nil || err != nil {
		return nil, refused, err
	}
	return res, nil, nil
}

// ask makes a call. It returns errors that a strategy may return as refused, and all others as err.
func (e *Suite) ask(ctx context.Context, call func(context.Context) error) (refused, err error) {
	limited, cancel := context.WithTimeout(ctx, e.subject.Timeout)
	defer cancel()
	err = call(limited)
	p, panicked := errors.AsType[*guard.PanicError](err)
	switch {
	case err == nil:
		return nil, nil
	case panicked:
		return nil, fmt.Errorf("it panics: %s%s", p.Value, place(p.Stack))
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case late(limited, err):
		return nil, fmt.Errorf("%w within %v", errHung, e.subject.Timeout)
	case errors.Is(err, wire.ErrGone), errors.Is(err, wire.ErrTooLarge), errors.Is(err, wire.ErrMalformed):
		return nil, err
	}
	return err, nil
}

// Time measures n ordinary searches of the small corpus, one after another. It leaves out searches that fail.
func (e *Suite) Time(ctx context.Context, n int) []time.Duration {
	s, err := e.strategy(ctx)
	if err != nil {
		return nil
	}
	var out []time.Duration
	for i := range n {
		req := e.request(e.small, ordinary[i%len(ordinary)], nil, 10)
		began := time.Now()
		_, refused, err := e.search(ctx, s, req)
		if err != nil {
			return out
		}
		if refused == nil {
			out = append(out, time.Since(began))
		}
	}
	return out
}

// Running returns the strategy that is running between two checks, or nil.
func (e *Suite) Running() Strategy { return e.running }

// place returns the place of a panic, if its stack shows it. The stack of a repeated panic has the first one below the
// others.
func place(stack string) string {
	at := strings.LastIndex(stack, "\npanic(")
	if at < 0 {
		return ""
	}
	lines := strings.Split(stack[at+1:], "\n")
	for i := 2; i+1 < len(lines); i += 2 { // pairs of a function and its file; the first are those of panic itself
		if !strings.HasPrefix(lines[i], "runtime.") {
			file, _, _ := strings.Cut(strings.TrimSpace(lines[i+1]), " +0x")
			return " at " + file
		}
	}
	return ""
}
