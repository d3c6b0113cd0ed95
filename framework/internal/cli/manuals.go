package cli

import (
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
		ValidArgsFunction: completeManual(prog, 1),
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
	}, placed("manual_id"), "path-prefix", (*manuals.Module).Toc, printToc)
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
		ValidArgsFunction: completeManual(prog, 1),
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

// printItems prints each text below the place that it stands at. A place that cannot be read makes
// the command fail when the others are printed.
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
		ValidArgsFunction: completeManual(prog, 1),
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
		fmt.Fprintln(w, s.path(plain(file.Path)))
		for _, h := range file.Headings {
			fmt.Fprintf(w, "%6d  %s\n", h.LineStart, plain(h.Title))
		}
	}
	printSkipped(w, toc.Skipped)
	if toc.NextOffset != nil {
		fmt.Fprintf(w, "%d files in all\n", toc.Total)
	}
	return nil
}

func exceptsCommand(prog *program) *cobra.Command {
	return toolCommand(prog, &cobra.Command{
		Use:   "excepts MANUAL [PATH]",
		Short: "List the lines that hold words of exception or warning",
		Example: `  sagasu excepts ienomori-yakkan --workspace testdata/workspace
  sagasu excepts ienomori-yakkan 03-menseki.md --line 3 --workspace testdata/workspace`,
		ValidArgsFunction: completeManual(prog, 1),
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
