package main

import (
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"github.com/sagasu-search/sagasu/framework/index"
	"github.com/sagasu-search/sagasu/framework/workspace"
)

func indexCommand(flags *workspace.Flags) *cobra.Command {
	var asJSON bool
	c := &cobra.Command{
		Use:   "index",
		Short: "Build the index anew",
		Long: `index reads every manual and publishes a new snapshot. It is never needed:
a search builds and refreshes the index by itself.`,
		Example: `  sagasu index --workspace testdata/workspace`,
		Args:    exactly(0),
		RunE: func(c *cobra.Command, _ []string) error {
			a, err := open(c.Context(), flags, c.ErrOrStderr())
			if err != nil {
				return err
			}
			defer a.Close()
			report, err := a.buildIndex(c.Context())
			if err != nil {
				return err
			}
			if asJSON {
				return printJSON(c.OutOrStdout(), report)
			}
			printBuild(c.OutOrStdout(), report)
			return nil
		},
	}
	c.Flags().BoolVar(&asJSON, "json", false, "print the report as JSON")
	return c
}

func printBuild(w io.Writer, r index.Report) {
	fmt.Fprintf(w, "indexed %d sections of %d files\n", r.Sections, r.Files)
	for _, s := range r.Skipped {
		fmt.Fprintf(w, "skipped %s/%s: %s\n", plain(s.Manual), plain(s.Path), s.Reason)
	}
}
