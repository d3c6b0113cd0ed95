package cli

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/sagasu-search/sagasu/framework/internal/fusion"
	"github.com/sagasu-search/sagasu/framework/internal/host"
	"github.com/sagasu-search/sagasu/framework/internal/manuals"
	"github.com/sagasu-search/sagasu/framework/internal/search"
	"github.com/sagasu-search/sagasu/framework/internal/toolset"
)

// mostLines is the maximum number of lines on one page of a complete list.
const mostLines = 1000

// snippetLength is the approximate number of code points shown of a section.
const snippetLength = 240

func findCommand(prog *program) *cobra.Command {
	c := &cobra.Command{
		Use:   "find QUERY...",
		Short: "Search the manuals",
		Long: `find asks a question in plain words and prints the sections that answer it best, each
with the sentences that do. --all lists every section that matched instead, or the first -n,
the likely ones first, each with its best sentences. --only-unscanned TRACE searches what that
search had no time for. --explain adds scores, signals and times. To list every line that holds
a text, use sagasu search.

--why-not says where a section stands in the search, or at which stage it fell out and by how
much. The section is PATH#LLINE or a heading; a PATH stands for its section that came furthest.
Given twice, it sets two sections side by side. -n is how many hits count as shown.`,
		Example: `  sagasu find "保証の対象外" --workspace testdata/workspace
  sagasu find "exit code 3" --manual tsumugi-cli --explain --workspace testdata/workspace
  sagasu find "すべての保証の対象外" --all --workspace testdata/workspace
  sagasu find "\"read only\" -beta" --json
  sagasu find "exit code 3" --why-not tsumugi-cli/04-configuration.md --workspace testdata/workspace
  sagasu find "保証の対象外" --why-not 12-hosho.md#L19 --why-not 保証の対象外 --workspace testdata/workspace`,
	}
	var all bool
	var whyNot []string
	page := bind[manuals.HitsArgs](c, placed("trace_id"), "limit,n:10 explain")
	find := func(m *manuals.Module, ctx context.Context, in manuals.FindArgs) (printable, error) {
		rows, err := page([]string{"of the search"})
		if err != nil {
			return nil, err
		}
		if all && len(whyNot) > 0 {
			return nil, usageError{errors.New("--all and --why-not exclude each other")}
		}
		if len(whyNot) > 0 {
			why, err := m.Why(ctx, manuals.WhyArgs{FindArgs: in, Sections: whyNot, Shown: rows.Limit})
			return explained{why}, err
		}
		answer, err := m.Find(ctx, in)
		if err != nil {
			return nil, err
		}
		r := &found{Answer: answer, explain: rows.Explain, times: m.Strategies(), repeat: prog.sameWorkspace()}
		if all {
			most := math.MaxInt
			if c.Flags().Changed("limit") {
				most = rows.Limit
			}
			return r, r.listAll(ctx, m, rows, most)
		}
		return r, r.list(ctx, m, rows)
	}
	c.Flags().BoolVar(&all, "all", false, "list every section that matched")
	c.Flags().StringArrayVar(&whyNot, "why-not", nil, "say why PATH, PATH#LLINE or HEADING is not among the hits")
	toolCommand(prog.searching(), c, joined("query"), "manual=manual_id expand-scope "+
		"max-candidates=budget.max_candidates time-ms=budget.time_ms only-unscanned=only_unscanned_from_trace_id", find,
		func(w io.Writer, r printable) error { return r.print(w) })
	completeFlag(c, "manual", completeManual(prog, anyNumber))
	return c
}

// printable is a result that can be printed for a human reader.
type printable interface{ print(w io.Writer) error }

// found is the machine-readable form of a search, and what is printed for a human reader.
type found struct {
	*search.Answer
	Items  []search.Row `json:"items"`
	Lines  []string     `json:"lines,omitempty"`  // of everything that matched, if requested
	Likely int          `json:"likely,omitempty"` // number of lines, from the first, that are likely

	explain  bool
	rows     []search.Row // Items, with the contribution of each strategy
	snippets []search.Snippet
	times    []host.Status // of the strategies
	repeat   string        // flags with which another command works on the same workspace
}

// listAll fetches the lines of the matched sections, for at most most sections.
func (r *found) listAll(ctx context.Context, m *manuals.Module, page manuals.HitsArgs, most int) error {
	page.TraceID, page.Kind, page.Format = r.TraceID, "matched", "lines"
	for next := new(0); next != nil && len(r.Lines) < most; {
		page.Offset, page.Limit = *next, min(mostLines, most-len(r.Lines))
		hits, err := m.Hits(ctx, page)
		if err != nil {
			return err
		}
		for _, line := range hits.Lines {
			r.Lines = append(r.Lines, lineIn(hits.ManualID, line))
		}
		r.Likely, next = hits.Likely, hits.NextOffset
	}
	return nil
}

// list fetches the first rows, with the contribution of each strategy and their snippets.
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

