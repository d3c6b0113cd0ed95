package cli

import (
	"fmt"
	"io"
	"strconv"
	"time"

	"github.com/spf13/cobra"

	"github.com/sagasu-search/sagasu/framework/internal/app"
	"github.com/sagasu-search/sagasu/framework/internal/search/adapt"
	"github.com/sagasu-search/sagasu/framework/internal/workspace"
)

// statsMost is the maximum size of the statistics to read, which rotation keeps.
const statsMost = 32 << 20

func statsCommand(prog *program) *cobra.Command {
	file := ""
	return reportCommand(&cobra.Command{
		Use:   "stats",
		Short: "Show how searches fared and how thresholds moved",
		Long: `stats sums up the statistics that sagasu mcp keeps, a row of figures per search
and never a word of it: searches, cache hits, the recall proxy (of the sections
used later, the share that the search had found), searches that were cut off or
widened, and the thresholds of widening with their changes, per day in UTC.

They are in the file of ADAPTIVE_STATS_PATH, which sagasu doctor shows. Without it,
the next server begins anew with the thresholds of the settings; with
--adaptive-tuning=false use moves none.`,
		Example: `  sagasu stats --workspace testdata/workspace
  sagasu stats --json`,
		ValidArgsFunction: cobra.NoFileCompletions,
	}, "print the trends as JSON", withWorkspace(prog,
		func(_ *cobra.Command, w *workspace.Workspace, _ []string) (adapt.Trends, error) {
			log, where, err := app.OpenStatistics(w)
			if err != nil {
				return adapt.Trends{}, err
			}
			defer log.Close()
			file = where
			rows, err := log.Rows(statsMost)
			return adapt.TrendsOf(rows), err
		}), func(w io.Writer, trends adapt.Trends) error {
		if len(trends.Days) == 0 {
			_, err := fmt.Fprintf(w, "no statistics yet; sagasu mcp keeps them in %s\n", plain(file))
			return err
		}
		return printTrends(w, trends)
	})
}

func printTrends(w io.Writer, trends adapt.Trends) error {
	t := table{w: w}
	t.begin("searches", "DAY", "SEARCHES", "CACHE HITS", "RECALL PROXY", "OF", "CUT OFF", "WIDENED", "TOKENS", "MS",
		"SAVED MS", "CANDIDATES LOW", "FILE BIAS")
	for _, d := range trends.Days {
		t.row(append(append([]string{d.Date}, figureCells(d.Totals)...), thresholdCells(d.Thresholds)...)...)
	}
	t.row(append(append([]string{"all"}, figureCells(trends.Totals)...), "", "")...)
	t.begin("thresholds", "SINCE", "CANDIDATES LOW", "FILE BIAS")
	for _, x := range trends.Thresholds {
		t.row(append([]string{x.Time.Format(time.DateTime)}, thresholdCells(x.Thresholds)...)...)
	}
	return t.end()
}

func figureCells(f adapt.Totals) []string {
	return []string{
		strconv.Itoa(f.Count), percent(f.CacheHitRate), rate(f.Recall), strconv.Itoa(f.RecallCount),
		percent(f.CutoffRate), percent(f.ExpandedRate),
		fmt.Sprintf("%.0f", f.EstTokens), fmt.Sprintf("%.0f", f.ElapsedMS), strconv.FormatInt(f.LatencySavedMS, 10),
	}
}

func thresholdCells(t adapt.Thresholds) []string {
	return []string{strconv.Itoa(t.CandidateLow), fmt.Sprintf("%.2f", t.FileBias)}
}
