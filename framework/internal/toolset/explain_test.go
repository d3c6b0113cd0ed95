package toolset

import (
	"context"
	"errors"
	"fmt"
	"testing"
)

func TestExplain(t *testing.T) {
	for name, tc := range map[string]struct {
		err  error
		want Code
	}{
		"an error of a tool":          {Errorf(NotFound, "no such file"), NotFound},
		"one about the end of a call": {Errorf(Conflict, "not now: %w", context.Canceled), Conflict},
		"a cancelled call":            {fmt.Errorf("walk: %w", context.Canceled), NotAvailable},
		"an overdue call":             {context.DeadlineExceeded, NotAvailable},
		"an overdue call, taken over": {AsError(fmt.Errorf("walk: %w", context.DeadlineExceeded)), NotAvailable},
		"anything else":               {errors.New("broken"), Internal},
		"anything else, taken over":   {AsError(errors.New("broken")), Internal},
	} {
		if got := Explain(tc.err); got.Code != tc.want {
			t.Errorf("%s: %v, want %s", name, got, tc.want)
		}
	}
}
