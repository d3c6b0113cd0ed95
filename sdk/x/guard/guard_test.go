package guard

import (
	"bytes"
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/hashicorp/go-hclog"
	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

var outcomes = map[string]struct {
	run  func() error
	want string // prefix of the error
}{
	"done":  {func() error { return nil }, ""},
	"error": {func() error { return context.Canceled }, "context canceled"},
	"panic": {func() error { panic("oh\n\tno") }, "panic: oh no"},
	"nil":   {func() error { panic(nil) }, "panic: panic called with nil argument"},
	"runtime error": {func() error { var s []int; return errors.New(string(rune(s[0]))) },
		"panic: runtime error: index out of range"},
}

// check compares an error with an outcome.
func check(t *testing.T, err error, want string) {
	t.Helper()
	if want == "" && err != nil || want != "" && (err == nil || !strings.HasPrefix(err.Error(), want)) {
		t.Errorf("%v, want %q", err, want)
	}
	bad, panicked := errors.AsType[*PanicError](err)
	if panicked != strings.HasPrefix(want, "panic") {
		t.Errorf("a panic: %t", panicked)
	}
	if panicked && (!strings.Contains(bad.Stack, "guard_test.go") || len(bad.Stack) > MaxStack) {
		t.Errorf("stack of %d bytes:\n%s", len(bad.Stack), bad.Stack)
	}
}

func TestCall(t *testing.T) {
	for name, k := range outcomes {
		t.Run(name, func(t *testing.T) { check(t, Call(k.run), k.want) })
	}
}

func TestGroup(t *testing.T) {
	for name, k := range outcomes {
		for _, level := range []hclog.Level{hclog.Info, hclog.Debug} {
			t.Run(name+" "+level.String(), func(t *testing.T) {
				var log bytes.Buffer
				g := Group{Log: hclog.New(&hclog.LoggerOptions{Output: &log, Level: level})}
				g.Go(k.run)
				g.Go(func() error { return nil })
				err := g.Wait()
				check(t, err, k.want)
				_, panicked := errors.AsType[*PanicError](err)
				if logged := strings.Contains(log.String(), "[ERROR] unexpected failure"); logged != panicked {
					t.Errorf("logged %s", &log)
				}
				if located := strings.Contains(log.String(), "guard_test.go"); located != (panicked && level == hclog.Debug) {
					t.Errorf("logged %s", &log)
				}
			})
		}
	}
}

func TestEach(t *testing.T) {
	var runs []func() error
	var wants []string
	for _, k := range outcomes {
		runs, wants = append(runs, k.run), append(wants, k.want)
	}
	for i, err := range Each(len(runs), func(i int) error { return runs[i]() }) {
		check(t, err, wants[i])
	}
}

func TestDeepStacksAreCut(t *testing.T) {
	var fall func(n int)
	fall = func(n int) {
		if n == 0 {
			panic("at the bottom")
		}
		fall(n - 1)
	}
	check(t, Call(func() error { fall(1000); return nil }), "panic: at the bottom")
}
