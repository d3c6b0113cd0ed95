package cli

import (
	"bufio"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"github.com/sagasu-search/sagasu/framework/internal/host"
	"github.com/sagasu-search/sagasu/framework/internal/search"
)

// snippetLength is how many code points of a section are shown.
const snippetLength = 140

type findOptions struct {
	manual  string
	limit   int
	explain bool
	json    bool
	request search.Request
}

func findCommand(prog *program) *cobra.Command {
	o := findOptions{request: search.Request{MaxCandidates: 200, TimeMS: 60_000}}
	c := &cobra.Command{
		Use:   "find QUERY...",
		Short: "Search the manuals",
		Example: `  sagasu find "保証の対象外" --workspace testdata/workspace
  sagasu find "exit code 3" --manual tsumugi-cli --explain --workspace testdata/workspace
  sagasu find "\"read only\" -beta" --json`,
		Args: takes(1, anyNumber),
		RunE: func(c *cobra.Command, args []string) error {
			o.request.Query, o.request.ManualID = strings.Join(args, " "), o.manual
			return runFind(c, prog, o)
		},
	}
	f := c.Flags()
	f.StringVar(&o.manual, "manual", "", "search only this `MANUAL`")
	completeFlag(c, "manual", completeManual(prog))
	f.IntVarP(&o.limit, "limit", "n", 10, "sections to print")
	f.BoolVar(&o.explain, "explain", false, "show what each strategy added to a score")
	f.BoolVar(&o.json, "json", false, "print the answer and its rows as JSON")
	f.BoolVar(&o.request.ExpandScope, "expand-scope", true, "widen the search when it finds little")
	f.IntVar(&o.request.MaxCandidates, "max-candidates", 200, "sections to keep")
	f.IntVar(&o.request.TimeMS, "time-ms", 60_000, "time for the search in milliseconds")
	f.StringVar(&o.request.OnlyUnscanned, "only-unscanned", "", "search only what this `TRACE` left out")
	return c
}

// found is the machine-readable form of a search.
type found struct {
	*search.Answer
	Items []search.Row `json:"items"`
}

func runFind(c *cobra.Command, prog *program, o findOptions) error {
	if o.limit < 1 || o.request.MaxCandidates < 1 || o.request.TimeMS < 1 {
		return usageError{fmt.Errorf("--limit, --max-candidates and --time-ms must be 1 or more")}
	}
	a, err := open(c.Context(), prog, c.ErrOrStderr())
	if err != nil {
		return err
	}
	defer a.Close()
	answer, err := a.engine.Find(c.Context(), o.request)
	if err != nil {
		return err
	}
	hits, err := a.engine.Hits(c.Context(), search.HitsRequest{TraceID: answer.TraceID, Kind: "candidates", Limit: o.limit, Explain: true})
	if err != nil {
		return err
	}
	if o.json {
		for i := range hits.Items {
			if hits.Items[i].Ref.ManualID == "" {
				hits.Items[i].Ref.ManualID = hits.ManualID
			}
			if !o.explain {
				hits.Items[i].Explain, hits.Items[i].Terms = nil, nil
			}
		}
		return printJSON(c.OutOrStdout(), found{answer, hits.Items})
	}
	snippets, err := a.engine.Snippets(c.Context(), answer.TraceID, len(hits.Items), snippetLength)
	if err != nil {
		return err
	}
	if err := printFound(c.OutOrStdout(), answer, hits, snippets, o.explain); err != nil || !o.explain {
		return err
	}
	return printTimes(c.OutOrStdout(), a.host.Status())
}

func printFound(out io.Writer, answer *search.Answer, hits *search.Hits, snippets []search.Snippet, explain bool) error {
	s, w := styleFor(out), bufio.NewWriter(out)
	for i, row := range hits.Items {
		manual := row.Ref.ManualID
		if manual == "" {
			manual = hits.ManualID
		}
		where := fmt.Sprintf("%s/%s:%d", manual, row.Ref.Path, row.Ref.StartLine)
		fmt.Fprintf(w, "%2d. %s  %s\n", i+1, s.path(plain(where)), s.bold(plain(row.Ref.Title)))
		if text := s.snippet(snippets[i]); text != "" {
			fmt.Fprintf(w, "    %s\n", text)
		}
		fmt.Fprintf(w, "    %s\n", s.faint(foundBy(row)))
		if explain {
			printExplain(w, s, row)
		}
	}
	sum := answer.Summary
	fmt.Fprintf(w, "%d of %d matching sections kept, %d sections in %d files searched: %s\n",
		sum.Candidates, sum.Matched, sum.ScannedNodes, sum.ScannedFiles, strings.ReplaceAll(sum.IntegrationStatus, "_", " "))
	for _, found := range []struct {
		n    int
		kind string
	}{{sum.ConflictCount, "conflicts"}, {sum.GapCount, "gaps"}} {
		if found.n > 0 {
			fmt.Fprintf(w, "%s: %d (sagasu hits %s --kind %s)\n", found.kind, found.n, answer.TraceID, found.kind)
		}
	}
	for _, warning := range answer.Warnings {
		fmt.Fprintln(w, "warning:", warning)
	}
	fmt.Fprintln(w, s.faint("trace "+answer.TraceID+" (sagasu hits "+answer.TraceID+" lists all)"))
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
	return fmt.Sprintf("score %.3f, found by %s; signals %s", *row.Score, strings.Join(names, ", "), strings.Join(row.Ref.Signals, ", "))
}

// printTimes shows how long each strategy took; what it warned of stands among the
// warnings.
func printTimes(w io.Writer, states []host.Status) error {
	var times []string
	for _, st := range states {
		times = append(times, st.Name+" "+milliseconds(st.P50))
	}
	_, err := fmt.Fprintln(w, styleFor(w).faint("times: "+strings.Join(times, ", ")))
	return err
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
		fmt.Fprintln(w, s.faint(fmt.Sprintf("      %-12s %+.4f  = weight %.2f, raw %.4f%s%s", x.Source, x.Contribution, x.Weight, x.Raw, rank, matched)))
	}
}
