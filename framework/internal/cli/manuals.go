package cli

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"github.com/sagasu-search/sagasu/framework/internal/corpus"
	"github.com/sagasu-search/sagasu/framework/internal/manuals"
)

func lsCommand(prog *program) *cobra.Command {
	c := &cobra.Command{
		Use:   "ls [ID | MANUAL/FOLDER]",
		Short: "List manuals, or what a manual or folder holds",
		Example: `  sagasu ls --workspace testdata/workspace
  sagasu ls aoba-nas --workspace testdata/workspace`,
		ValidArgsFunction: completePlace(prog, 1),
	}
	return toolCommand(prog, c, placed("id"), "", (*manuals.Module).Ls, func(w io.Writer, r *manuals.Listing) error {
		if len(r.Items) == 0 {
			fmt.Fprintln(c.ErrOrStderr(), "nothing there; sagasu doctor says what the workspace lacks")
		}
		t := table{w: w}
		for _, item := range r.Items {
			remark := item.Skipped
			if remark != "" && !corpus.Partial(remark) {
				remark = "skipped: " + remark
			}
			t.row(item.Kind, item.Name, item.ID, strings.TrimPrefix(item.Encoding+"  "+remark, "  "))
		}
		return t.end()
	})
}

func tocCommand(prog *program) *cobra.Command {
	return toolCommand(prog, &cobra.Command{
		Use:               "toc MANUAL",
		Short:             "Print a manual's table of contents",
		Example:           `  sagasu toc aoba-nas --workspace testdata/workspace`,
		ValidArgsFunction: completeManual(prog, 1),
	}, placed("manual_id"), "path-prefix offset limit", (*manuals.Module).Toc, printToc)
}

func readCommand(prog *program) *cobra.Command {
	c := &cobra.Command{
		Use:   "read MANUAL PATH... | MANUAL/PATH[:LINE]...",
		Short: "Print sections, or JSON files",
		Long: `read prints what references point at: those that find prints, or a manual and
paths in it. Of one reference, --offset goes on where the text was cut.`,
		Example: `  sagasu read aoba-nas/06-disk-raid.md:12 --workspace testdata/workspace
  sagasu read aoba-nas/06-disk-raid.md:12 aoba-nas/12-hosho.md:3 --max-tokens 800 --workspace testdata/workspace
  sagasu read aoba-nas 06-disk-raid.md --line 12 --scope snippet --workspace testdata/workspace`,
		ValidArgsFunction: completePlace(prog, anyNumber),
	}
	return toolCommand(prog, c, positions,
		"line=ref.start_line scope max-chars max-tokens line-numbers offset=cursor.char_offset",
		(*manuals.Module).Read, func(w io.Writer, r *manuals.Reading) error {
			s := styleFor(w)
			if r.Items != nil {
				return printItems(w, c.ErrOrStderr(), r)
			}
			fmt.Fprintln(w, r.Text)
			if where := at(r.Source); where != "" {
				fmt.Fprintln(w, s.faint("from "+plain(r.Source.Path)+where))
			}
			if next := r.NextCursor; next != nil {
				fmt.Fprintln(w, s.faint(fmt.Sprintf("… cut; go on with --offset %d", *next.CharOffset)))
			}
			return nil
		})
}

// printItems prints each text below its place. If a place cannot be read, it prints the others and then fails.
func printItems(w, failures io.Writer, r *manuals.Reading) error {
	s, failed := styleFor(w), false
	for _, item := range r.Items {
		place := plain(item.ManualID + "/" + item.Path)
		switch {
		case item.Error != nil:
			fmt.Fprintf(failures, "%s: %s\n", place, plain(item.Error.Message))
			failed = true
		case item.ContainedIn == nil:
			line := s.line(place, item.AppliedRange.StartLine)
			fmt.Fprintf(w, "%s%s\n%s\n", line, s.faint(at(item.Source)), item.Text)
		}
	}
	if r.Truncated {
		fmt.Fprintln(w, s.faint(fmt.Sprintf("… cut in reference %d; read the rest of it alone", r.NextCursor.Index+1)))
	}
	return reportedIf(failed)
}

