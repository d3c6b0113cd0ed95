package cli

import (
	"bufio"
	"cmp"
	"context"
	"fmt"
	"io"
	"path"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/sagasu-search/sagasu/framework/internal/host"
	"github.com/sagasu-search/sagasu/framework/internal/manuals"
	"github.com/sagasu-search/sagasu/framework/internal/search"
)

// mostLines is how many lines one page of a list of all holds.
const mostLines = 1000

// snippetLength is about how many code points of a section are shown.
const snippetLength = 240

func findCommand(prog *program) *cobra.Command {
	c := &cobra.Command{
		Use:   "find QUERY...",
		Short: "Search the manuals",
		Long: `find asks a question in plain words and prints the sections that answer it best, each
with the sentences that do. --all prints one line of every section that matched instead, the
likely ones first. --explain adds scores, signals and times. To list every line that holds a
text, use sagasu search.`,
		Example: `  sagasu find "保証の対象外" --workspace testdata/workspace
  sagasu find "exit code 3" --manual tsumugi-cli --explain --workspace testdata/workspace
  sagasu find "すべての保証の対象外" --all --workspace testdata/workspace
  sagasu find "\"read only\" -beta" --json`,
	}
	var all bool
	page := bind[manuals.HitsArgs](c, placed("trace_id"), "limit,n:10 explain")
	find := func(m *manuals.Module, ctx context.Context, in manuals.FindArgs) (*found, error) {
		rows, err := page([]string{"of the search"})
		if err != nil {
			return nil, err
		}
		answer, err := m.Find(ctx, in)
		if err != nil {
			return nil, err
		}
		r := &found{Answer: answer, explain: rows.Explain, times: m.Strategies(), repeat: prog.sameWorkspace()}
		if all {
			return r, r.listAll(ctx, m, rows)
		}
		return r, r.list(ctx, m, rows)
	}
	c.Flags().BoolVar(&all, "all", false, "a line of everything that matched")
	toolCommand(prog, c, joined("query"), "manual=manual_id expand-scope max-candidates=budget.max_candidates "+
		"time-ms=budget.time_ms only-unscanned=only_unscanned_from_trace_id", find, printFound)
	completeFlag(c, "manual", completeManual(prog, anyNumber))
	return c
}

// found is the machine-readable form of a search, and what is printed for a person.
type found struct {
	*search.Answer
	Items  []search.Row `json:"items"`
	Lines  []string     `json:"lines,omitempty"`  // of everything that matched, where all was asked for
	Likely int          `json:"likely,omitempty"` // so many of the lines come first

	explain  bool
	rows     []search.Row // Items with what each strategy added to them
	snippets []search.Snippet
	times    []host.Status // of the strategies
	repeat   string        // the flags that lead another command to the same workspace
}

// listAll fetches a line of every section that matched.
func (r *found) listAll(ctx context.Context, m *manuals.Module, page manuals.HitsArgs) error {
	page.TraceID, page.Kind, page.Format, page.Limit = r.TraceID, "matched", "lines", mostLines
	for next := new(0); next != nil; {
		page.Offset = *next
		hits, err := m.Hits(ctx, page)
		if err != nil {
			return err
		}
		for _, line := range hits.Lines {
			r.Lines = append(r.Lines, path.Join(hits.ManualID, line))
		}
		r.Likely, next = hits.Likely, hits.NextOffset
	}
	return nil
}

// list fetches the first rows, with what each strategy added to them, and their snippets.
func (r *found) list(ctx context.Context, m *manuals.Module, page manuals.HitsArgs) error {
	page.Explain, page.TraceID = true, r.TraceID
	hits, err := m.Hits(ctx, page)
	if err != nil {
		return err
	}
	r.rows, r.Items = hits.Items, slices.Clone(hits.Items)
	for i := range r.Items {
		row := &r.Items[i]
		row.Ref.ManualID = cmp.Or(row.Ref.ManualID, hits.ManualID) // in both lists
		if !r.explain {
			row.Explain, row.Terms = nil, nil
		}
	}
	r.snippets, err = m.Snippets(ctx, r.TraceID, len(hits.Items), snippetLength)
	return err
}

func printFound(out io.Writer, r *found) error {
	s, w := styleFor(out), bufio.NewWriter(out)
	for i, row := range r.rows {
		fmt.Fprintf(w, "%2d. %s  %s\n", i+1, s.path(place("", row.Ref)), s.bold(plain(row.Ref.Title)))
		if text := s.snippet(r.snippets[i]); text != "" {
			fmt.Fprintf(w, "    %s\n", text)
		}
		if r.explain {
			fmt.Fprintf(w, "    %s\n", s.faint(foundBy(row)))
			printExplain(w, s, row)
		}
	}
	for i, line := range r.Lines {
		if i == r.Likely {
			fmt.Fprintln(w, s.faint("less likely:"))
		}
		printLine(w, line)
	}
	sum := r.Summary
	fmt.Fprintf(w, "%d of %d matching sections kept, %d sections in %d files searched: %s\n",
		sum.Candidates, sum.Matched, sum.ScannedNodes, sum.ScannedFiles,
		strings.ReplaceAll(sum.IntegrationStatus, "_", " "))
	for _, found := range []struct {
		n    int
		kind string
	}{{sum.ConflictCount, "conflicts"}, {sum.GapCount, "gaps"}} {
		if found.n > 0 {
			fmt.Fprintf(w, "%s: %d (sagasu hits %s --kind %s%s)\n", found.kind, found.n, r.TraceID, found.kind,
				r.repeat)
		}
	}
	if n := sum.SkippedFiles; n > 0 {
		fmt.Fprintf(w, "%d files were not searched (sagasu hits %s --kind skipped%s)\n", n, r.TraceID, r.repeat)
	}
	for _, warning := range r.Warnings {
		fmt.Fprintln(w, "warning:", warning)
	}
	fmt.Fprintln(w, s.faint("trace "+r.TraceID+" (sagasu hits "+r.TraceID+r.repeat+" lists all)"))
	if r.explain {
		printTimes(w, s, r.times)
	}
	return w.Flush()
}

// foundBy names the strategies that found a section.
func foundBy(row search.Row) string {
	var names []string
	for _, x := range row.Explain {
		if x.Rank > 0 {
			names = append(names, fmt.Sprintf("%s #%d", x.Source, x.Rank))
		}
	}
	return fmt.Sprintf("score %.3f, found by %s; signals %s",
		*row.Score, strings.Join(names, ", "), strings.Join(row.Ref.Signals, ", "))
}

// printTimes shows how long each strategy took; what it warned of stands among the
// warnings.
func printTimes(w io.Writer, s style, states []host.Status) {
	var times []string
	for _, st := range states {
		times = append(times, st.Name+" "+milliseconds(st.P50))
	}
	fmt.Fprintln(w, s.faint("times: "+strings.Join(times, ", ")))
}

func printExplain(w io.Writer, s style, row search.Row) {
	for _, x := range row.Explain {
		rank := ""
		if x.Rank > 0 {
			rank = fmt.Sprintf(" rank %d", x.Rank)
		}
		matched := ""
		if len(x.Terms) > 0 {
			matched = ", matched " + plain(strings.Join(x.Terms, ", "))
		}
		fmt.Fprintln(w, s.faint(fmt.Sprintf("      %-12s %+.3f  = weight %.2f, raw %.3f%s%s",
			x.Source, x.Amount, x.Weight, x.Raw, rank, matched)))
	}
}
