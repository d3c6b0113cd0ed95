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
	"github.com/sagasu-search/sagasu/sdk/x/wire"
)

// Strategy is one that runs, in this process or in another; *wire.Client has all of it
// but Close.
type Strategy interface {
	Describe(ctx context.Context) (sdk.Description, error)
	Configure(ctx context.Context, config json.RawMessage) error
	Open(ctx context.Context, corpus *snapshot.Snapshot) error
	Search(ctx context.Context, req *sdk.Request) (*sdk.Result, error)
	// Close ends the strategy and returns when it has ended, with all calls.
	Close() error
}

// Subject is what is examined.
type Subject struct {
	// Start starts the strategy anew. It is neither configured nor has it opened anything.
	Start func(ctx context.Context) (Strategy, error)
	// Dir is where the corpora are published: an empty directory that the strategy can read.
	Dir string
	// Config is what the strategy is configured with, nil for nothing.
	Config json.RawMessage
	// Patience is how long a search may take before it counts as hung, and a sixth of
	// what any other call may take; 0 for ten seconds.
	Patience time.Duration
}

// Sizes of the corpora, as times that each topic is in them.
const (
	few  = 4
	many = 150
)

const (
	defaultPatience = 10 * time.Second
	// slower is how much longer than a search what is done once may take.
	slower = 6
)

// errHung says that a call was not answered.
var errHung = errors.New("no answer")

// Exam examines one strategy. It is not safe for concurrent use.
type Exam struct {
	subject    Subject
	described  sdk.Description
	misfit     error // why the configuration cannot be given
	kind       snapshot.Kind
	numbers    map[snapshot.Kind]int // of the snapshots of a kind published so far
	corpora    []*snapshot.Snapshot  // all that were published
	small, big *snapshot.Snapshot    // big is nil until it is needed
	running    Strategy              // nil when the next check starts it
	results    []outcome
}

// New starts the strategy for the first time and publishes a corpus of a kind that it
// understands. The error says why nothing can be examined at all. Close the exam.
func New(ctx context.Context, subject Subject) (*Exam, error) {
	subject.Patience = cmp.Or(subject.Patience, defaultPatience)
	e := &Exam{subject: subject, kind: snapshot.KindManual, numbers: map[snapshot.Kind]int{}}
	s, err := subject.Start(ctx)
	if err != nil {
		return nil, fmt.Errorf("it does not start: %w", err)
	}
	err = e.once(ctx, func(ctx context.Context) error { e.described, err = s.Describe(ctx); return err })
	_ = s.Close() // how it closes is looked at later
	if err != nil {
		return nil, fmt.Errorf("it does not describe itself: %w", err)
	}
	if e.misfit = misfit(e.described.ConfigSchema, subject.Config); e.misfit != nil {
		e.subject.Config = nil // told once: the other rules are examined without it
	}
	if len(e.described.Corpora) > 0 {
		e.kind = e.described.Corpora[0]
	}
	if e.small, err = e.publish(e.kind, few); err != nil {
		return nil, err
	}
	return e, nil
}

// Described is what the strategy says of itself.
func (e *Exam) Described() sdk.Description { return e.described }

// Close ends the strategy and lets go of the corpora.
func (e *Exam) Close() error {
	err := e.stop()
	for _, c := range e.corpora {
		err = errors.Join(err, c.Close())
	}
	return err
}

func (e *Exam) publish(kind snapshot.Kind, times int) (*snapshot.Snapshot, error) {
	e.numbers[kind]++
	return e.keep(corpus(e.subject.Dir, kind, e.numbers[kind], times))
}

func (e *Exam) keep(s *snapshot.Snapshot, err error) (*snapshot.Snapshot, error) {
	if err != nil {
		return nil, fmt.Errorf("publish the corpus: %w", err)
	}
	e.corpora = append(e.corpora, s)
	return s, nil
}

