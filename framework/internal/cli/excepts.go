package cli

import (
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"github.com/sagasu-search/sagasu/framework/internal/manuals"
)

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
	return toolCommand(prog, c, "manual_excepts", func(args []string) (map[string]any, error) {
		named := map[string]any{"manual_id": args[0], "offset": offset, "limit": limit}
		if len(args) == 2 {
			named["path"] = args[1]
		}
		if c.Flags().Changed("line") {
			named["start_line"] = line
		}
		return named, nil
	}, func(w io.Writer, result any) { printExcepts(w, result.(*manuals.Excepts)) })
}

func printExcepts(w io.Writer, e *manuals.Excepts) {
	s := styleFor(w)
	for _, x := range e.Items {
		fmt.Fprintf(w, "%s  %s  %s\n", s.path(plain(fmt.Sprintf("%s:%d", x.Path, x.Line))), s.faint(x.Term), plain(x.Snippet))
	}
	fmt.Fprintf(w, "%d of %d\n", len(e.Items), e.Total)
}
