package cli

import (
	"bufio"
	"fmt"
	"io"
	"strings"

	speed "github.com/sagasu-search/sagasu/framework/internal/bench"
)

// markdownBench writes a report as a table of a document.
func markdownBench(out io.Writer, r *speed.Report) error {
	w := bufio.NewWriter(out)
	where, what := circumstances(r)
	fmt.Fprintf(w, "%s\n%s\n\n| | figure | bar | |\n|---|---|---|---|\n", cell(where), cell(what))
	shown := ""
	for _, l := range r.Lines {
		if l.Part != shown {
			shown = l.Part
			fmt.Fprintf(w, "| **%s** | | | |\n", cell(l.Part))
		}
		fmt.Fprintf(w, "| %s | %s | %s | %s |\n", cell(l.Name), figure(l), barOf(l), cell(l.Note))
	}
	fmt.Fprintln(w)
	for _, left := range r.Left {
		fmt.Fprintf(w, "- not measured: %s\n", cell(left))
	}
	for _, p := range r.Peers {
		fmt.Fprintf(w, "- %s: %s\n", cell(p.Name), cell(p.About))
	}
	fmt.Fprintf(w, "- method: %s\n", cell(r.Method))
	return w.Flush()
}

// cell keeps a text within its cell.
func cell(text string) string { return strings.ReplaceAll(plain(text), "|", `\|`) }
