package cli

import (
	"bufio"
	"fmt"
	"io"
	"strings"

	"github.com/sagasu-search/sagasu/framework/internal/search"
	"github.com/sagasu-search/sagasu/framework/internal/toolset"
)

// explained prints for a human reader where sections stand in a search.
type explained struct{ *search.Why }

func (e explained) print(out io.Writer) error {
	s, w := styleFor(out), bufio.NewWriter(out)
	for i := range e.Standings {
		printStanding(w, s, &e.Standings[i])
	}
	if len(e.Differences) > 0 {
		fmt.Fprintln(w, s.bold("side by side:"))
		printDifferences(w, e.Differences)
		printTerms(w, e.Standings[0].Terms, e.Standings[1].Terms)
	}
	_ = printWarnings(w, e.Warnings) // w keeps the error
	fmt.Fprintln(w, s.faint(fmt.Sprintf("trace %s: %d matched, %d ranked, %d kept, %d shown",
		e.TraceID, e.Matched, e.Ranked, e.Kept, e.Shown)))
	return w.Flush()
}

func printStanding(w io.Writer, s style, at *search.Standing) {
	fmt.Fprintf(w, "%s  %s\n", s.path(place("", &at.Ref)), s.bold(plain(at.Ref.Title)))
	if at.Sections > 0 {
		fmt.Fprintf(w, "  the furthest of %d sections of the file\n", at.Sections)
	}
	fmt.Fprintf(w, "%s: %s\n", s.bold(strings.ReplaceAll(string(at.Stage), "_", " ")), plain(at.Sentence))
	printTerms(w, at.Terms)
	for _, l := range at.Lists {
		if l.Of > 0 {
			printPlaceInList(w, s, l)
		}
	}
	printContributions(w, s, at.Contributions)
	if last := at.LastShown; last != nil {
		fmt.Fprintf(w, "beside the last one shown, rank %d, %s:\n", last.Rank, s.path(place("", &last.Ref)))
		printDifferences(w, last.Differences)
	}
}

// printTerms shows which terms each of several sections holds.
func printTerms(w io.Writer, sections ...[]search.TermUse) {
	for i, t := range sections[0] {
		var held []string
		for _, terms := range sections {
			held = append(held, map[bool]string{true: "held", false: "lacking"}[terms[i].Held])
		}
		fmt.Fprintf(w, "  %s %s: %s, in %s", t.Kind, plain(t.Text), strings.Join(held, " / "),
			toolset.Counted(t.Sections, "section"))
		if t.Meant != "" {
			fmt.Fprintf(w, ", taken for %s", plain(t.Meant))
		}
		fmt.Fprintln(w)
	}
}

func printPlaceInList(w io.Writer, s style, l search.Listed) {
	at := "not in its list"
	if l.Rank > 0 {
		at = fmt.Sprintf("rank %d, raw %.3f", l.Rank, l.Raw)
	}
	fmt.Fprintln(w, s.faint(fmt.Sprintf("      %-12s %s; its list: %d of at most %d, raw %.3f to %.3f",
		l.Strategy, at, l.Of, l.Limit, l.Best, l.Last)))
}

func printDifferences(w io.Writer, all []search.Difference) {
	for _, d := range all {
		fmt.Fprintf(w, "      %-12s %+.3f / %+.3f  %+.3f\n", d.Source, d.A, d.B, d.A-d.B)
	}
}
