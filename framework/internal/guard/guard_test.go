package guard

import (
	"bytes"
	"errors"
	"strings"
	"testing"

	"github.com/hashicorp/go-hclog"
	"go.uber.org/goleak"
)

func TestGroup(t *testing.T) {
	defer goleak.VerifyNone(t)
	fails := errors.New("no")
	for name, k := range map[string]struct {
		run  func() error
		want string
	}{
		"done": {func() error { return nil }, ""}, "error": {func() error { return fails }, "no"},
		"panic":         {func() error { panic("oh") }, "unexpected failure: oh"},
		"runtime error": {func() error { var s []int; return errors.New(string(rune(s[0]))) }, "unexpected failure: runtime error: index out of range"},
	} {
		t.Run(name, func(t *testing.T) {
			var log bytes.Buffer
			g := Group{Log: hclog.New(&hclog.LoggerOptions{Output: &log})}
			g.Go(k.run)
			g.Go(func() error { return nil })
			err := g.Wait()
			if k.want == "" && err != nil || k.want != "" && (err == nil || !strings.HasPrefix(err.Error(), k.want)) {
				t.Errorf("%v, want %q", err, k.want)
			}
			_, panicked := errors.AsType[*PanicError](err)
			if logged := strings.Contains(log.String(), "guard_test.go"); logged != panicked {
				t.Errorf("logged %s", &log)
			}
		})
	}
}
