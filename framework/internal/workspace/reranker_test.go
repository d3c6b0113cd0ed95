package workspace

import "testing"

func TestReranker(t *testing.T) {
	for _, c := range []struct {
		name, guest, enabled, weight string
		on                           bool
		want                         float64
	}{
		{"default", "", "", "", true, 0.4},
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
			if *s.Enabled != c.on || *s.Weight != c.want || w.LateRerankEnabled != c.on || w.LateRerankWeight != c.want {
				t.Errorf("%v %v, shown as %v %v", *s.Enabled, *s.Weight, w.LateRerankEnabled, w.LateRerankWeight)
			}
		})
	}
}
