package cli

import (
	"encoding/json"
	"fmt"
	"io"
	"strconv"

	"github.com/spf13/cobra"

	"github.com/sagasu-search/sagasu/framework/internal/manuals"
)

// toolCommand is a subcommand that calls one tool: arguments turns the command
// line into the tool's arguments, show prints its result for a person.
func toolCommand(prog *program, c *cobra.Command, tool string,
	arguments func(args []string) (map[string]any, error), show func(w io.Writer, result any),
) *cobra.Command {
	var asJSON bool
	c.Flags().BoolVar(&asJSON, "json", false, "print the tool's structured result")
	c.RunE = func(c *cobra.Command, args []string) error {
		named, err := arguments(args)
		if err != nil {
			return usageError{err}
		}
		return runTool(c, prog, tool, named, asJSON, show)
	}
	return c
}

// runTool calls a tool and prints its result.
func runTool(c *cobra.Command, prog *program, tool string, named map[string]any, asJSON bool, show func(w io.Writer, result any)) error {
	raw, err := json.Marshal(named)
	if err != nil {
		return err
	}
	a, err := open(c.Context(), prog, c.ErrOrStderr())
	if err != nil {
		return err
	}
	defer a.Close()
	if asJSON {
		return callOne(c.Context(), a, c.OutOrStdout(), tool, raw)
	}
	result, failed := a.tools.Call(c.Context(), tool, raw, nil)
	if failed != nil {
		return failed
	}
	show(c.OutOrStdout(), result)
	return nil
}

func lsCommand(prog *program) *cobra.Command {
	c := &cobra.Command{
		Use:   "ls [ID]",
		Short: "List manuals, or what a manual or folder holds",
		Example: `  sagasu ls --workspace testdata/workspace
  sagasu ls aoba-nas --workspace testdata/workspace`,
		Args:              takes(0, 1),
		ValidArgsFunction: completeManual(prog),
	}
	return toolCommand(prog, c, "manual_ls", func(args []string) (map[string]any, error) {
		if len(args) == 0 {
			return map[string]any{}, nil
		}
		return map[string]any{"id": args[0]}, nil
	}, func(w io.Writer, result any) {
		listing := result.(*manuals.Listing)
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
	return toolCommand(prog, c, "manual_toc", func(args []string) (map[string]any, error) {
		named := map[string]any{"manual_id": args[0]}
		if prefix != "" {
			named["path_prefix"] = prefix
		}
		return named, nil
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
	completeFlag(c, "scope", cobra.FixedCompletions([]string{manuals.ScopeSnippet, manuals.ScopeSection, manuals.ScopeSections, manuals.ScopeFile}, cobra.ShellCompDirectiveNoFileComp))
	return toolCommand(prog, c, "manual_read", func(args []string) (map[string]any, error) {
		ref, err := position(args)
		if err != nil {
			return nil, err
		}
		if c.Flags().Changed("line") {
			ref["start_line"] = line
		}
		named := map[string]any{"ref": ref}
		if scope != "" {
			named["scope"] = scope
		}
		return named, nil
	}, func(w io.Writer, result any) {
		r := result.(*manuals.Reading)
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
	var named map[string]any
	return toolCommand(prog, c, "manual_scan", func(args []string) (map[string]any, error) {
		var err error
		if named, err = position(args); err != nil {
			return nil, err
		}
		if c.Flags().Changed("line") {
			named["start_line"] = line
		}
		if c.Flags().Changed("offset") {
			named["cursor"] = map[string]any{"char_offset": offset}
		}
		return named, nil
	}, func(w io.Writer, result any) {
		s := result.(*manuals.Scan)
		fmt.Fprint(w, s.Text)
		if next := s.NextCursor.CharOffset; next != nil {
			fmt.Fprintln(c.ErrOrStderr(), "next: --offset "+strconv.Itoa(*next))
		}
	})
}

func printToc(w io.Writer, result any) {
	s, toc := styleFor(w), result.(*manuals.Toc)
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
