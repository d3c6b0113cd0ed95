package cli

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/sagasu-search/sagasu/framework/internal/patents"
	"github.com/sagasu-search/sagasu/framework/internal/patents/lane"
	"github.com/sagasu-search/sagasu/framework/internal/patents/rankfusion"
	"github.com/sagasu-search/sagasu/framework/internal/toolset"
)

// Examples of --params.
const (
	tuning  = `{"target_profile": {"fi": {"G06V10/82": 1}}, "facet_terms": {"A": ["顔認証"]}}`
	cutting = `{"fields": ["abst", "desc"], "per_field_chars": {"desc": 400}}`
)

// rrfRunCommands returns the commands that work on stored runs, as an agent does over MCP.
func rrfRunCommands(prog *program) []*cobra.Command {
	blend := &cobra.Command{
		Use:   "blend RUN[=WEIGHT]...",
		Short: "Fuse runs of lanes",
		Long:  "blend fuses the rankings of runs into a new run. No lane is searched. A weight is 1 when not given.",
		Example: `  sagasu rrf blend fulltext-1f2e semantic-3d4c --topic masks --params '{"rrf_k": 30}'
  sagasu rrf blend fulltext-1f2e=0.5 semantic-3d4c`,
	}
	mutate := &cobra.Command{
		Use:   "mutate RUN",
		Short: "Tune a fusion",
		Long: `mutate fuses the runs of a fusion again with other parameters, which --params names;
values are absolute and maps merge key by key. The fusion itself stays.`,
		Example: `  sagasu rrf mutate fusion-5b6a --params '{"weights": {"semantic": 0.5}, "beta_fuse": 0.9}'`,
	}
	peek := &cobra.Command{
		Use:     "peek RUN",
		Short:   "Show the best of a run",
		Long:    "peek prints title, abstract and claims of the best of a run, cut short, and keywords in context.",
		Example: `  sagasu rrf peek fusion-5b6a --limit 5`,
	}
	return []*cobra.Command{
		toolCommand(prog, blend, tuned(blend, tuning, "", weighedRuns), "topic limit,n:10",
			withTitles((*patents.Module).Blend), printFusion),
		toolCommand(prog, mutate, tuned(mutate, tuning, "mutate_delta", placed("base_run_id")), "topic limit,n:10",
			withTitles((*patents.Module).Mutate), printFusion),
		toolCommand(prog, peek, tuned(peek, cutting, "", placed("run_id")), "offset limit,n:10 budget-bytes",
			(*patents.Module).Peek, printPeek),
		toolCommand(prog, &cobra.Command{
			Use:   "provenance RUN",
			Short: "Explain a run",
			Long: "provenance prints what a run is made of, as JSON: codes and facets with counts, lanes, metrics,\n" +
				"frontier.",
			Example: `  sagasu rrf provenance fusion-5b6a`,
		}, placed("run_id"), "",
			(*patents.Module).Provenance, func(w io.Writer, p *lane.Provenance) error { return printJSON(w, p) }),
		rrfRepresentatives(prog),
		toolCommand(prog, &cobra.Command{
			Use:   "cites NUMBER",
			Short: "Follow the citations of a publication",
			Long: `cites prints what a publication cites, which publications of the collection cite it,
and its simple family: those that claim the same priorities. --depth follows
citations further. What the collection does not have is listed by its number.`,
			Example: `  sagasu rrf cites 特開2015-123456 --depth 2
  sagasu rrf cites US8925999B2 --json`,
		}, placed("id"), "depth limit,n", (*patents.Module).Cites, printCites),
	}
}

func printCites(out io.Writer, r *lane.Cited) error {
	s, w := styleFor(out), bufio.NewWriter(out)
	fmt.Fprintln(w, s.path(plain(r.PubID)), s.bold(plain(r.Title)))
	for _, list := range []struct {
		name string
		ids  []string
	}{{"priorities", r.Priorities}, {"family", r.Family}} {
		if len(list.ids) > 0 {
			fmt.Fprintf(w, "%s: %s\n", list.name, plain(strings.Join(list.ids, ", ")))
		}
	}
	for _, way := range []struct {
		name string
		met  []lane.Citation
	}{{"cites", r.Cites}, {"cited by", r.CitedBy}} {
		fmt.Fprintf(w, "%s %s\n", way.name, toolset.Counted(len(way.met), "publication"))
		for _, c := range way.met {
			title := s.faint("not in the collection")
			if c.PubID != "" {
				title = plain(c.Title)
			}
			fmt.Fprintf(w, "%s%s  %s", strings.Repeat("  ", c.Depth), s.path(plain(c.Number)), title)
			if c.Depth > 1 {
				fmt.Fprint(w, s.faint("  by way of "+plain(c.Via)))
			}
			fmt.Fprintln(w)
		}
	}
	if r.Truncated {
		fmt.Fprintln(w, "there are more; --limit shows them")
	}
	return w.Flush()
}

