package eval

import (
	"bufio"
	"fmt"
	"io"
	"maps"
	"slices"
)

// WriteText writes a report as tables for a terminal. Text of queries is quoted.
func WriteText(out io.Writer, r *Report) error {
	w := bufio.NewWriter(out)
	fmt.Fprintf(w, "%-30s %8s %8s %8s %8s %8s %10s\n", fmt.Sprintf("%d queries", r.Queries),
		fmt.Sprintf("nDCG@%d", r.K), fmt.Sprintf("MRR@%d", r.K), "hit@1", "hit@5", "hit@10", "recall@100")
	row := func(name string, m Measures) {
		fmt.Fprintf(w, "%-30.60s %8.4f %8.4f %8.4f %8.4f %8.4f %10.4f\n", name, m.NDCG, m.MRR, m.Hit1, m.Hit5, m.Hit10,
			m.Recall100)
	}
	row("by section", r.Measures)
	row("by file", r.File)
	for _, name := range slices.Sorted(maps.Keys(r.ByKind)) {
		row(fmt.Sprintf("  %s (%d)", quoted(name), r.ByKind[name].Queries), r.ByKind[name].Measures)
	}
	t := r.Tokens
	fmt.Fprintf(w, "to the first relevant section: mean %.0f, median %.0f, p95 %.0f estimated tokens; %d queries "+
		"reach none\n",
		t.Mean, t.Median, t.P95, t.Without)
	fmt.Fprintf(w, "matched sections per query: %.1f; of the relevant sections %.4f matched\n", r.Matched.PerQuery,
		r.Matched.Relevant)
	fmt.Fprintf(w, "median %.2f ms, p95 %.2f ms\n", r.P50MS, r.P95MS)
	for _, warning := range slices.Sorted(maps.Keys(r.Warnings)) {
		fmt.Fprintf(w, "warning (queries: %d): %s\n", r.Warnings[warning], quoted(warning))
	}
	writeAblation(w, r)
	writeComparison(w, r)
	writeTuning(w, r.Tuning)
	return w.Flush()
}

// quoted makes untrusted text harmless on a terminal.
func quoted(text string) string {
	q := fmt.Sprintf("%q", text)
	return q[1 : len(q)-1]
}

func writeAblation(w io.Writer, r *Report) {
	if len(r.Ablation) == 0 {
		return
	}
	fmt.Fprintf(w, "\n%-24s %8s %-29s %s %10s\n", "ablation", fmt.Sprintf("nDCG@%d", r.K), " change [95 % interval]",
		"better/worse", "recall@100")
	fmt.Fprintf(w, "%-24s %8.4f %43s %9.4f\n", "all", r.NDCG, "", r.Recall100)
	for _, e := range r.Ablation {
		name := "without " + e.Strategy
		if e.Mode == modeAlone {
			name = e.Strategy + " alone"
		}
		fmt.Fprintf(w, "%-24s %8.4f  %-28s %5d / %-5d %9.4f\n", name, e.NDCG, e.Change, e.Change.Better, e.Change.Worse,
			e.Recall100)
	}
}

// String returns the mean with its interval.
func (d Difference) String() string {
	return fmt.Sprintf("%+.4f [%+.4f, %+.4f]", d.Mean, d.Low, d.High)
}

func writeComparison(w io.Writer, r *Report) {
	c := r.Comparison
	if c == nil {
		return
	}
	fmt.Fprintf(w, "\ncompared with %s\n", quoted(c.Baseline))
	for _, f := range c.Figures {
		fmt.Fprintf(w, "  %-11s %.4f → %.4f  %-28s %d better, %d worse\n", f.Name, f.Before, f.Now, f.Change,
			f.Change.Better, f.Change.Worse)
	}
	writeChanges(w, "worst losses", c.Losses)
	writeChanges(w, "best gains", c.Gains)
}

func writeChanges(w io.Writer, title string, changes []Change) {
	if len(changes) == 0 {
		fmt.Fprintf(w, "%s: none\n", title)
		return
	}
	fmt.Fprintf(w, "%s (nDCG, rank of the first relevant section)\n", title)
	for _, c := range changes {
		fmt.Fprintf(w, "  %.4f → %.4f  %4s → %-4s  %s  %.80q\n", c.Before, c.Now, rank(c.RankBefore), rank(c.RankNow),
			quoted(c.ID), c.Query)
	}
}

// rank formats a rank; 0 means none.
func rank(n int) string {
	if n == 0 {
		return "–"
	}
	return fmt.Sprint(n)
}

func writeTuning(w io.Writer, t *Tuning) {
	if t == nil {
		return
	}
	fmt.Fprintf(w, "\ntuning: %d settings measured on %d queries, %d-fold cross-validation\n", t.Runs, t.Queries,
		len(t.Folds))
	fmt.Fprintf(w, "  present settings  %.4f\n  found, training   %.4f  %s\n", t.Present, t.Training,
		orPresent(t.Found))
	fmt.Fprintf(w, "  found, held out   %.4f  gain %s, %d better, %d worse\n", t.HeldOut, t.Gain, t.Gain.Better,
		t.Gain.Worse)
	for i, f := range t.Folds {
		fmt.Fprintf(w, "  fold %d: training %.4f → %.4f, held out %.4f → %.4f  %s\n", i+1,
			f.PresentTraining, f.Training, f.PresentHeldOut, f.HeldOut, orPresent(f.Found))
	}
	fmt.Fprintln(w, "  "+t.Verdict())
}

func orPresent(s Setting) string {
	if len(s) == 0 {
		return "(the present settings)"
	}
	return s.String()
}

// Verdict returns a sentence on whether to change the settings.
func (t *Tuning) Verdict() string {
	switch {
	case t.Adopted:
		return "the held-out gain lies above zero: use what was found"
	case len(t.Found) == 0:
		return "nothing better was found: keep the present settings"
	case t.Gain.Falls():
		return "what was found is worse on held-out queries: keep the present settings"
	}
	return "the interval of the held-out gain touches zero: keep the present settings"
}
