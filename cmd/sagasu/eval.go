package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"

	"github.com/schollz/progressbar/v3"
	"github.com/spf13/cobra"

	"github.com/sagasu-search/sagasu/framework/eval"
	"github.com/sagasu-search/sagasu/framework/find"
	"github.com/sagasu-search/sagasu/framework/workspace"
)

// depth is how many sections a ranking holds when it is measured.
const depth = 200

func evalCommand(flags *workspace.Flags) *cobra.Command {
	var queries string
	var asJSON bool
	var opts eval.Options
	c := &cobra.Command{
		Use:   "eval --manuals DIR --queries FILE",
		Short: "Measure search quality on judged queries",
		Long: `eval runs every query of FILE and measures the ranking against its judgements.
FILE holds one JSON object a line: "query" and "relevant", a list of
{"manual_id", "path", "start_line", "grade"}; optional are "id", "kind",
"exclude" (files to leave out) and "scope_manual_id" (used with --scope).`,
		Example: `  sagasu eval --workspace testdata/workspace --queries testdata/gold.jsonl
  sagasu eval --manuals corpus --queries queries.jsonl --json`,
		Args: exactly(0),
		RunE: func(c *cobra.Command, _ []string) error {
			return runEval(c, flags, queries, asJSON, opts)
		},
	}
	f := c.Flags()
	f.StringVar(&queries, "queries", "", "judged queries, one JSON object a line (`FILE`)")
	f.BoolVar(&opts.Scope, "scope", false, "search only the manual that a query names")
	f.BoolVar(&asJSON, "json", false, "print the report as JSON")
	return c
}

func runEval(c *cobra.Command, flags *workspace.Flags, path string, asJSON bool, opts eval.Options) error {
	if path == "" {
		return usageError{fmt.Errorf("--queries is required")}
	}
	queries, err := readQueries(path)
	if err != nil {
		return err
	}
	a, err := open(c.Context(), flags, c.ErrOrStderr())
	if err != nil {
		return err
	}
	defer a.Close()
	if onTerminal(c.ErrOrStderr()) {
		bar := progressbar.NewOptions(len(queries), progressbar.OptionSetWriter(c.ErrOrStderr()),
			progressbar.OptionSetDescription("queries"), progressbar.OptionShowCount(), progressbar.OptionClearOnFinish())
		opts.Progress = func(done, _ int) { _ = bar.Set(done) }
	}
	report, err := eval.Run(c.Context(), queries, a.ranking, opts)
	if err != nil {
		return err
	}
	if asJSON {
		return printJSON(c.OutOrStdout(), report)
	}
	return printReport(c.OutOrStdout(), report)
}

func readQueries(path string) ([]eval.Query, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("queries: %w", err)
	}
	defer f.Close()
	queries, err := eval.ReadQueries(f)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return queries, nil
}

// ranking is the search that eval measures.
func (a *app) ranking(ctx context.Context, query, manual string) ([]eval.Target, error) {
	answer, err := a.engine.Find(ctx, find.Request{Query: query, ManualID: manual, ExpandScope: true, MaxCandidates: depth, TimeMS: 60_000})
	if err != nil {
		return nil, err
	}
	hits, err := a.engine.Hits(ctx, find.HitsRequest{TraceID: answer.TraceID, Kind: "candidates", Limit: depth})
	if err != nil {
		return nil, err
	}
	var out []eval.Target
	for _, row := range hits.Items {
		id := row.Ref.ManualID
		if id == "" {
			id = hits.ManualID
		}
		out = append(out, eval.Target{ManualID: id, Path: row.Ref.Path, StartLine: row.Ref.StartLine})
	}
	return out, nil
}

func printReport(w io.Writer, r *eval.Report) error {
	row := func(name string, m eval.Measures) {
		fmt.Fprintf(w, "%-22s %8.4f %8.4f %8.4f %8.4f %8.4f %10.4f\n", name, m.NDCG10, m.MRR10, m.Hit1, m.Hit5, m.Hit10, m.Recall100)
	}
	fmt.Fprintf(w, "%-22s %8s %8s %8s %8s %8s %10s\n", fmt.Sprintf("%d queries", r.Queries), "nDCG@10", "MRR@10", "hit@1", "hit@5", "hit@10", "recall@100")
	row("by section", r.Measures)
	row("by file", r.File)
	for _, kind := range sortedKeys(r.ByKind) {
		row("  "+kind, r.ByKind[kind])
	}
	_, err := fmt.Fprintf(w, "median %.2f ms, p95 %.2f ms\n", r.P50MS, r.P95MS)
	return err
}

// printJSON writes v indented and with its text as it is.
func printJSON(w io.Writer, v any) error {
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	return enc.Encode(v)
}
