package cli

import (
	"fmt"
	"io"
	"strconv"

	"github.com/spf13/cobra"

	"github.com/sagasu-search/sagasu/framework/internal/corpus"
	"github.com/sagasu-search/sagasu/framework/internal/manuals"
	"github.com/sagasu-search/sagasu/framework/internal/rootfs"
	"github.com/sagasu-search/sagasu/framework/internal/toolset"
)

func lsCommand(prog *program) *cobra.Command {
	c := &cobra.Command{
		Use:   "ls [ID]",
		Short: "List manuals, or what a manual or folder holds",
		Example: `  sagasu ls --workspace testdata/workspace
  sagasu ls aoba-nas --workspace testdata/workspace`,
		Args:              takes(0, 1),
		ValidArgsFunction: completeManual(prog),
	}
	return typedCommand(prog, c, (*manuals.Module).Ls, func(args []string) (manuals.LsArgs, error) {
		in := toolset.Defaults[manuals.LsArgs]()
		if len(args) > 0 {
			in.ID = args[0]
		}
		return in, nil
	}, func(w io.Writer, listing *manuals.Listing) {
		if len(listing.Items) == 0 {
			fmt.Fprintln(c.ErrOrStderr(), "nothing there; sagasu doctor says what the workspace lacks")
		}
		for _, item := range listing.Items {
			fmt.Fprintf(w, "%-4s  %-32s  %s\n", item.Kind, plain(item.Name), plain(item.ID))
		}
	})
}

func tocCommand(prog *program) *cobra.Command {
	var prefix string
	c := &cobra.Command{
		Use:     "toc MANUAL",
		Short:   "Print a manual's table of contents",
		Example: `  sagasu toc aoba-nas --workspace testdata/workspace`,
		Args:    exactly(1),
	}
	c.Flags().StringVar(&prefix, "path-prefix", "", "only files whose path starts with `PREFIX`")
	c.ValidArgsFunction = completeManual(prog)
	return typedCommand(prog, c, (*manuals.Module).Toc, func(args []string) (manuals.TocArgs, error) {
		return manuals.TocArgs{ManualID: corpus.ManualID(args[0]), PathPrefix: rootfs.Prefix(prefix)}, nil
	}, printToc)
}

func readCommand(prog *program) *cobra.Command {
	var line int
	var scope string
	c := &cobra.Command{
		Use:   "read MANUAL PATH | MANUAL/PATH[:LINE]",
		Short: "Print a section, or a JSON file",
		Long:  `read prints what a reference points at: one as find prints it, or a manual and a path.`,
		Example: `  sagasu read aoba-nas/06-disk-raid.md:12 --workspace testdata/workspace
  sagasu read aoba-nas 06-disk-raid.md --line 12 --scope snippet --workspace testdata/workspace`,
		Args:              takes(1, 2),
		ValidArgsFunction: completeManual(prog),
	}
	c.Flags().IntVar(&line, "line", 0, "a line of the section; the first section when not given")
	c.Flags().StringVar(&scope, "scope", "", "snippet, section, sections or file")
	completeFlag(c, "scope", oneOf(manuals.ScopeSnippet, manuals.ScopeSection, manuals.ScopeSections,
		manuals.ScopeFile))
	return typedCommand(prog, c, (*manuals.Module).Read, func(args []string) (manuals.ReadArgs, error) {
		at, err := positionOf(args)
		if c.Flags().Changed("line") {
			at.line = &line
		}
		ref := manuals.Ref{ManualID: at.manual, Path: at.path, StartLine: at.line}
		return manuals.ReadArgs{Ref: ref, Scope: scope}, err
	}, func(w io.Writer, r *manuals.Reading) {
		fmt.Fprintln(w, r.Text)
		if r.Truncated {
			fmt.Fprintln(w, styleFor(w).faint("… cut; go on with sagasu scan"))
		}
	})
}

func scanCommand(prog *program) *cobra.Command {
	var line, offset int
	c := &cobra.Command{
		Use:     "scan MANUAL PATH | MANUAL/PATH[:LINE]",
		Short:   "Print a file piece by piece",
		Long:    `scan prints one piece of a file and, on standard error, the call for the next.`,
		Example: `  sagasu scan aoba-nas 06-disk-raid.md --workspace testdata/workspace`,
		Args:    takes(1, 2),

		ValidArgsFunction: completeManual(prog),
	}
	c.Flags().IntVar(&line, "line", 0, "the line to start at")
	c.Flags().IntVar(&offset, "offset", 0, "the code point to start at, from a previous piece")
	return typedCommand(prog, c, (*manuals.Module).Scan, func(args []string) (manuals.ScanArgs, error) {
		at, err := positionOf(args)
		if c.Flags().Changed("line") {
			at.line = &line
		}
		in := manuals.ScanArgs{ManualID: at.manual, Path: at.path, StartLine: at.line}
		if c.Flags().Changed("offset") {
			in.Cursor.CharOffset = &offset
		}
		return in, err
	}, func(w io.Writer, s *manuals.Scan) {
		fmt.Fprint(w, s.Text)
		if next := s.NextCursor.CharOffset; next != nil {
			fmt.Fprintln(c.ErrOrStderr(), "next: --offset "+strconv.Itoa(*next))
		}
	})
}

func printToc(w io.Writer, toc *manuals.Toc) {
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
	for _, x := range toc.Skipped {
		fmt.Fprintf(w, "skipped %s: %s\n", plain(x.Path), plain(x.Reason))
	}
	if toc.NextOffset != nil {
		fmt.Fprintf(w, "%d files in all\n", toc.Total)
	}
}

func exceptsCommand(prog *program) *cobra.Command {
	var line, offset, limit int
	c := &cobra.Command{
		Use:   "excepts MANUAL [PATH]",
		Short: "List the lines that hold words of exception or warning",
		Example: `  sagasu excepts ienomori-yakkan --workspace testdata/workspace
  sagasu excepts ienomori-yakkan 03-menseki.md --line 3 --workspace testdata/workspace`,
		Args:              takes(1, 2),
		ValidArgsFunction: completeManual(prog),
	}
	f := c.Flags()
	f.IntVar(&line, "line", 0, "a line of the only section to look at")
	f.IntVar(&offset, "offset", 0, "lines to leave out")
	f.IntVar(&limit, "limit", 50, "lines to print")
	return typedCommand(prog, c, (*manuals.Module).Excepts, func(args []string) (manuals.ExceptsArgs, error) {
		in := manuals.ExceptsArgs{ManualID: corpus.ManualID(args[0]), Offset: offset, Limit: limit}
		if len(args) == 2 {
			in.Path = rootfs.Path(args[1])
		}
		if c.Flags().Changed("line") {
			in.StartLine = &line
		}
		return in, nil
	}, printExcepts)
}

func printExcepts(w io.Writer, e *manuals.Excepts) {
	s := styleFor(w)
	for _, x := range e.Items {
		fmt.Fprintf(w, "%s  %s  %s\n", s.line(x.Path, x.Line), s.faint(x.Term), plain(x.Snippet))
	}
	fmt.Fprintf(w, "%d of %d\n", len(e.Items), e.Total)
}
