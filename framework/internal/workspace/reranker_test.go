package workspace_test

import (
	"testing"

	"github.com/sagasu-search/sagasu/framework/internal/search"
	"github.com/sagasu-search/sagasu/framework/internal/workspace"
)

func TestReranker(t *testing.T) {
	for _, c := range []struct {
		name, guest, enabled, weight string
		on                           bool
		want                         float64
	}{
		{"default", "", "", "", true, 0.45},
		{"names", "", "false", "0.7", false, 0.7},
		{"table", "[strategies.laterank]\nenabled = false\nweight = 0.2", "", "", false, 0.2},
		{"names outrank the table", "[strategies.laterank]\nenabled = false\nweight = 0.2", "true", "0.7", true, 0.7},
	} {
		t.Run(c.name, func(t *testing.T) {
			b := newBench(t)
			b.guest(c.guest)
			b.env["LATE_RERANK_ENABLED"], b.env["LATE_RERANK_WEIGHT"] = c.enabled, c.weight
			w := b.mustLoad()
			s := w.Strategies["laterank"]
			shown := workspace.Of[search.Rerankers](w)
			if *s.Enabled != c.on || *s.Weight != c.want || shown.Enabled != c.on || shown.Weight != c.want {
				t.Errorf("%v %v, shown as %v %v", *s.Enabled, *s.Weight, shown.Enabled, shown.Weight)
			}
			for setting, key := range map[string]string{"LATE_RERANK_ENABLED": "enabled", "LATE_RERANK_WEIGHT": "weight"} {
				if a, b := w.Origin(setting), w.Origin("strategies.laterank."+key); a == "" || a != b {
					t.Errorf("%s comes from %q, strategies.laterank.%s from %q", setting, a, key, b)
				}
			}
		})
	}
}