// start gives a strategy that is configured.
func (e *Exam) start(ctx context.Context) (Strategy, error) {
	s, err := e.subject.Start(ctx)
	if err != nil {
		return nil, fmt.Errorf("it does not start: %w", err)
	}
	if e.subject.Config == nil {
		return s, nil
	}
	if err := e.once(ctx, func(ctx context.Context) error { return s.Configure(ctx, e.subject.Config) }); err != nil {
		return nil, errors.Join(fmt.Errorf("it refuses its configuration: %w", err), s.Close())
	}
	return s, nil
}

// strategy gives the one that runs, and starts it if there is none.
func (e *Exam) strategy(ctx context.Context) (_ Strategy, err error) {
	if e.running == nil {
		e.running, err = e.start(ctx)
	}
	return e.running, err
}

// stop ends the one that runs.
func (e *Exam) stop() error {
	if e.running == nil {
		return nil
	}
	s := e.running
	e.running = nil
	return s.Close()
}

// once makes a call that may take longer than a search.
func (e *Exam) once(ctx context.Context, call func(context.Context) error) error {
	limited, cancel := context.WithTimeout(ctx, slower*e.subject.Patience)
	defer cancel()
	err := call(limited)
	if late(limited, err) && ctx.Err() == nil {
		return fmt.Errorf("%w within %v", errHung, slower*e.subject.Patience)
	}
	return err
}

// late tells whether err comes of the deadline of ctx; by the clock of the transport that
// may be over a moment earlier, and what was still opening then says so.
func late(ctx context.Context, err error) bool {
	return err != nil && ctx.Err() != nil || errors.Is(err, context.DeadlineExceeded) || errors.Is(err, wire.ErrOpening)
}

// open hands a corpus to s.
func (e *Exam) open(ctx context.Context, s Strategy, corpus *snapshot.Snapshot) error {
	if err := e.once(ctx, func(ctx context.Context) error { return s.Open(ctx, corpus) }); err != nil {
		return fmt.Errorf("open a %s corpus of %d sections: %w", corpus.Kind(), corpus.Bound(), err)
	}
	return nil
}

// search calls s and says what is wrong with how it answers, if something is: an error
// in good order is none.
func (e *Exam) search(ctx context.Context, s Strategy, req *sdk.Request) (res *sdk.Result, refused error, err error) {
	limited, cancel := context.WithTimeout(ctx, e.subject.Patience)
	defer cancel()
	res, err = s.Search(limited, req)
	p, panicked := errors.AsType[*wire.PanicError](err)
	switch {
	case err == nil:
		return res, nil, nil
	case panicked:
		return nil, nil, fmt.Errorf("it panics: %s%s", p.Value, place(p.Stack))
	case ctx.Err() != nil:
		return nil, nil, ctx.Err()
	case late(limited, err):
		return nil, nil, fmt.Errorf("%w within %v", errHung, e.subject.Patience)
	case errors.Is(err, wire.ErrGone), errors.Is(err, wire.ErrTooLarge), errors.Is(err, wire.ErrMalformed):
		return nil, nil, err
	}
	return nil, err, nil
}

// Time measures n ordinary searches of the small corpus, one after the other. Those that
// fail are left out.
func (e *Exam) Time(ctx context.Context, n int) []time.Duration {
	s, err := e.strategy(ctx)
	if err != nil {
		return nil
	}
	var out []time.Duration
	for i := range n {
		req := e.request(e.small, plain[i%len(plain)], nil, 10)
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

// Running is the strategy that runs between two checks, nil for none.
func (e *Exam) Running() Strategy { return e.running }

// place is where a panic came from, as far as its stack tells. Of one that was passed on
// the stack holds the first below the others.
func place(stack string) string {
	at := strings.LastIndex(stack, "\npanic(")
	if at < 0 {
		return ""
	}
	lines := strings.Split(stack[at+1:], "\n")
	for i := 2; i+1 < len(lines); i += 2 { // a function and its file each; the first are panic's own
		if !strings.HasPrefix(lines[i], "runtime.") {
			file, _, _ := strings.Cut(strings.TrimSpace(lines[i+1]), " +0x")
			return " at " + file
		}
	}
	return ""
}