// weighedRuns reads the runs of a fusion with their weights.
func weighedRuns(line []string, into arguments) error {
	runs := make([]any, len(line))
	for i, word := range line {
		id, weight, weighed := strings.Cut(word, "=")
		run := arguments{"run_id_lane": id}
		if weighed {
			w, err := strconv.ParseFloat(weight, 64)
			if err != nil || math.IsNaN(w) || math.IsInf(w, 0) { // which JSON has not
				return fmt.Errorf("the weight of the run %s must be a number, such as %s=0.5", id, id)
			}
			run["weight"] = w
		}
		runs[i] = run
	}
	into["runs"] = runs
	return nil
}

// tuned adds the flag --params. Its members become arguments, below an object if one is named.
func tuned(c *cobra.Command, example, object string, read wordReader) wordReader {
	params := c.Flags().String("params", "{}", "more parameters as JSON, such as '"+example+"'")
	return func(line []string, into arguments) error {
		given := map[string]json.RawMessage{}
		if err := json.Unmarshal([]byte(*params), &given); err != nil {
			return fmt.Errorf("--params must be a JSON object: %w", err)
		}
		if object != "" {
			into[object] = given
			return read(line, into)
		}
		if err := read(line, into); err != nil {
			return err
		}
		for name, value := range given {
			flag := c.Flags().Lookup(strings.ReplaceAll(name, "_", "-"))
			if _, worded := into[name]; worded || flag != nil && flag.Changed {
				return fmt.Errorf("--params has %s, which the command line says already: leave one of them out", name)
			}
			into[name] = value
		}
		return nil
	}
}

func rrfRepresentatives(prog *program) *cobra.Command {
	c := &cobra.Command{
		Use:   "representatives",
		Short: "Register, list and remove representative publications",
		Long: `representatives names publications that stand for what is sought. They belong to a
topic, default when none is named, or to the lineage of a run, and raise scores of its fusions.`,
	}
	ids := func(line []string, into arguments) error {
		if len(line) > 0 {
			into["pub_ids"] = line
		}
		return nil
	}
	c.AddCommand(
		toolCommand(prog, &cobra.Command{
			Use:     "register PUBLICATION...",
			Short:   "Register representatives",
			Example: `  sagasu rrf representatives register JP2023-123456A --category A --topic masks`,
			PreRunE: mayWrite(prog, "registered"),
		}, ids, "category topic run=run_id", (*patents.Module).Register,
			func(w io.Writer, r *lane.Registered) error {
				_, err := fmt.Fprintf(w, "registered %s as %s%s\n", toolset.Counted(r.Count, "publication"), r.Category,
					notKnown(r.Unknown))
				return err
			}),
		toolCommand(prog, &cobra.Command{
			Use:     "list",
			Short:   "List representatives",
			Example: `  sagasu rrf representatives list --topic masks`,
		}, wordless, "topic run=run_id", (*patents.Module).List, printRepresentatives),
		toolCommand(prog, &cobra.Command{
			Use:     "remove [PUBLICATION...]",
			Short:   "Remove representatives",
			Example: `  sagasu rrf representatives remove --all --topic masks`,
			PreRunE: mayWrite(prog, "removed"),
		}, ids, "all topic run=run_id", (*patents.Module).Remove, func(w io.Writer, r *lane.Removed) error {
			_, err := fmt.Fprintf(w, "removed %s%s\n", toolset.Counted(r.Count, "publication"), notKnown(r.Unknown))
			return err
		}),
	)
	return c
}

// notKnown names the unknown publications, if any, as the end of a sentence.
func notKnown(ids []string) string {
	if len(ids) == 0 {
		return ""
	}
	return "; unknown: " + plain(strings.Join(ids, ", "))
}