func scanCommand(prog *program) *cobra.Command {
	c := &cobra.Command{
		Use:               "scan MANUAL PATH | MANUAL/PATH[:LINE]",
		Short:             "Print a file piece by piece",
		Long:              `scan prints one piece of a file and, on standard error, the call for the next.`,
		Example:           `  sagasu scan aoba-nas 06-disk-raid.md --workspace testdata/workspace`,
		ValidArgsFunction: completePlace(prog, 2),
	}
	return toolCommand(prog, c, position(""), "line=start_line offset=cursor.char_offset", (*manuals.Module).Scan,
		func(w io.Writer, r *manuals.Scan) error {
			fmt.Fprint(w, r.Text)
			if next := r.NextCursor.CharOffset; next != nil {
				fmt.Fprintf(c.ErrOrStderr(), "next: --offset %d\n", *next)
			}
			return nil
		})
}

func printToc(w io.Writer, toc *manuals.Toc) error {
	s := styleFor(w)
	for _, item := range toc.Items {
		file, ok := item.(manuals.TocFile)
		if !ok {
			continue
		}
		fmt.Fprint(w, s.path(plain(file.Path)))
		if file.Title != "" {
			fmt.Fprintf(w, "  %s", plain(file.Title))
		}
		fmt.Fprintln(w)
		for _, h := range file.Headings {
			fmt.Fprintf(w, "%6d  %s\n", h.LineStart, plain(h.Title))
		}
	}
	printSkipped(w, toc.Skipped)
	if toc.NextOffset != nil {
		fmt.Fprintf(w, "%d files in all; go on with --offset %d\n", toc.Total, *toc.NextOffset)
	}
	return nil
}

func exceptsCommand(prog *program) *cobra.Command {
	return toolCommand(prog, &cobra.Command{
		Use:   "excepts MANUAL [PATH]",
		Short: "List the lines that hold words of exception or warning",
		Example: `  sagasu excepts ienomori-yakkan --workspace testdata/workspace
  sagasu excepts ienomori-yakkan 03-menseki.md --line 3 --workspace testdata/workspace`,
		ValidArgsFunction: completePlace(prog, 2),
	}, placed("manual_id", "path"), "line=start_line offset limit", (*manuals.Module).Excepts,
		func(w io.Writer, r *manuals.Excepts) error {
			s := styleFor(w)
			for _, x := range r.Items {
				fmt.Fprintf(w, "%s  %s  %s\n", s.line(x.Path, x.Line), s.faint(x.Term), plain(x.Snippet))
			}
			fmt.Fprintf(w, "%d of %d\n", len(r.Items), r.Total)
			return nil
		})
}

func searchCommand(prog *program) *cobra.Command {
	c := &cobra.Command{
		Use:   "search TEXT",
		Short: "List the lines of the manuals that hold a text",
		Long: `search lists lines as grep does: all that hold TEXT letter for letter, in the order of
manuals, paths and lines. It ends with 1 when there is none. To ask a question, use
sagasu find.`,
		Example: `  sagasu search E-1063 --workspace testdata/workspace
  sagasu search raid1 --loose -C 1 --workspace testdata/workspace
  sagasu search 'W-20\d\d' --regex --manual aoba-nas --glob '*.md' --workspace testdata/workspace`,
		ValidArgsFunction: cobra.NoFileCompletions,
	}
	loose := c.Flags().Bool("loose", false, "without regard to case, width and separators")
	regex := c.Flags().Bool("regex", false, "TEXT is a regular expression (RE2)")
	read := func(line []string, into arguments) error {
		into.set("query", line[0])
		switch {
		case *loose && *regex:
			return errors.New("--loose and --regex exclude each other")
		case *loose:
			into.set("mode", corpus.ModeLoose)
		case *regex:
			into.set("mode", corpus.ModeRegex)
		}
		return nil
	}
	search := func(m *manuals.Module, ctx context.Context, in manuals.SearchArgs) (*linesFound, error) {
		found, err := m.Search(ctx, in)
		if err != nil {
			return nil, err
		}
		return &linesFound{found, in}, reportedIf(found.Total == 0)
	}
	toolCommand(prog, c, read, "manual=manual_id glob context,C limit,n:1000 offset", search,
		func(w io.Writer, r *linesFound) error { return printLines(w, c.ErrOrStderr(), r) })
	completeFlag(c, "manual", completeManual(prog, anyNumber))
	return c
}

