package host

import (
	"bytes"
	"errors"
	"strings"
	"testing"

	"github.com/hashicorp/go-hclog"

	"github.com/sagasu-search/sagasu/sdk/x/guard"
)

// A start that panics is an error of those who wait for it, and leaves nothing behind.
func TestAStartThatPanicsFails(t *testing.T) {
	o := options(t, "one", "broken")
	bundled := o.Bundled
	o.Bundled = func(names ...string) []string {
		if names[0] == "broken" {
			panic("a broken entry")
		}
		return bundled(names...)
	}
	h, snap := start(t, o)
	described, failures := h.Strategies(t.Context())
	if len(described) != 1 || len(failures) != 1 || failures[0].Name != "broken" {
		t.Fatalf("%v, %v", described, failures)
	}
	if _, panicked := errors.AsType[*guard.PanicError](failures[0].Err); !panicked {
		t.Errorf("%v", failures[0].Err)
	}
	if _, err := h.Search(t.Context(), "broken", request(snap, "find")); err == nil {
		t.Error("it was searched")
	}
	if _, err := h.Search(t.Context(), "one", request(snap, "find")); err != nil {
		t.Error(err)
	}
}

// Work in the background that panics stands in the log, and the host ends as usual.
func TestBackgroundWorkThatPanicsIsLogged(t *testing.T) {
	var log bytes.Buffer
	o := options(t, "one")
	o.Logger = hclog.New(&hclog.LoggerOptions{Output: &log, Level: hclog.Debug})
	h, _ := start(t, o)
	h.background(func() { panic("a broken sweep") })
	must(t, h.Close())
	if said := log.String(); !strings.Contains(said, "a broken sweep") || !strings.Contains(said, "panic_test.go") {
		t.Errorf("logged %s", said)
	}
}