func printRepresentatives(out io.Writer, r *lane.Representatives) error {
	w := bufio.NewWriter(out)
	if len(r.Representatives) == 0 {
		fmt.Fprintln(w, "no representatives")
	}
	for _, one := range r.Representatives {
		of := "topic " + one.Topic
		if one.Topic == "" {
			of = "lineage of " + strings.Join(one.Runs, " ")
		}
		fmt.Fprintf(w, "%s  %s  %s\n", one.Category, plain(one.PubID), plain(of))
	}
	return w.Flush()
}

// titledFusion is a fusion and, for a human reader, the titles of its best publications.
type titledFusion struct {
	*lane.Result
	titles map[string]string
}

// withTitles looks up the titles of the publications that a fusion lists. The fusion is useful without them too.
func withTitles[A any](
	fuse func(*patents.Module, context.Context, A) (*lane.Result, error),
) func(*patents.Module, context.Context, A) (*titledFusion, error) {
	return func(m *patents.Module, ctx context.Context, in A) (*titledFusion, error) {
		r, err := fuse(m, ctx, in)
		if err != nil {
			return nil, err
		}
		out := &titledFusion{r, make(map[string]string)}
		if len(r.RankedDocs) == 0 {
			return out, nil
		}
		best, err := peekTitles(ctx, m, r.RunID, len(r.RankedDocs))
		if err != nil {
			return out, nil // missing titles do not fail the command
		}
		for _, row := range best.Snippets {
			if row.Title != nil {
				out.titles[row.PubID] = *row.Title
			}
		}
		return out, nil
	}
}

func printFusion(out io.Writer, r *titledFusion) error {
	s, w := styleFor(out), bufio.NewWriter(out)
	for _, d := range r.RankedDocs {
		fmt.Fprintf(w, "%3d. %s  %.4f  %s", d.Rank, s.path(plain(d.PubID)), d.Score, s.bold(plain(r.titles[d.PubID])))
		for _, place := range d.Lanes {
			share := fmt.Sprintf("%s #%d %.0f%%", plain(place.Lane), place.Rank, 100*place.Share)
			fmt.Fprintf(w, "  %s", s.faint(share))
		}
		fmt.Fprintln(w)
	}
	fmt.Fprintf(w, "%s ranked; representatives of %s: %d, of the lineage: %d\n",
		toolset.Counted(r.Total, "publication"), plain(r.Used.Topic), r.Used.OfTopic, r.Used.OfLineage)
	if k := deepest(r.Frontier); k > 0 {
		fmt.Fprintf(w, "the frontier is best at %d\n", k)
	}
	for _, change := range r.Changed {
		fmt.Fprintf(w, "changed %s: %s → %s\n", plain(change.Parameter), setTo(change.From), setTo(change.To))
	}
	_ = printWarnings(w, r.Warnings) // w keeps the error
	fmt.Fprintln(w, s.faint("run "+r.RunID))
	if err := w.Flush(); err != nil || r.Peek == nil {
		return err
	}
	return printPeek(out, r.Peek)
}

// deepest returns the k of a frontier with the greatest F, or 0 if there is none.
func deepest(frontier []rankfusion.FrontierPoint) (k int) {
	most := 0.0
	for _, p := range frontier {
		if p.F != nil && *p.F > most {
			k, most = p.K, *p.F
		}
	}
	return k
}

// setTo returns a parameter of a fusion as text, also if it was not set.
func setTo(v any) string {
	if v == nil {
		return "not set"
	}
	return plain(fmt.Sprint(v))
}

func printPeek(out io.Writer, r *lane.Snippets) error {
	s, w := styleFor(out), bufio.NewWriter(out)
	for _, row := range r.Snippets {
		fmt.Fprintf(w, "%3d. %s", row.Rank, s.path(plain(row.PubID)))
		if row.Gone {
			fmt.Fprint(w, "  ", s.faint("no longer in the collection"))
		}
		fmt.Fprintln(w)
		for _, text := range []*string{row.Title, row.Abst, row.Claim, row.Desc} {
			if text != nil && *text != "" {
				fmt.Fprintln(w, "    ", plain(*text))
			}
		}
		for _, k := range row.Keywords {
			fmt.Fprintln(w, "    ", s.faint(k.Field+":"), plain(k.Text))
		}
	}
	fmt.Fprintf(w, "%d of %s\n", r.Returned, toolset.Counted(r.Total, "publication"))
	return w.Flush()
}
