package cli

import (
	"context"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/sagasu-search/sagasu/framework/internal/index"
	"github.com/sagasu-search/sagasu/framework/internal/logic"
	"github.com/sagasu-search/sagasu/framework/internal/logic/repo"
	"github.com/sagasu-search/sagasu/framework/internal/toolset"
)

// contradictions is the machine-readable list of a repository's contradictions.
type contradictions struct {
	logic.Dated
	Files    compared `json:"files"`
	Unparsed []string `json:"unparsed"` // unparsed:<path>
}

// compared counts the files that were held against each other.
type compared struct {
	Code        int `json:"code"`
	ChangeSpecs int `json:"change_specs"`
	MainSpecs   int `json:"main_specs"`
}

// listMismatches prints all contradictions of the repository and fails where code
// contradicts a specification.
func listMismatches(c *cobra.Command, a *app, asJSON bool) error {
	found, err := a.logic.contradictions(c.Context(), c.ErrOrStderr())
	if err != nil {
		return err
	}
	if asJSON {
		err = printJSON(c.OutOrStdout(), found)
	} else {
		printMismatches(c.OutOrStdout(), found)
	}
	if err == nil && len(found.Mismatches) > 0 {
		err = errReported
	}
	return err
}

// contradictions compares all files of the repository and dates the lines.
func (r *logicRoom) contradictions(ctx context.Context, watch io.Writer) (contradictions, error) {
	if r.mode().Off {
		return contradictions{}, toolset.Errorf(toolset.NotAvailable, "questions on logic are switched off (LOGIC_QA=off)")
	}
	tree, err := r.tree()
	if err != nil {
		return contradictions{}, err
	}
	defer tree.Close()
	files, _, err := repo.Walk(ctx, r.workspace.LogicRoot, r.workspace.LogicGlobs)
	if err != nil {
		return contradictions{}, err
	}
	report, done := progressOf(watch, "comparing")
	defer done()
	s, err := logic.Survey(ctx, tree, files, func(n, total int) { report(index.Progress{Phase: "files", Done: n, Total: total}) })
	if err != nil {
		return contradictions{}, err
	}
	all := contradictions{
		Files:    compared{s.Files[repo.Code], s.Files[repo.ChangeSpec], s.Files[repo.MainSpec]},
		Unparsed: s.Unparsed,
	}
	if all.Files.Code == 0 || all.Files.ChangeSpecs+all.Files.MainSpecs == 0 {
		return all, toolset.Errorf(toolset.NotAvailable, "there is nothing to compare: %d files are code and %d are specifications; %s",
			all.Files.Code, all.Files.ChangeSpecs+all.Files.MainSpecs, r.workspace.LogicHint(ctx))
	}
	all.Dated = logic.Date(ctx, r.workspace.LogicRoot, tree, s.Mismatches)
	return all, ctx.Err()
}

func printMismatches(w io.Writer, all contradictions) {
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
	fmt.Fprintf(w, "%d mismatches, %d conflicts of open changes; %d files of code, %d of open changes, %d of main specifications%s\n",
		len(all.Mismatches), len(all.SpecConflicts), all.Files.Code, all.Files.ChangeSpecs, all.Files.MainSpecs, oldest)
}

func printContradiction(w io.Writer, s style, has string, m logic.Contradiction) {
	fmt.Fprintln(w, s.bold(m.What))
	for _, side := range []struct {
		name string
		logic.DatedLine
	}{{has, m.Has}, {"spec", m.Wants}} {
		fmt.Fprintf(w, "  %-6s  %s%s\n          %s\n", side.name, s.path(plain(fmt.Sprintf("%s:%d", side.Path, side.Line))),
			s.faint(ageOf(side.DatedLine)), plain(strings.TrimSpace(side.Text)))
		if side.Value != "" {
			fmt.Fprintf(w, "          %s\n", s.faint("where "+plain(side.Value)))
		}
	}
}

// ageOf is when a line was written, for people; "" where that is unknown.
func ageOf(p logic.DatedLine) string {
	switch {
	case p.AgeDays == nil:
		return ""
	case p.Written == nil:
		return "  not committed"
	}
	return fmt.Sprintf("  %s, %d days", (*p.Written)[:len(time.DateOnly)], *p.AgeDays)
}
