package host

import (
	"errors"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/sagasu-search/sagasu/sdk/snapshot"
	"github.com/sagasu-search/sagasu/sdk/x/border"
)

func TestBreaker(t *testing.T) {
	const first, hold = 10 * time.Second, time.Second
	now := time.Unix(1_000_000, 0)
	b := breaker{first: first}
	fail := func(n int) {
		for range n {
			b.failed(now)
		}
	}
	expect := func(when string, state BreakerState, wait time.Duration) {
		t.Helper()
		if got := b.state(now); got != state {
			t.Errorf("%s: %s, want %s", when, got, state)
		}
		if got := b.admit(now, hold); got != wait {
			t.Errorf("%s: a wait of %v, want %v", when, got, wait)
		}
	}
	fail(breakerFailures - 1)
	b.worked()
	expect("one too few", BreakerClosed, 0)
	now = now.Add(breakerWindow + 1)
	fail(breakerFailures - 1)
	expect("the others are too old", BreakerClosed, 0)
	fail(1)
	expect("enough", BreakerOpen, first)
	b.worked() // a call from before
	fail(1)
	expect("only the probe counts", BreakerOpen, first)
	now = now.Add(first)
	expect("the probe", BreakerHalfOpen, 0)
	expect("one probe at a time", BreakerHalfOpen, hold)
	now = now.Add(hold)
	expect("the probe was never heard of", BreakerHalfOpen, 0)
	fail(1)
	expect("the probe failed", BreakerOpen, 2*first)
	now = now.Add(2 * first)
	expect("the next probe", BreakerHalfOpen, 0)
	b.worked()
	expect("the probe worked", BreakerClosed, 0)
	fail(breakerFailures - 1)
	expect("all is forgiven", BreakerClosed, 0)
}

func TestFewFailuresAmongManyAnswersDoNotSuspend(t *testing.T) {
	now := time.Unix(1_000_000, 0)
	b := breaker{first: time.Minute}
	for range 10 * breakerFailures {
		b.failed(now)
		for range 2 * breakerAnswers {
			b.worked()
		}
	}
	if got := b.state(now); got != BreakerClosed {
		t.Fatalf("it is %s after one failure in %d calls", got, 2*breakerAnswers+1)
	}
	now = now.Add(breakerWindow + 1) // what was answered before counts no more
	for range breakerFailures {
		b.failed(now)
	}
	if got := b.state(now); got != BreakerOpen {
		t.Errorf("it is %s after %d failures in a row", got, breakerFailures)
	}
}

func TestBreakerPauses(t *testing.T) {
	now := time.Unix(1_000_000, 0)
	b := breaker{first: time.Minute}
	for range breakerFailures {
		b.failed(now)
	}
	var got []time.Duration
	for range 5 {
		got = append(got, b.until.Sub(now))
		now = b.until
		b.admit(now, 0)
		b.failed(now)
	}
	m := time.Minute
	if diff := cmp.Diff([]time.Duration{m, 2 * m, 4 * m, 5 * m, 5 * m}, got); diff != "" {
		t.Error(diff)
	}
}

// crash makes a strategy end its process until the host calls it no more.
func crash(t *testing.T, h *Host, snap *snapshot.Snapshot) error {
	t.Helper()
	for {
		for _, query := range []string{"exit", "find"} { // its answers in between do not help it
			_, err := h.Search(t.Context(), "actor", request(snap, query))
			if errors.Is(err, ErrSuspended) {
				return err
			}
			if (err == nil) != (query == "find") {
				t.Fatalf("%s gave %v", query, err)
			}
		}
	}
}

func TestFailingForEverIsNotRestartedForEver(t *testing.T) {
	o := options(t, "actor")
	o.Suspension = time.Hour
	h, snap := start(t, o)
	err := crash(t, h, snap)
	if f, ok := errors.AsType[Failure](err); !ok || f.Brief() != "it failed again and again and is left out for a while" {
		t.Errorf("the error says %v", err)
	}
	before := h.Status()[0]
	for range 20 {
		if _, err := h.Search(t.Context(), "actor", request(snap, "find")); !errors.Is(err, ErrSuspended) {
			t.Fatalf("a suspended strategy gave %v", err)
		}
	}
	h.Warm()
	after := h.Status()[0]
	if after.Restarts != before.Restarts || after.Breaker != BreakerOpen || after.RetryIn <= 0 || after.Failures != breakerFailures {
		t.Errorf("status %+v, before %+v", after, before)
	}
}

func TestSuspensionEnds(t *testing.T) {
	for name, meanwhile := range map[string]func(*process){
		"it runs":      func(*process) {},
		"it has ended": func(p *process) { p.runner.kill(); <-p.runner.done },
	} {
		t.Run(name, func(t *testing.T) {
			o := options(t, "actor")
			o.Suspension = 1
			h, snap := start(t, o)
			for range breakerFailures {
				_, err := h.Search(t.Context(), "actor", request(snap, "breach nan"))
				if _, ok := errors.AsType[*border.BreachError](err); !ok {
					t.Fatal(err)
				}
			}
			if st := h.Status()[0]; st.Breaker == BreakerClosed {
				t.Errorf("status %+v", st)
			}
			meanwhile(h.supervisors[0].current)
			ask(t, h, snap, "pid")
			if st := h.Status()[0]; st.Breaker != BreakerClosed || st.Failures != 0 {
				t.Errorf("status %+v", st)
			}
		})
	}
}

func TestErrorsInGoodOrderAreNotCounted(t *testing.T) {
	h, snap := start(t, options(t, "actor"))
	for range 2 * breakerFailures {
		if _, err := h.Search(t.Context(), "actor", request(snap, "fail for this query")); errors.Is(err, ErrSuspended) {
			t.Fatal(err)
		}
	}
	if st := h.Status()[0]; st.Failures != 0 || st.LastError != "for this query" {
		t.Errorf("status %+v", st)
	}
}
