package cli

import (
	"cmp"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"github.com/sagasu-search/sagasu/framework/internal/judge"
	"github.com/sagasu-search/sagasu/framework/internal/manuals"
	"github.com/sagasu-search/sagasu/framework/internal/search"
	"github.com/sagasu-search/sagasu/framework/internal/toolset"
)

func hitsCommand(prog *program) *cobra.Command {
	return toolCommand(prog, &cobra.Command{
		Use:   "hits TRACE",
		Short: "List what a search found",
		Long: `List what a search found, by the trace that sagasu find prints. Kinds are
candidates, matched (everything that matched, best first), integrated_top (the first
20 as they were judged), claims (sentences that may answer), evidences (sections that were
compared), edges (which evidence supports or contradicts which claim, or leads on),
conflicts, gaps, unscanned (what was not searched, and why), and skipped (files that cannot
be searched, and why). Format lines shows the best sentences of each section.`,
		Example: `  sagasu hits 3f2a91c0-0123456789abcdef --kind conflicts
  sagasu hits 3f2a91c0-0123456789abcdef --kind matched --format lines
  sagasu hits 3f2a91c0-0123456789abcdef --kind unscanned --offset 50`,
	}, placed("trace_id"), "kind format offset limit,n max-tokens explain", (*manuals.Module).Hits, printHits)
}

func printHits(w io.Writer, h *search.Hits) error {
	s := styleFor(w)
	for i, row := range h.Items {
		fmt.Fprintf(w, "%3d. ", h.Offset+i+1)
		switch {
		case row.Part != nil:
			printPart(w, s, row.Part)
		case row.Ref == nil:
			fmt.Fprintf(w, "%s: %s\n", row.Facet, plain(strings.Join(row.Missing, ", ")))
		case row.Score != nil:
			fmt.Fprintf(w, "%s  %s  %.3f\n", s.path(place(h.ManualID, row.Ref)), plain(row.Ref.Title), *row.Score)
			printContributions(w, s, row.Explain)
		default:
			fmt.Fprintf(w, "%s  %s\n", s.path(place(h.ManualID, row.Ref)), row.Reason)
		}
	}
	for _, line := range h.Lines {
		printLine(w, lineIn(h.ManualID, line))
	}
	likely := ""
	if h.Likely > 0 {
		likely = fmt.Sprintf(", the first %d likely", h.Likely)
	}
	_, err := fmt.Fprintf(w, "%d of %d%s\n", len(h.Items)+len(h.Lines), h.Total, likely)
	return err
}

// lineIn returns a line of a list with the manual that all lines share, "" for none.
func lineIn(shared, line string) string {
	if shared == "" {
		return line
	}
	return shared + "/" + line
}

// printLine prints a line of a complete list, followed by more lines of its section.
func printLine(w io.Writer, line string) {
	first, more, _ := strings.Cut(line, "\n")
	fmt.Fprintln(w, plain(first))
	for l := range strings.Lines(more) {
		fmt.Fprintln(w, "   ", plain(strings.TrimSuffix(l, "\n")))
	}
}

// printPart prints a part of the claim graph, or a skipped file.
func printPart(w io.Writer, s style, part any) {
	switch p := part.(type) {
	case toolset.Skip:
		fmt.Fprintf(w, "%s  %s\n", s.path(plain(p.Place())), plain(p.Reason))
	case judge.Claim:
		fmt.Fprintf(w, "%s %s  %s\n", p.ID, s.bold(p.Status), plain(p.Text))
		fmt.Fprintln(w, s.faint(fmt.Sprintf("     %s, confidence %.2f, stands in %s, line %d",
			p.Facet, p.Confidence, p.EvidenceID, p.Line)))
	case judge.Witness:
		fmt.Fprintf(w, "%s  %s  %.3f\n", p.ID, s.path(lineOf(p.Ref, p.Ref.StartLine)), p.Score)
	case judge.Edge:
		fmt.Fprintf(w, "%s %s %s  line %d, by line %d",
			p.From, s.bold(string(p.Relation)), p.To, p.ClaimLine, p.EvidenceLine)
		if p.Pointer != nil {
			fmt.Fprintf(w, ", which points to %s", plain(p.Pointer.Text))
		}
		if p.Target != nil {
			fmt.Fprintf(w, ": %s", s.path(lineOf(*p.Target, p.Target.StartLine)))
		}
		fmt.Fprintln(w)
	case judge.Conflict:
		fmt.Fprintf(w, "%s, on %s\n", s.bold(p.Kind), p.ClaimID)
		for _, side := range []judge.Side{p.A, p.B} {
			fmt.Fprintf(w, "     %s  %s\n", s.path(lineOf(side.Ref, side.Line)), plain(side.Text))
		}
	}
}

// lineOf names a line of a section in the form that read and scan accept.
func lineOf(of toolset.Ref, line int) string {
	return plain(fmt.Sprintf("%s/%s:%d", of.ManualID, of.Path, line))
}

// place names a section. shared is the manual that all rows share, if any.
func place(shared string, ref *search.HitRef) string {
	of := ref.Ref
	if of.ManualID = cmp.Or(of.ManualID, shared); of.Path == "" {
		return of.ManualID
	}
	return lineOf(of, of.StartLine)
}
