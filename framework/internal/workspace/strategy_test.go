package workspace_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestConfigurationOfAStrategy(t *testing.T) {
	b := newBench(t)
	b.user("[strategies.x.config]\na = 1\nb = \"user\"\n[strategies.x.config.nested]\nlist = [1, 2]")
	guest := b.guest("[strategies.x]\nconfig.b = \"guest\"")
	w := b.mustLoad()
	want := map[string]any{"a": int64(1), "b": "guest", "nested": map[string]any{"list": []any{int64(1), int64(2)}}}
	if diff := cmp.Diff(want, w.Strategies["x"].Config); diff != "" {
		t.Error(diff)
	}
	for key, stranger := range map[string]bool{"a": false, "b": true, "nested": false} {
		origin, got := w.ConfigOrigin("x", key)
		if got != stranger || strings.HasPrefix(origin, guest) != stranger {
			t.Errorf("%s comes from %q, a stranger's: %v", key, origin, got)
		}
	}
	b.guest("[strategies.x]\nconfig = 3")
	if _, err := b.load(); err == nil || !strings.Contains(err.Error(), ":2: strategies.x.config is 3: it must be a table") {
		t.Errorf("got %v", err)
	}
}
