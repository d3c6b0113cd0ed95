package conformance

import (
	"context"
	"errors"
	"fmt"
	"math"
	"reflect"
	"slices"

	"github.com/sagasu-search/sagasu/sdk"
	"github.com/sagasu-search/sagasu/sdk/snapshot"
	"github.com/sagasu-search/sagasu/sdk/x/guard"
)

// deterministic repeats all trials, in the same process and in a new one.
func (e *Suite) deterministic(ctx context.Context) error {
	want, s, err := e.baselineStrategy(ctx)
	if err != nil {
		return err
	}
	if err := differ(want, e.runTrials(ctx, s, e.small)); err != nil {
		return fmt.Errorf("asked again: %w", err)
	}
	if err := e.restart(ctx, want); err != nil {
		return fmt.Errorf("a new process: %w", err)
	}
	return nil
}

// baselineStrategy returns the outcomes to compare with and the running strategy.
func (e *Suite) baselineStrategy(ctx context.Context) ([]outcome, Strategy, error) {
	want, err := e.baseline(ctx)
	if err != nil {
		return nil, nil, err
	}
	s, err := e.strategy(ctx)
	return want, s, err
}

// maxRestarts is how often the check restarts a strategy.
const maxRestarts = 3

// restarts starts the strategy several times.
func (e *Suite) restarts(ctx context.Context) error {
	want, err := e.baseline(ctx)
	if err != nil {
		return err
	}
	for i := range maxRestarts {
		if err := e.restart(ctx, want); err != nil {
			return fmt.Errorf("start %d: %w", i+2, err)
		}
	}
	return nil
}

// restart starts the strategy, opens the corpus twice, searches and closes.
func (e *Suite) restart(ctx context.Context, want []outcome) (err error) {
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
	return differ(want, e.runTrials(ctx, s, e.small))
}

// snapshots searches a corpus, the rest of it in a later snapshot, and the old snapshot again.
func (e *Suite) snapshots(ctx context.Context) error {
	before, s, err := e.baselineStrategy(ctx)
	if err != nil {
		return err
	}
	e.numbers[e.kind]++
	next, err := e.keep(withoutFirstFiles(e.small, e.numbers[e.kind]))
	if err != nil {
		return err
	}
	if err := e.open(ctx, s, next); err != nil {
		return err
	}
	for _, o := range e.runTrials(ctx, s, next) {
		if e.newError(o.err) != nil {
			return fmt.Errorf("%s, in the new snapshot: %w", o.what, o.err)
		}
	}
	if err := differ(before, e.runTrials(ctx, s, e.small)); err != nil {
		return fmt.Errorf("in the old snapshot: %w", err)
	}
	return nil
}

// callers is the number of concurrent callers.
const callers = 8

// concurrent runs all trials from several goroutines, on two snapshots. Each goroutine begins with another trial. In
// step, they would send the same request at the same time and hide a mix-up.
func (e *Suite) concurrent(ctx context.Context) error {
	want, s, err := e.baselineStrategy(ctx)
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
	expected := map[*snapshot.Snapshot][]outcome{e.small: want, other: e.runTrials(ctx, s, other)}
	return errors.Join(guard.Each(callers, func(i int) error {
		corpus := e.small
		if i%2 == 1 {
			corpus = other
		}
		begin := i * len(want) / callers
		return differ(rotated(expected[corpus], begin), e.runAll(ctx, s, rotated(e.trials(corpus), begin)))
	})...)
}

// rotated returns a list that starts at element i and ends with the one before it.
func rotated[T any](list []T, i int) []T { return slices.Concat(list[i:], list[:i]) }

// differ reports the first outcome that changed. It ignores outcomes that failed before.
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

// lastDigits is the difference between scores that the order of additions may cause.
const lastDigits = 1e-9

// inLastDigits reports whether two lists propose the same sections and differ only in the last digits of scores,
// whatever their order. It returns the first pair that differs.
func inLastDigits(a, b []sdk.Candidate) (before, after sdk.Candidate, ok bool) {
	bySection := make(map[uint32]sdk.Candidate, len(b))
	for _, c := range b {
		bySection[c.Section] = c
	}
	for _, c := range a {
		d, found := bySection[c.Section]
		near := math.Abs(c.Score-d.Score) <= lastDigits*max(math.Abs(c.Score), math.Abs(d.Score))
		if !found || !near {
			return before, after, false
		}
		if c.Score != d.Score && !ok {
			before, after, ok = c, d, true
		}
	}
	return before, after, ok
}

// difference returns what differs between two results, or "".
func difference(a, b *sdk.Result) string {
	if len(a.Candidates) != len(b.Candidates) {
		return fmt.Sprintf("%d candidates, before %d", len(b.Candidates), len(a.Candidates))
	}
	if c, d, ok := inLastDigits(a.Candidates, b.Candidates); ok {
		return fmt.Sprintf("section %d has the score %v, before %v: only the last digits differ, as those of a sum do "+
			"that is added in another order (do you range over a map?)", c.Section, d.Score, c.Score)
	}
	for i, c := range a.Candidates {
		d := b.Candidates[i]
		if c.Section != d.Section && c.Score == d.Score {
			return fmt.Sprintf("candidate %d is section %d, before section %d: both have the score %v, and equal "+
				"scores change their order (do you range over a map?)", i+1, d.Section, c.Section, c.Score)
		}
		if !reflect.DeepEqual(c, d) {
			return fmt.Sprintf("candidate %d is %+v, before %+v", i+1, d, c)
		}
	}
	if !reflect.DeepEqual(a.Answers, b.Answers) || !reflect.DeepEqual(a.Tensions, b.Tensions) {
		return "the answers or the tensions differ"
	}
	if (a.Matched == nil) != (b.Matched == nil) || a.Matched != nil && !a.Matched.Equals(b.Matched) {
		return "other sections matched"
	}
	if a.Examined != b.Examined || a.Finished != b.Finished || a.Confidence != b.Confidence {
		return "the figures examined, finished or confidence differ"
	}
	return ""
}
