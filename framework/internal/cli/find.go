package cli

import (
	"bufio"
	"cmp"
	"context"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/sagasu-search/sagasu/framework/internal/host"
	"github.com/sagasu-search/sagasu/framework/internal/manuals"
	"github.com/sagasu-search/sagasu/framework/internal/search"
	"github.com/sagasu-search/sagasu/framework/internal/toolset"
)

// snippetLength is how many code points of a section are shown.
const snippetLength = 140

func findCommand(prog *program) *cobra.Command {
	in := toolset.Defaults[manuals.FindArgs]()
	var limit int
	var explain bool
	c := &cobra.Command{
		Use:   "find QUERY...",
		Short: "Search the manuals",
		Example: `  sagasu find "保証の対象外" --workspace testdata/workspace
  sagasu find "exit code 3" --manual tsumugi-cli --explain --workspace testdata/workspace
  sagasu find "\"read only\" -beta" --json`,
		Args: takes(1, anyNumber),
	}
	f := c.Flags()
	f.StringVar((*string)(&in.ManualID), "manual", "", "search only this `MANUAL`")
	completeFlag(c, "manual", completeManual(prog))
	f.IntVarP(&limit, "limit", "n", 10, "sections to print")
	f.BoolVar(&explain, "explain", false, "show what each strategy added to a score")
	f.BoolVar(&in.ExpandScope, "expand-scope", in.ExpandScope, "widen the search when it finds little")
	f.IntVar(&in.Budget.MaxCandidates, "max-candidates", in.Budget.MaxCandidates, "sections to keep")
	f.IntVar(&in.Budget.TimeMS, "time-ms", in.Budget.TimeMS, "time for the search in milliseconds")
	f.StringVar(&in.OnlyUnscanned, "only-unscanned", "", "search only what this `TRACE` left out")
	find := func(m *manuals.Module, ctx context.Context, in manuals.FindArgs) (*found, error) {
		return find(ctx, m, in, limit, explain)
	}
	typedCommand(prog, c, find, func(args []string) (manuals.FindArgs, error) {
		if limit < 1 || in.Budget.MaxCandidates < 1 || in.Budget.TimeMS < 1 {
			return in, fmt.Errorf("--limit, --max-candidates and --time-ms must be 1 or more")
		}
		in.Query = strings.Join(args, " ")
		return in, nil
	}, printFound)
	f.Lookup("json").Usage = "print the answer and its rows as JSON"
	return c
}

// found is the machine-readable form of a search, and what is printed for a person.
type found struct {
	*search.Answer
	Items []search.Row `json:"items"`

	explain  bool
	rows     []search.Row // Items with what each strategy added to them
	snippets []search.Snippet
	times    []host.Status // of the strategies
}

// find searches, and fetches the first rows with what each strategy added to them.
func find(ctx context.Context, m *manuals.Module, in manuals.FindArgs, limit int, explain bool) (*found, error) {
	answer, err := m.Find(ctx, in)
	if err != nil {
		return nil, err
	}
	hits, err := m.Hits(ctx, manuals.HitsArgs{TraceID: answer.TraceID, Kind: "candidates", Limit: limit, Explain: true})
	if err != nil {
		return nil, err
	}
	out := &found{
		Answer: answer, Items: slices.Clone(hits.Items), explain: explain, rows: hits.Items, times: m.Strategies(),
	}
	for i := range out.Items {
		row := &out.Items[i]
		row.Ref.ManualID = cmp.Or(row.Ref.ManualID, hits.ManualID) // in both lists
		if !explain {
			row.Explain, row.Terms = nil, nil
		}
	}
	out.snippets, err = m.Snippets(ctx, answer.TraceID, len(hits.Items), snippetLength)
	return out, err
}

func printFound(out io.Writer, r *found) {
	s, w := styleFor(out), bufio.NewWriter(out)
	defer w.Flush()
	for i, row := range r.rows {
		where := fmt.Sprintf("%s/%s:%d", row.Ref.ManualID, row.Ref.Path, row.Ref.StartLine)
		fmt.Fprintf(w, "%2d. %s  %s\n", i+1, s.path(plain(where)), s.bold(plain(row.Ref.Title)))
		if text := s.snippet(r.snippets[i]); text != "" {
			fmt.Fprintf(w, "    %s\n", text)
		}
		fmt.Fprintf(w, "    %s\n", s.faint(foundBy(row)))
		if r.explain {
			printExplain(w, s, row)
		}
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
			fmt.Fprintf(w, "%s: %d (sagasu hits %s --kind %s)\n", found.kind, found.n, r.TraceID, found.kind)
		}
	}
	for _, warning := range r.Warnings {
		fmt.Fprintln(w, "warning:", warning)
	}
	fmt.Fprintln(w, s.faint("trace "+r.TraceID+" (sagasu hits "+r.TraceID+" lists all)"))
	if r.explain {
		printTimes(w, s, r.times)
	}
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
		fmt.Fprintln(w, s.faint(fmt.Sprintf("      %-12s %+.4f  = weight %.2f, raw %.4f%s%s",
			x.Source, x.Amount, x.Weight, x.Raw, rank, matched)))
	}
}