// followUps say what a person can do about each reason why a search is not ready. Conflicts and gaps have lines of
// their own.
var followUps = map[string]string{
	"nothing_answers":  "no single sentence surely answers; read the sections",
	"candidate_cap":    "more sections match than are ranked; --all lists them",
	"asks_for_all":     "--all lists everything that matched",
	"time_budget":      "the time ran out; --strategy-time-ms and --time-ms give more",
	"strategy_missing": "a strategy failed or was late; sagasu doctor says why",
}

// at returns a place in a document as lists show it, or "" for none.
func at(place *toolset.Source) string {
	if text := plain(place.String()); text != "" {
		return " (" + text + ")"
	}
	return ""
}

func (r *found) print(out io.Writer) error {
	s, w := styleFor(out), bufio.NewWriter(out)
	r.printHits(w, s)
	for i, line := range r.Lines {
		if i == r.Likely {
			fmt.Fprintln(w, s.faint("less likely:"))
		}
		printLine(w, line)
	}
	r.printSummary(w)
	_ = printWarnings(w, r.Warnings) // w keeps the error
	more := " lists more"
	if r.Lines != nil {
		more = " ranks them"
	}
	fmt.Fprintln(w, s.faint("trace "+r.TraceID+" (sagasu hits "+r.TraceID+r.repeat+more+")"))
	if r.explain {
		printTimes(w, s, r.times)
	}
	return w.Flush()
}

// printHits prints the first rows, each with its snippet.
func (r *found) printHits(w io.Writer, s style) {
	shown := map[string]int{} // by text: the first row that shows it
	for i, row := range r.rows {
		fmt.Fprintf(w, "%2d. %s%s  %s\n", i+1, s.path(place("", row.Ref)), s.faint(at(row.Ref.Source)),
			s.bold(plain(cmp.Or(row.Breadcrumb, row.Ref.Title))))
		switch text := s.snippet(r.snippets[i]); {
		case shown[text] > 0:
			fmt.Fprintf(w, "    %s\n", s.faint(fmt.Sprintf("the same text as %d", shown[text])))
		case text != "":
			shown[text] = i + 1
			fmt.Fprintf(w, "    %s\n", text)
		}
		if r.explain {
			fmt.Fprintf(w, "    %s\n", s.faint(foundBy(row)))
			printContributions(w, s, row.Explain)
		}
	}
}

// printSummary prints the counts of the search, its status, and what to do about it.
func (r *found) printSummary(w io.Writer) {
	sum := r.Summary
	matched, looked := strconv.Itoa(sum.Matched), "searched"
	if sum.AtLeast { // of a collection
		matched, looked = "at least "+matched, "gathered"
	}
	listed := fmt.Sprintf("%d of %s matching sections ranked", sum.Candidates, matched)
	if r.Lines != nil {
		listed = fmt.Sprintf("%d of %s matching sections listed", len(r.Lines), matched)
	}
	fmt.Fprintf(w, "%s, %s in %s %s: %s\n", listed, toolset.Counted(sum.ScannedNodes, "section"),
		toolset.Counted(sum.ScannedFiles, "file"), looked, strings.ReplaceAll(sum.IntegrationStatus, "_", " "))
	for _, reason := range sum.StatusReasons {
		if do := followUps[reason]; do != "" && r.Lines == nil && sum.Matched > 0 {
			fmt.Fprintln(w, do)
		}
	}
	if len(r.MissingTerms) > 0 {
		fmt.Fprintf(w, "no section found holds: %s\n", plain(strings.Join(r.MissingTerms, ", ")))
	}
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
		fmt.Fprintf(w, "%s not searched in full (sagasu hits %s --kind skipped%s)\n",
			toolset.Counted(n, "file"), r.TraceID, r.repeat)
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

// printTimes shows how long each strategy took. Warnings of strategies are among the other warnings.
func printTimes(w io.Writer, s style, states []host.Status) {
	var times []string
	for _, st := range states {
		times = append(times, st.Name+" "+milliseconds(st.P50))
	}
	fmt.Fprintln(w, s.faint("times: "+strings.Join(times, ", ")))
}

func printContributions(w io.Writer, s style, all []fusion.Contribution) {
	for _, x := range all {
		rank := ""
		if x.Rank > 0 {
			rank = fmt.Sprintf(" rank %d", x.Rank)
		}
		matched := ""
		if len(x.Terms) > 0 {
			matched = ", matched " + plain(strings.Join(x.Terms, ", "))
		}
		fmt.Fprintln(w, s.faint(fmt.Sprintf("      %-12s %+.3f  = %s (raw %.3f%s)%s",
			x.Source, x.Amount, factors(x), x.Raw, rank, matched)))
	}
}

// factors returns the factors of a contribution.
func factors(x fusion.Contribution) string {
	out := fmt.Sprintf("weight %.2f", x.Weight)
	if x.Confidence != 0 {
		out += fmt.Sprintf(" × confidence %.3f", x.Confidence)
	}
	if x.Lists > 1 {
		out += fmt.Sprintf(" × lists %d", x.Lists)
	}
	if x.Blend != nil {
		return out + fmt.Sprintf(" × blend (%.3f - %.3f), scaled %.3f", x.Blend.To, x.Blend.From, x.Scaled)
	}
	return out + fmt.Sprintf(" × scaled %.3f", x.Scaled)
}
