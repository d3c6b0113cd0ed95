package lexical

import (
	"context"
	"errors"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/google/go-cmp/cmp"
	"go.uber.org/goleak"

	"github.com/sagasu-search/sagasu/sdk/sdktest"
	"github.com/sagasu-search/sagasu/sdk/x/guard"
)

// beside matches if alpha and beta are adjacent. All texts contain both.
func beside(t *testing.T, n int) (SameField, func(ctx context.Context, x SameField) Result) {
	t.Helper()
	sections := make([]sdktest.Section, n)
	for i := range sections {
		if sections[i].Body = "alpha beta"; i%3 == 0 {
			sections[i].Body = "alpha then beta"
		}
	}
	snap := sdktest.Snapshot(t, sections...)
	all := Fields(0).With(0).With(1).With(2)
	word := func(s string) []Match { return []Match{{Key: s, Groups: [][]string{{s}}, Fields: all}} }
	x := SameField{Sides: [][]Match{word("alpha"), word("beta")}, Fields: all, Verify: func(id uint32, field int) bool {
		return strings.Contains(snap.Normalized(id, field), "alpha beta")
	}}
	return x, func(ctx context.Context, x SameField) Result {
		return Evaluate(ctx, snap, nil, x, Params{K1: 1, B: make([]float64, 3), Weight: []float64{1, 1, 1}}, 10)
	}
}

func TestSameFieldForks(t *testing.T) {
	defer goleak.VerifyNone(t)
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(4))
	x, evaluate := beside(t, 3000)
	want := evaluate(t.Context(), x)
	var forks atomic.Int32
	forked := x
	forked.Fork = func() func(uint32, int) bool { forks.Add(1); return x.Verify }
	got := evaluate(t.Context(), forked)
	if got.Matched.GetCardinality() != 2000 || !got.Matched.Equals(want.Matched) || !got.Finished || forks.Load() != 4 {
		t.Errorf("%d found, finished: %v, by %d", got.Matched.GetCardinality(), got.Finished, forks.Load())
	}
	if diff := cmp.Diff(want.Hits, got.Hits); diff != "" {
		t.Error(diff)
	}
}

func TestSameFieldForksEnd(t *testing.T) {
	defer goleak.VerifyNone(t)
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(2))
	x, evaluate := beside(t, 3000)
	ctx, cancel := context.WithCancel(t.Context())
	x.Fork = func() func(uint32, int) bool {
		return func(id uint32, field int) bool { cancel(); return x.Verify(id, field) }
	}
	if got := evaluate(ctx, x); got.Finished || got.Examined != 0 {
		t.Errorf("finished: %v, %d examined", got.Finished, got.Examined)
	}
	failed := errors.New("a verification fails")
	x.Fork = func() func(uint32, int) bool { return func(uint32, int) bool { panic(failed) } }
	err := guard.Call(func() error { evaluate(t.Context(), x); return nil })
	if err == nil || !strings.Contains(err.Error(), failed.Error()) {
		t.Errorf("it fails with %v", err)
	}
}
