package cli

import (
	"cmp"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/sagasu-search/sagasu/framework/internal/app"
	"github.com/sagasu-search/sagasu/framework/internal/index"
	"github.com/sagasu-search/sagasu/framework/internal/logic"
	"github.com/sagasu-search/sagasu/framework/internal/logic/mismatch"
)

// listMismatches prints all contradictions of the repository and fails where code
// contradicts a specification.
func listMismatches(c *cobra.Command, a *app.App, asJSON bool) error {
	report, done := progressOf(c.ErrOrStderr(), "comparing")
	found, err := app.Module[*logic.Module](a).Mismatches(c.Context(), func(n, total int) {
		report(index.Progress{Phase: "files", Done: n, Total: total})
	})
	done()
	if err != nil {
		return err
	}
	err = printResult(c.OutOrStdout(), asJSON, found, printMismatches)
	return cmp.Or(err, reportedIf(len(found.Mismatches) > 0))
}

func printMismatches(w io.Writer, all logic.Mismatches) error {
	s := styleFor(w)
	for _, m := range all.Mismatches {
		printContradiction(w, s, "code", m)
	}
	for _, m := range all.SpecConflicts {
		printContradiction(w, s, "change", m)
	}
	for _, u := range all.Unparsed {
		fmt.Fprintln(w, "not covered:", plain(u))
	}
	if all.AgesUnknown != "" {
		fmt.Fprintln(w, "ages unknown:", plain(all.AgesUnknown))
	}
	oldest := ""
	if all.OldestOpenDays != nil {
		oldest = fmt.Sprintf("; the oldest stands for %d days", *all.OldestOpenDays)
	}
	_, err := fmt.Fprintf(w, "%d mismatches, %d conflicts of open changes; "+
		"%d files of code, %d of open changes, %d of main specifications%s\n",
		len(all.Mismatches), len(all.SpecConflicts), all.Files.Code, all.Files.ChangeSpecs, all.Files.MainSpecs, oldest)
	return err
}

func printContradiction(w io.Writer, s style, has string, m mismatch.Contradiction) {
	fmt.Fprintln(w, s.bold(m.What))
	for _, side := range []struct {
		name string
		mismatch.DatedLine
	}{{has, m.Has}, {"spec", m.Wants}} {
		fmt.Fprintf(w, "  %-6s  %s%s\n          %s\n", side.name, s.line(side.Path, side.Line),
			s.faint(ageOf(side.DatedLine)), plain(strings.TrimSpace(side.Text)))
		if side.Value != "" {
			fmt.Fprintf(w, "          %s\n", s.faint("where "+plain(side.Value)))
		}
	}
}

// ageOf is when a line was written, for people; "" where that is unknown.
func ageOf(p mismatch.DatedLine) string {
	switch {
	case p.AgeDays == nil:
		return ""
	case p.Written == nil:
		return "  not committed"
	}
	return fmt.Sprintf("  %s, %d days", (*p.Written)[:len(time.DateOnly)], *p.AgeDays)
}
