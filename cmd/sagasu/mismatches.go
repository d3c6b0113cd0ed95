package main

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/sagasu-search/sagasu/framework/corpus/repo"
	"github.com/sagasu-search/sagasu/framework/fault"
	"github.com/sagasu-search/sagasu/framework/index"
	"github.com/sagasu-search/sagasu/framework/logic"
	"github.com/sagasu-search/sagasu/framework/logic/age"
	"github.com/sagasu-search/sagasu/framework/logic/rule"
)

// contradictions is the machine-readable list of a repository's contradictions.
type contradictions struct {
	Mismatches    []contradiction `json:"mismatches"`     // of code with specifications
	SpecConflicts []contradiction `json:"spec_conflicts"` // of open changes with main specifications
	// OldestOpenDays is the greatest open_days of a mismatch, null where none is known.
	OldestOpenDays *int     `json:"oldest_open_days"`
	Files          compared `json:"files"`
	Unparsed       []string `json:"unparsed"` // unparsed:<path>
	// AgesUnknown says why no line has an age, "" where git was asked.
	AgesUnknown string `json:"ages_unknown"`
}

// compared counts the files that were held against each other.
type compared struct {
	Code        int `json:"code"`
	ChangeSpecs int `json:"change_specs"`
	MainSpecs   int `json:"main_specs"`
}

// contradiction is one of them. ID is that of the unknowns of an answer.
type contradiction struct {
	ID    string    `json:"id"`
	What  string    `json:"what"`
	Has   datedLine `json:"has"`   // the code, or the open change
	Wants datedLine `json:"wants"` // the specification that it contradicts
	// OpenDays is since when, at the longest, both lines stand as they do; null where
	// the age of one is unknown.
	OpenDays *int `json:"open_days"`
}

// datedLine is a line with its age.
type datedLine struct {
	Path string `json:"path"`
	Line int    `json:"line"`
	Name string `json:"name"`
	Text string `json:"text"`
	// Value is what a constant in Text holds, such as "MAX_BYTES = 25 MB", or "".
	Value string `json:"value"`
	// Written is when, in RFC 3339; null where that is unknown or the line is not committed.
	Written *string `json:"written"`
	AgeDays *int    `json:"age_days"` // null where unknown, 0 for a line that is not committed
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
		return contradictions{}, fault.New(fault.NotAvailable, "questions on logic are switched off (LOGIC_QA=off)")
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
		return all, fault.New(fault.NotAvailable, "there is nothing to compare: %d files are code and %d are specifications; %s",
			all.Files.Code, all.Files.ChangeSpecs+all.Files.MainSpecs, r.workspace.LogicHint(ctx))
	}
	calendar, why := openCalendar(ctx, r.workspace.LogicRoot, tree)
	all.AgesUnknown = why
	all.Mismatches = calendar.date(ctx, "mismatch", s.Code)
	all.SpecConflicts = calendar.date(ctx, "spec_conflict", s.Specs)
	for _, m := range all.Mismatches {
		if m.OpenDays != nil && (all.OldestOpenDays == nil || *m.OpenDays > *all.OldestOpenDays) {
			all.OldestOpenDays = m.OpenDays
		}
	}
	return all, ctx.Err()
}

// calendar dates lines of a repository; each file is read once.
type calendar struct {
	history *age.History // nil where there is none
	files   logic.Files
	lines   map[string][]age.Line
	now     time.Time
}

// openCalendar says why no age will be known, if so.
func openCalendar(ctx context.Context, root string, files logic.Files) (*calendar, string) {
	k := &calendar{files: files, lines: map[string][]age.Line{}, now: time.Now()}
	var err error
	if k.history, err = age.Open(ctx, root); err != nil {
		return k, err.Error()
	}
	return k, ""
}

func (k *calendar) date(ctx context.Context, id string, conflicts []rule.Conflict) []contradiction {
	all := []contradiction{}
	for _, c := range conflicts {
		one := contradiction{What: string(c.What), Has: k.line(ctx, c.Has), Wants: k.line(ctx, c.Wants)}
		if one.ID = id + ":" + c.Wants.Path + ":" + c.Has.Path; id == "spec_conflict" {
			one.ID = id + ":" + c.Has.Path + ":" + c.Wants.Path
		}
		if a, b := one.Has.AgeDays, one.Wants.AgeDays; a != nil && b != nil {
			open := min(*a, *b)
			one.OpenDays = &open
		}
		all = append(all, one)
	}
	slices.SortStableFunc(all, func(a, b contradiction) int {
		return cmp.Or(cmp.Compare(a.Has.Path, b.Has.Path), cmp.Compare(a.Has.Line, b.Has.Line),
			cmp.Compare(a.Wants.Path, b.Wants.Path), cmp.Compare(a.Wants.Line, b.Wants.Line), cmp.Compare(a.What, b.What))
	})
	return all
}

func (k *calendar) line(ctx context.Context, s rule.Side) datedLine {
	p := datedLine{Path: s.Path, Line: s.Line, Name: s.Name, Text: s.Text, Value: s.Value}
	lines := k.of(ctx, s.Path)
	if s.Line > len(lines) || !lines[s.Line-1].Known {
		return p
	}
	days := 0
	if written := lines[s.Line-1].Written; !written.IsZero() {
		at := written.Format(time.RFC3339)
		p.Written, days = &at, max(0, int(k.now.Sub(written).Hours()/24))
	}
	p.AgeDays = &days
	return p
}

// of are the ages of a file's lines; none where git does not know the file.
func (k *calendar) of(ctx context.Context, path string) []age.Line {
	if lines, ok := k.lines[path]; ok || k.history == nil {
		return lines
	}
	src, err := k.files.ReadFile(path)
	if err == nil {
		k.lines[path], err = k.history.Lines(ctx, path, string(src))
	}
	if err != nil {
		k.lines[path] = nil
	}
	return k.lines[path]
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

func printContradiction(w io.Writer, s style, has string, m contradiction) {
	fmt.Fprintln(w, s.bold(m.What))
	for _, side := range []struct {
		name string
		datedLine
	}{{has, m.Has}, {"spec", m.Wants}} {
		fmt.Fprintf(w, "  %-6s  %s%s\n          %s\n", side.name, s.path(plain(fmt.Sprintf("%s:%d", side.Path, side.Line))),
			s.faint(side.age()), plain(strings.TrimSpace(side.Text)))
		if side.Value != "" {
			fmt.Fprintf(w, "          %s\n", s.faint("where "+plain(side.Value)))
		}
	}
}

// age is when a line was written, for people; "" where that is unknown.
func (p datedLine) age() string {
	switch {
	case p.AgeDays == nil:
		return ""
	case p.Written == nil:
		return "  not committed"
	}
	return fmt.Sprintf("  %s, %d days", (*p.Written)[:len(time.DateOnly)], *p.AgeDays)
}
