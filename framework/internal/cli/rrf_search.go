package cli

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/sagasu-search/sagasu/framework/internal/app"
	"github.com/sagasu-search/sagasu/framework/internal/patents"
	"github.com/sagasu-search/sagasu/framework/internal/patents/lane"
	"github.com/sagasu-search/sagasu/framework/internal/patents/publication"
	"github.com/sagasu-search/sagasu/framework/internal/toolset"
	"github.com/sagasu-search/sagasu/sdk/x/patentquery"
)

// laneOptions are the flags of a search in one lane.
type laneOptions struct {
	filters []string
	boosts  map[string]string
	ask     lane.Ask
	topK    int
	limit   int
	json    bool
}

func (o *laneOptions) register(f *pflag.FlagSet) {
	f.StringArrayVar(&o.filters, "filter", nil, `a condition as JSON, such as '{"lop": "and", "field": "fi", "op": "prefix", "value": "G06V"}'; may be repeated`)
	f.StringVar(&o.ask.FeatureScope, "scope", string(patentquery.Wide), "the texts that are looked at: wide, "+
		"title_abst_claims, claims_only; fulltext also top_claim, background_jp")
	f.StringVar(&o.ask.Sort, "sort", lane.SortScore, "score, date_desc or date_asc")
	f.StringVar(&o.ask.LaneName, "name", "", "the lane's `NAME` in a fusion, such as fulltext_recall")
	f.IntVar(&o.topK, "top-k", lane.DefaultTopK, "publications to keep in the run")
	f.IntVarP(&o.limit, "limit", "n", 10, "publications to print")
	f.BoolVar(&o.json, "json", false, "print the run and all its publications as JSON")
}

// complete puts the flags into the ask.
func (o *laneOptions) complete() error {
	if o.limit < 0 {
		return usageError{fmt.Errorf("--limit must be 0 or more")}
	}
	o.ask.TopK = &o.topK
	if len(o.filters) > 0 {
		o.ask.Filters = lane.Filters("[" + strings.Join(o.filters, ",") + "]")
	}
	for field, raw := range o.boosts {
		var weight float64
		if err := json.Unmarshal([]byte(raw), &weight); err != nil {
			return usageError{fmt.Errorf("--boost %s=%s: the weight must be a number", field, raw)}
		}
		if o.ask.FieldBoosts == nil {
			o.ask.FieldBoosts = lane.Boosts{}
		}
		o.ask.FieldBoosts[field] = weight
	}
	return nil
}

func rrfFulltextCommand(prog *program) *cobra.Command {
	o := laneOptions{ask: lane.Ask{Lane: lane.Fulltext}}
	c := &cobra.Command{
		Use:   "fulltext QUERY...",
		Short: "Search publications by a boolean query",
		Long: `fulltext finds the publications that hold what a boolean query asks for and ranks
them. What it found is kept as a run for 12 hours: rrf replay makes it again.`,
		Example: `  sagasu rrf fulltext "(顔認証 OR 顔識別) AND マスク" --publications-root testdata/publications
  sagasu rrf fulltext 'title:battery' --sort date_desc --publications-root testdata/publications --json`,
		Args: takes(1, anyNumber),
		RunE: func(c *cobra.Command, args []string) error {
			o.ask.Query = strings.Join(args, " ")
			return runLane(c, prog, &o)
		},
	}
	o.register(c.Flags())
	c.Flags().StringToStringVar(&o.boosts, "boost", nil, "weights of fields, such as title=80,desc=1")
	return c
}

func rrfSemanticCommand(prog *program) *cobra.Command {
	o := laneOptions{ask: lane.Ask{Lane: lane.Semantic}}
	c := &cobra.Command{
		Use:   "semantic TEXT...",
		Short: "Search publications by their meaning",
		Long: `semantic finds the publications nearest in meaning to a text of a sentence or more.
The first search of a collection learns from it, which takes a while.`,
		Example: `  sagasu rrf semantic "マスクで顔の一部が隠れていても本人を認証する装置。" --publications-root testdata/publications`,
		Args:    takes(1, anyNumber),
		RunE: func(c *cobra.Command, args []string) error {
			o.ask.Text = strings.Join(args, " ")
			return runLane(c, prog, &o)
		},
	}
	o.register(c.Flags())
	return c
}

// laneJSON is the machine-readable form of a search.
type laneJSON struct {
	*lane.Handle
	PubIDs []string `json:"pub_ids"`
}

func runLane(c *cobra.Command, prog *program, o *laneOptions) error {
	if err := o.complete(); err != nil {
		return err
	}
	a, err := open(c.Context(), prog, c.ErrOrStderr())
	if err != nil {
		return err
	}
	defer a.Close()
	m := app.Module[*patents.Module](a)
	h, err := m.Search(c.Context(), o.ask)
	if err != nil {
		return err
	}
	if o.json {
		run, err := m.Run(h.RunID)
		if err != nil {
			return err
		}
		return printJSON(c.OutOrStdout(), laneJSON{h, run.Docs})
	}
	best := &lane.Snippets{}
	if o.limit > 0 {
		best, err = m.Peek(c.Context(), lane.PeekRequest{
			RunID: h.RunID, Limit: min(o.limit, lane.MaxPeek),
			Cutting: lane.Cutting{Fields: []string{publication.Title}},
		})
	}
	if err != nil {
		return err
	}
	return printLane(c.OutOrStdout(), h, best)
}

func printLane(out io.Writer, h *lane.Handle, best *lane.Snippets) error {
	s, w := styleFor(out), bufio.NewWriter(out)
	for _, row := range best.Snippets {
		title := ""
		if row.Title != nil {
			title = *row.Title
		}
		fmt.Fprintf(w, "%3d. %s  %s  %s\n", row.Rank, s.path(plain(row.PubID)), s.bold(plain(title)),
			s.faint(plain(row.Metadata.PublicationDate)))
	}
	fmt.Fprintf(w, "%s found, %d kept\n", toolset.Counted(h.HitCount, "publication"), h.TopK)
	for _, warning := range h.Warnings {
		fmt.Fprintln(w, "warning:", plain(warning))
	}
	fmt.Fprintln(w, s.faint("run "+h.RunID))
	return w.Flush()
}

func rrfReplayCommand(prog *program) *cobra.Command {
	return reportCommand(&cobra.Command{
		Use:   "replay RUN",
		Short: "Make a run again and compare the rankings",
		Long: `replay searches the lanes of a run again as they were asked, fuses them as they were
fused, and says whether the ranking is the same. It ends with 1 when it is not.`,
		Args: exactly(1),
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
