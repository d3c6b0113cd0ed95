package host

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/sagasu-search/sagasu/sdk/x/wire"
)

// TestWhatEndedAStart has starts fail when somebody's time is up.
func TestWhatEndedAStart(t *testing.T) {
	given, cut := errors.New("given up"), "did not start within"
	short := func(ctx context.Context) (context.Context, context.CancelFunc) {
		return context.WithTimeout(ctx, time.Millisecond)
	}
	for name, c := range map[string]struct {
		limit  time.Duration
		caller func(context.Context) (context.Context, context.CancelFunc)
		begin  error // what the start says once it is ended; nil for the context's own
		is     []error
		not    []error
		says   string
	}{
		"its time, with a cause":   {limit: 1, caller: context.WithCancel, begin: ErrUnpinned, is: []error{ErrUnpinned}, not: []error{ErrClosed}, says: cut},
		"its time":                 {limit: 1, caller: context.WithCancel, not: []error{context.DeadlineExceeded, ErrClosed}, says: cut},
		"the caller's time":        {limit: time.Hour, caller: short, is: []error{context.DeadlineExceeded}, not: []error{ErrClosed}, says: "deadline"},
		"the caller, with a cause": {limit: time.Hour, caller: short, begin: wire.ErrGone, is: []error{context.DeadlineExceeded, wire.ErrGone}, not: []error{ErrClosed}},
		"the caller's change of mind": {limit: time.Hour, caller: func(ctx context.Context) (context.Context, context.CancelFunc) {
			ctx, cancel := context.WithCancelCause(ctx)
			cancel(given)
			return ctx, func() {}
		}, is: []error{given, context.Canceled}, not: []error{ErrClosed}},
	} {
		t.Run(name, func(t *testing.T) {
			o := options(t, "actor")
			o.StartTimeout = c.limit
			h, _ := start(t, o)
			ctx, cancel := c.caller(t.Context())
			defer cancel()
			_, err := h.launchTo(ctx, &o.Entries[0], func(ctx context.Context, _ *process) error {
				<-ctx.Done()
				if c.begin != nil {
					return c.begin
				}
				return ctx.Err()
			})
			if err == nil || !strings.Contains(err.Error(), c.says) || c.says != cut && strings.Contains(err.Error(), cut) {
				t.Errorf("the error says %v", err)
			}
			for _, want := range c.is {
				if !errors.Is(err, want) {
					t.Errorf("%v hides %v", err, want)
				}
			}
			for _, not := range c.not {
				if errors.Is(err, not) {
					t.Errorf("%v is %v", err, not)
				}
			}
		})
	}
}

// TestTrialWhoseCallerGivesUp has a process that never says hello.
func TestTrialWhoseCallerGivesUp(t *testing.T) {
	h, _ := start(t, options(t, "mute"))
	ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
	defer cancel()
	_, err := h.StartTrial(ctx, "mute")
	if !errors.Is(err, context.DeadlineExceeded) || strings.Contains(err.Error(), "did not start within") {
		t.Errorf("error %v", err)
	}
}
