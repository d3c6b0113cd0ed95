package cli

import (
	"github.com/spf13/cobra"

	"github.com/sagasu-search/sagasu/framework/internal/patents/lane"
)

func rrfCommand(prog *program) *cobra.Command {
	c := &cobra.Command{
		Use:   "rrf",
		Short: "Search publications and fuse rankings",
		Long: `rrf searches the collection of PUBLICATIONS_ROOT, a JSON Lines file or a folder of
them, which sagasu import makes. An agent does the same, and more, over MCP.`,
		Args: noSuchCommand,
		RunE: help,
	}
	c.AddCommand(rrfFulltextCommand(prog), rrfSemanticCommand(prog), rrfFuseCommand(), rrfReplayCommand(prog))
	return c
}

// maxCase bounds a file of rankings.
const maxCase = 1 << 30

func rrfFuseCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "fuse CASE.json",
		Short: "Fuse the lanes of a file and print ranking and metrics",
		Long: `fuse reads lanes, publications and parameters from one JSON file (- for standard
input) and prints the fused ranking with what each score is made of, and the
metrics of the fusion. It needs no collection:

  {"lanes": [{"lane": "fulltext", "lane_name": "fulltext_recall", "weight": 1.0, "docs": ["JP1", …]}, …],
   "docs": {"JP1": {"fi": […], "ft": […], "ipc": […], "cpc": […], "title": "…", "abst": "…", "claim": "…"}, …},
   "params": {"rrf_k": 60, "target_profile": {"fi": {"G06V10/82": 1.0}}, …}}`,
		Example: `  sagasu rrf fuse case.json`,
		Args:    exactly(1),
		RunE: func(c *cobra.Command, args []string) error {
			raw, err := readArgument(c.InOrStdin(), args[0], maxCase)
			if err != nil {
				return err
			}
			fused, err := lane.ReadCase(raw)
			if err != nil {
				return err
			}
			return printJSON(c.OutOrStdout(), fused.Fuse())
		},
	}
}
