package cli

import (
	"encoding/json"
	"fmt"
	"io"

	"github.com/spf13/cobra"
)

// evalOptions is the command line of eval.
type evalOptions struct {
	queries    string
	k          int
	scope      bool
	strategies []string
	fusion     string
	set        []string
	ablate     bool
	tune       bool
	out        string
	baseline   string
	json       bool
	html       string
	judge      string
	agent      bool
}

func evalCommand(prog *program) *cobra.Command {
	var o evalOptions
	c := &cobra.Command{
		Use:   "eval --manuals DIR --queries FILE",
		Short: "Measure search quality on judged queries",
		Long: `eval runs every query of FILE and measures the ranking against its judgements.
FILE holds one JSON object a line: "query" and "relevant", a list of
{"manual_id", "path", "start_line", "grade"}; optional are "id", "kind" or
"question_type" (a text or a list), "exclude" (files to leave out) and
"scope_manual_id" (used with --scope).

Differences carry the 95 % interval of a paired bootstrap over the queries.
Nothing is cached and nothing adapts while eval runs.

With --judge, no search is measured but the judgement of what a search found:
FILE holds cases, a query with texts and the contradictions and gaps that a
judgement of them must find. Precision and recall are per language and kind.

With --agent, an agent that knows nothing but the query calls manual_find and
then only what next_actions, manual_hits and manual_read lead it to, until it
has read a relevant section or called 8 times. The same agent with grep and
whole files stands beside it.`,
		Example: `  sagasu eval --workspace testdata/workspace --queries testdata/gold.jsonl
  sagasu eval --manuals corpus --queries queries.jsonl --json > before.json
  sagasu eval --manuals corpus --queries queries.jsonl --baseline before.json --html report.html
  sagasu eval --manuals corpus --queries queries.jsonl --ablate
  sagasu eval --manuals corpus --queries queries.jsonl --set loose.weight=0.5 --set normalized.k1=0.9
  sagasu eval --manuals corpus --queries queries.jsonl --tune --out tuned.toml
  sagasu eval --judge testdata/judge/cases.jsonl
  sagasu eval --workspace testdata/workspace --queries testdata/gold.jsonl --agent`,
		Args: takes(0, 0),
		RunE: func(c *cobra.Command, _ []string) error {
			switch err := o.check(c); {
			case err != nil:
				return err
			case o.judge != "":
				return runEvalJudge(c.Context(), c.OutOrStdout(), &o)
			case o.agent:
				return runEvalAgent(c, prog, &o)
			}
			return runEval(c, prog, &o)
		},
	}
	f := c.Flags()
	f.StringVar(&o.queries, "queries", "", "judged queries, one JSON object a line (`FILE`)")
	f.IntVar(&o.k, "k", 10, "cut-off of nDCG and MRR, 1 to 100")
	f.BoolVar(&o.scope, "scope", false, "search only the manual that a query names")
	f.StringSliceVar(&o.strategies, "strategies", nil, "use only these strategies (`NAMES`, separated by commas)")
	f.StringVar(&o.fusion, "fusion", "", "how lists are merged: weighted, rrf or combmnz")
	f.StringArrayVar(&o.set, "set", nil, "change a figure for this run (`NAME=VALUE`), such as loose.weight=0.5; may "+
		"be repeated")
	f.BoolVar(&o.ablate, "ablate", false, "switch each strategy off in turn, and on alone")
	f.BoolVar(&o.tune, "tune", false, "search better weights, thresholds and BM25 parameters by cross-validation")
	f.StringVar(&o.out, "out", "", "with --tune: write the chosen settings to `FILE` instead of printing them")
	f.StringVar(&o.baseline, "baseline", "", "compare with the `FILE` that an earlier --json run printed")
	f.BoolVar(&o.json, "json", false, "print the report as JSON")
	f.StringVar(&o.html, "html", "", "write the report as a page to `FILE`")
	f.StringVar(&o.judge, "judge", "", "measure the judgement on the cases of `FILE` instead")
	f.BoolVar(&o.agent, "agent", false, "measure what an agent needs to read a relevant section instead")
	return c
}

// printJSON writes v indented and with its text as it is.
func printJSON(w io.Writer, v any) error {
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	return enc.Encode(v)
}

// measures are the flags that shape the measuring of rankings only.
var measures = []string{"k", "strategies", "fusion", "set", "ablate", "tune", "out", "baseline", "html"}

// check finds what is wrong before anything is indexed.
func (o *evalOptions) check(c *cobra.Command) error {
	if instead := o.instead(); instead != "" {
		for _, name := range measures {
			if c.Flags().Changed(name) {
				return usageError{fmt.Errorf("--%s has no meaning with %s", name, instead)}
			}
		}
	}
	switch {
	case o.judge != "" && (o.queries != "" || o.agent || o.scope):
		return usageError{fmt.Errorf("--judge stands alone: it searches nothing")}
	case o.judge == "" && o.queries == "":
		return usageError{fmt.Errorf("--queries is required")}
	case o.k < 1 || o.k > 100:
		return usageError{fmt.Errorf("--k is %d: it must be from 1 to 100", o.k)}
	case o.out != "" && !o.tune:
		return usageError{fmt.Errorf("--out needs --tune")}
	}
	return nil
}

// instead is the flag that asks for something other than rankings.
func (o *evalOptions) instead() string {
	switch {
	case o.judge != "":
		return "--judge"
	case o.agent:
		return "--agent"
	}
	return ""
}
