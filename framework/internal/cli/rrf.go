package cli

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"github.com/sagasu-search/sagasu/framework/internal/app"
	"github.com/sagasu-search/sagasu/framework/internal/patents"
	"github.com/sagasu-search/sagasu/framework/internal/patents/lane"
	"github.com/sagasu-search/sagasu/framework/internal/patents/publication"
	"github.com/sagasu-search/sagasu/framework/internal/toolset"
)

func rrfCommand(prog *program) *cobra.Command {
	c := &cobra.Command{
		Use:   "rrf",
		Short: "Search publications and fuse rankings",
		Long: `rrf searches the collection of PUBLICATIONS_ROOT, a JSON Lines file or a folder of
them, which sagasu import makes, and fuses rankings. An agent does the same over MCP.`,
	}
	c.AddCommand(
		laneCommand[lane.FulltextArgs](prog, &cobra.Command{
			Use:   "fulltext QUERY...",
			Short: "Search publications by a boolean query",
			Long: `fulltext finds the publications that hold what a boolean query asks for and ranks
them. What it found is kept as a run for 12 hours: rrf replay makes it again.`,
			Example: `  sagasu rrf fulltext "(顔認証 OR 顔識別) AND マスク" --publications-root testdata/publications
  sagasu rrf fulltext 'title:battery' --sort date_desc --publications-root testdata/publications --json`,
		}, "query"),
		laneCommand[lane.SemanticArgs](prog, &cobra.Command{
			Use:   "semantic TEXT...",
			Short: "Search publications by their meaning",
			Long: `semantic finds the publications nearest in meaning to a text of a sentence or more.
The first search of a collection learns from it, which takes a while.`,
			Example: `  sagasu rrf semantic "マスクで顔の一部が隠れていても本人を認証する装置。" --publications-root testdata/publications`,
		}, "text"),
		rrfFuseCommand(), rrfReplayCommand(prog),
	)
	c.AddCommand(rrfRunCommands(prog)...)
	return c
}

// maxCase is the maximum size of a file of rankings.
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

// laneFound is the machine-readable form of a search, and what is printed for a human reader.
type laneFound struct {
	*lane.Handle
	PubIDs []string `json:"pub_ids"`

	best lane.Snippets
}

// sampleFilter is a condition in shell quotes.
const sampleFilter = `'{"lop": "and", "field": "fi", "op": "prefix", "value": "G06V"}'`

// laneCommand returns a command that searches a lane, with the words of the command line as one of its arguments.
func laneCommand[A interface{ Ask() lane.Ask }](prog *program, c *cobra.Command, argument string) *cobra.Command {
	limit := c.Flags().UintP("limit", "n", 10, "publications to print")
	filters := c.Flags().StringArray("filter", nil, "a condition as JSON, such as "+sampleFilter+"; may be repeated")
	boosts := new(map[string]string)
	if argument == "query" {
		boosts = c.Flags().StringToString("boost", nil, "weights of fields, such as title=80,desc=1")
	}
	ask := func(line []string, into arguments) error {
		for _, filter := range *filters {
			if !json.Valid([]byte(filter)) {
				return fmt.Errorf("--filter %s: it must be a JSON object, such as %s", filter, sampleFilter)
			}
		}
		into.set("filters", json.RawMessage("["+strings.Join(*filters, ",")+"]"))
		for field, weight := range *boosts {
			if !json.Valid([]byte(weight)) {
				return fmt.Errorf("--boost %s=%s: the weight must be a number", field, weight)
			}
			into.set("field_boosts."+field, json.RawMessage(weight))
		}
		return joined(argument)(line, into)
	}
	search := func(m *patents.Module, ctx context.Context, in A) (*laneFound, error) {
		handle, err := m.Search(ctx, in.Ask())
		if err != nil {
			return nil, err
		}
		run, err := m.Run(ctx, handle.RunID)
		if err != nil {
			return nil, err
		}
		if *limit == 0 {
			return &laneFound{Handle: handle, PubIDs: run.Docs}, nil
		}
		best, err := peekTitles(ctx, m, handle.RunID, int(*limit))
		if err != nil {
			return nil, err
		}
		return &laneFound{handle, run.Docs, *best}, nil
	}
	return toolCommand(prog, c, ask, "scope=feature_scope:wide sort:score name=lane_name top-k", search, printLane)
}

// peekTitles returns the best publications of a run with their titles.
func peekTitles(ctx context.Context, m *patents.Module, run string, limit int) (*lane.Snippets, error) {
	return m.Peek(ctx, lane.PeekRequest{
		RunID: run, Limit: min(limit, lane.MaxPeek), Cutting: lane.Cutting{Fields: []string{publication.Title}},
	})
}

func printLane(out io.Writer, r *laneFound) error {
	s, w := styleFor(out), bufio.NewWriter(out)
	for _, row := range r.best.Snippets {
		title := ""
		if row.Title != nil {
			title = *row.Title
		}
		fmt.Fprintf(w, "%3d. %s  %s  %s\n", row.Rank, s.path(plain(row.PubID)), s.bold(plain(title)),
			s.faint(plain(row.Metadata.PublicationDate)))
	}
	fmt.Fprintf(w, "%s found, %d kept\n", toolset.Counted(r.HitCount, "publication"), r.TopK)
	_ = printWarnings(w, r.Warnings) // w keeps the error
	fmt.Fprintln(w, s.faint("run "+r.RunID))
	return w.Flush()
}

func rrfReplayCommand(prog *program) *cobra.Command {
	return reportCommand(&cobra.Command{
		Use:   "replay RUN",
		Short: "Make a run again and compare the rankings",
		Long: `replay searches the lanes of a run again as they were asked, fuses them as they were
fused, and says whether the ranking is the same. It ends with 1 when it is not.`,
	}, "print the comparison and the ranking as JSON",
		withApp(prog, func(ctx context.Context, a *app.App, args []string) (*lane.Replay, error) {
			r, err := app.Module[*patents.Module](a).Replay(ctx, args[0])
			if err != nil {
				return nil, err
			}
			return r, reportedIf(!r.Same)
		}), printReplay)
}

func printReplay(w io.Writer, r *lane.Replay) error {
	verdict := "the same ranking"
	if !r.Same {
		verdict = fmt.Sprintf("another ranking, from rank %d on", r.FirstDifference)
	}
	_, err := fmt.Fprintf(w, "%s: %s of %s from %s\n",
		plain(r.RunID), verdict, toolset.Counted(len(r.PubIDs), "publication"), toolset.Counted(r.Lanes, "lane"))
	if !r.SameCollection {
		_, err = fmt.Fprintln(w, "the collection has changed since")
	}
	return err
}
