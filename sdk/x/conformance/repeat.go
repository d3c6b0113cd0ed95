package conformance

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"

	"github.com/RoaringBitmap/roaring/v2"

	"github.com/sagasu-search/sagasu/sdk"
	"github.com/sagasu-search/sagasu/sdk/snapshot"
)

// deterministic asks everything again, of the same process and of a new one.
func (e *Exam) deterministic(ctx context.Context) error {
	want, err := e.first(ctx)
	if err != nil {
		return err
	}
	s, err := e.strategy(ctx)
	if err != nil {
		return err
	}
	if err := differ(want, e.battery(ctx, s, e.small)); err != nil {
		return fmt.Errorf("asked again: %w", err)
	}
	if err := e.life(ctx, want); err != nil {
		return fmt.Errorf("a new process: %w", err)
	}
	return nil
}

// mostLives is how often a strategy is started anew.
const mostLives = 3

// lives goes through several lives.
func (e *Exam) lives(ctx context.Context) error {
	want, err := e.first(ctx)
	if err != nil {
		return err
	}
	for i := range mostLives {
		if err := e.life(ctx, want); err != nil {
			return fmt.Errorf("life %d: %w", i+2, err)
		}
	}
	return nil
}

// life starts the strategy, opens the corpus twice, searches and closes.
func (e *Exam) life(ctx context.Context, want []outcome) (err error) {
	s, err := e.start(ctx)
	if err != nil {
		return err
	}
	defer func() {
		if closed := s.Close(); closed != nil {
			err = errors.Join(err, fmt.Errorf("close: %w", closed))
		}
	}()
	for range 2 {
		if err := e.open(ctx, s, e.small); err != nil {
			return err
		}
	}
	return differ(want, e.battery(ctx, s, e.small))
}

// snapshots searches a corpus, what is left of it in a later snapshot, and the old one again.
func (e *Exam) snapshots(ctx context.Context) error {
	before, err := e.first(ctx)
	if err != nil {
		return err
	}
	s, err := e.strategy(ctx)
	if err != nil {
		return err
	}
	e.numbers[e.kind]++
	next, err := e.keep(shrunk(e.small, e.numbers[e.kind]))
	if err != nil {
		return err
	}
	if err := e.open(ctx, s, next); err != nil {
		return err
	}
	for _, o := range e.battery(ctx, s, next) {
		if e.news(o.err) != nil {
			return fmt.Errorf("%s, in the new snapshot: %w", o.what, o.err)
		}
	}
	if err := differ(before, e.battery(ctx, s, e.small)); err != nil {
		return fmt.Errorf("in the old snapshot: %w", err)
	}
	return nil
}

// callers is how many call at once.
const callers = 8

// concurrent asks everything from several goroutines, on two snapshots. Each begins with
// another trial: callers in step would ask the same at the same time, and hide a mix-up.
func (e *Exam) concurrent(ctx context.Context) error {
	want, err := e.first(ctx)
	if err != nil {
		return err
	}
	s, err := e.strategy(ctx)
	if err != nil {
		return err
	}
	other, err := e.publish(e.kind, 2*few)
	if err != nil {
		return err
	}
	if err := e.open(ctx, s, other); err != nil {
		return err
	}
	expected := map[*snapshot.Snapshot][]outcome{e.small: want, other: e.battery(ctx, s, other)}
	errs := make([]error, callers)
	var wg sync.WaitGroup
	for i := range callers {
		corpus := e.small
		if i%2 == 1 {
			corpus = other
		}
		begin := i * len(want) / callers
		wg.Go(func() {
			errs[i] = differ(turned(expected[corpus], begin), e.tryAll(ctx, s, turned(e.trials(corpus), begin)))
		})
	}
	wg.Wait()
	return errors.Join(errs...)
}

// turned is a list that begins at its element i and ends with the one before.
func turned[T any](list []T, i int) []T { return slices.Concat(list[i:], list[:i]) }

// differ tells of the first outcome that is not as it was. One that failed before has
// been told of by another rule.
func differ(want, got []outcome) error {
	for i, w := range want {
		if w.err != nil {
			continue
		}
		if got[i].err != nil {
			return fmt.Errorf("%s: %w", w.what, got[i].err)
		}
		if what := difference(w.res, got[i].res); what != "" {
			return fmt.Errorf("%s: %s", w.what, what)
		}
	}
	return nil
}

// difference names what differs between two results, "" for nothing.
func difference(a, b *sdk.Result) string {
	if len(a.Candidates) != len(b.Candidates) {
		return fmt.Sprintf("%d candidates, before %d", len(b.Candidates), len(a.Candidates))
	}
	for i, c := range a.Candidates {
		if d := b.Candidates[i]; !equal(c, d) {
			return fmt.Sprintf("candidate %d is %+v, before %+v", i+1, d, c)
		}
	}
	if !equalSets(a.Matched, b.Matched) {
		return "other sections matched"
	}
	if a.Examined != b.Examined || a.Finished != b.Finished || a.Confidence != b.Confidence {
		return "the figures examined, finished or confidence differ"
	}
	return ""
}

func equal(a, b sdk.Candidate) bool {
	return a.Section == b.Section && a.Score == b.Score && a.Coverage == b.Coverage &&
		slices.Equal(a.Signals, b.Signals) && slices.Equal(a.Terms, b.Terms)
}

func equalSets(a, b *roaring.Bitmap) bool {
	if a == nil || b == nil {
		return a == b
	}
	return a.Equals(b)
}