// linesFound is the machine-readable form of a search for lines, with the request.
type linesFound struct {
	*manuals.Lines
	asked manuals.SearchArgs
}

// printLines prints lines like grep. What is missing is reported on standard error.
func printLines(out, notes io.Writer, r *linesFound) error {
	match, err := corpus.NewMatcher(r.asked.Mode, r.asked.Query)
	if err != nil {
		return err
	}
	s, w := styleFor(out), bufio.NewWriter(out)
	for i, x := range r.Results {
		if i > 0 && r.asked.Context > 0 {
			fmt.Fprintln(w, "--")
		}
		first := max(1, x.Line-r.asked.Context)
		for n, text := range strings.Split(x.Text, "\n") {
			where := fmt.Sprintf("%s/%s", x.ManualID, x.Path)
			if first+n == x.Line {
				fmt.Fprintf(w, "%s%s: %s\n", s.line(where, x.Line), s.faint(at(x.Source)), s.marked(text, match))
			} else {
				fmt.Fprintf(w, "%s- %s\n", s.line(where, first+n), plain(text))
			}
		}
	}
	if err := w.Flush(); err != nil {
		return err
	}
	if n := len(r.Results); r.NextOffset != nil {
		fmt.Fprintf(notes, "%d of %d lines; go on with --offset %d\n", n, r.Total, *r.NextOffset)
	}
	if err := printWarnings(notes, r.Warnings); err != nil {
		return err
	}
	if r.TruncatedReason == "time_budget" {
		fmt.Fprintln(notes, "not every file was searched in time; give --manual or --glob")
	}
	for _, k := range r.Skipped {
		what := "not searched: "
		if corpus.Partial(k.Reason) {
			what = ""
		}
		fmt.Fprintf(notes, "%s%s: %s\n", what, plain(k.Place()), plain(k.Reason))
	}
	return nil
}

// marked returns a line with its matches coloured.
func (s style) marked(line string, match corpus.Matcher) string {
	if !s.on {
		return plain(line)
	}
	var b strings.Builder
	for line != "" {
		from, to := match(context.Background(), line)
		if from < 0 || to == from {
			break
		}
		b.WriteString(plain(line[:from]) + s.match(plain(line[from:to])))
		line = line[to:]
	}
	return b.String() + plain(line)
}

func linksCommand(prog *program) *cobra.Command {
	return toolCommand(prog, &cobra.Command{
		Use:   "links MANUAL PATH | MANUAL/PATH[#LINE]",
		Short: "List what a section points to, and what points to it",
		Long: `links lists the references of a section with what lies below it: links, numbers such as
第7条, 別表1 or section 4.2, and titles. -> leads out of it, <- into it.`,
		Example: `  sagasu links minato-runbook/02-alerts.md#20 --workspace testdata/workspace
  sagasu links aoba-nas 10-error-codes.md --direction in --workspace testdata/workspace`,
		ValidArgsFunction: completePlace(prog, 2),
	}, position("ref."), "line=ref.start_line direction limit,n offset", (*manuals.Module).Links, printLinks)
}

func printLinks(w io.Writer, r *manuals.Links) error {
	s := styleFor(w)
	for _, x := range r.Results {
		arrow := "->"
		if x.Direction == manuals.DirectionIn {
			arrow = "<-"
		}
		other := "nothing there"
		if x.Ref != nil {
			other = s.path(lineOf(*x.Ref, x.Ref.StartLine)) + s.faint(at(x.Ref.Source)) + "  " +
				s.bold(plain(x.Breadcrumb))
		}
		line := fmt.Sprintf("%s, line %d: %s", x.How, x.Line, x.Text)
		fmt.Fprintf(w, "%s %s\n     %s\n", arrow, other, s.faint(plain(line)))
	}
	_, err := fmt.Fprintf(w, "%d of %d\n", len(r.Results), r.Total)
	return err
}
