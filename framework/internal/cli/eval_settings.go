package cli

import (
	"fmt"
	"io"
	"strings"

	"github.com/sagasu-search/sagasu/framework/internal/eval"
)

// writeSettings writes what tuning chose as sagasu.toml takes it, with the
// figures as comments. What is no setting of a workspace is a comment too.
func writeSettings(w io.Writer, r *eval.Report) error {
	t := r.Tuning
	var b strings.Builder
	fmt.Fprintf(&b, "# Tuned on %d queries, %d settings measured. nDCG@%d: present settings %.4f,\n", t.Queries, t.Runs, r.K, t.Present)
	fmt.Fprintf(&b, "# found %.4f in training and %.4f held out, gain %s.\n", t.Training, t.HeldOut, t.Gain)
	fmt.Fprintf(&b, "# %s.\n", t.Verdict())
	if !t.Adopted {
		if len(t.Found) > 0 {
			fmt.Fprintf(&b, "# Found, not recommended: %s\n", t.Found)
		}
		_, err := io.WriteString(w, b.String())
		return err
	}
	chosen := t.Chosen()
	for _, name := range sortedKeys(chosen) {
		switch {
		case name == coverageWeight:
			fmt.Fprintf(&b, "sparse_query_coverage_weight = %v\n", chosen[name])
		case !strings.HasSuffix(name, weightSuffix):
			fmt.Fprintf(&b, "# %s = %v (not a setting of a workspace)\n", name, chosen[name])
		}
	}
	for _, name := range sortedKeys(chosen) {
		if strategy, ok := strings.CutSuffix(name, weightSuffix); ok {
			fmt.Fprintf(&b, "\n[strategies.%s]\nweight = %v\n", strategy, chosen[name])
		}
	}
	_, err := io.WriteString(w, b.String())
	return err
}
