package cli

import (
	"cmp"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/sagasu-search/sagasu/framework/internal/eval"
)

// evalOptions is the command line of eval.
type evalOptions struct {
	Queries    string   `json:"queries" doc:"judged queries, one JSON object a line, in this file"`
	K          int      `json:"k" min:"1" max:"100" default:"10" doc:"cut-off of nDCG and MRR, 1 to 100"`
	Scope      bool     `json:"scope" doc:"search only the manual that a query names"`
	Strategies []string `json:"strategies" doc:"use only these strategies, separated by commas"`
	Fusion     string   `json:"fusion" doc:"how lists are merged: weighted, rrf or combmnz"`
	Set        []string `json:"set" doc:"change a figure for this run, such as loose.weight=0.5; may be repeated"`
	Ablate     bool     `json:"ablate" doc:"switch each strategy off in turn, and on alone"`
	Tune       bool     `json:"tune" doc:"search better weights, thresholds and BM25 parameters by cross-validation"`
	Out        string   `json:"out" doc:"with --tune: write the chosen settings to this file instead of printing them"`
	DumpPool   string   `json:"dump_pool" doc:"write each query's sections with features and judgements to this file"`
	Baseline   string   `json:"baseline" doc:"compare with the file that an earlier --json run printed"`
	JSON       bool     `json:"json" doc:"print the report as JSON"`
	HTML       string   `json:"html" doc:"write the report as a page to this file"`
	Judge      string   `json:"judge" doc:"measure the judgement on the cases of this file instead"`
	Agent      bool     `json:"agent" doc:"measure what an agent needs to read a relevant section instead"`
}

func evalCommand(prog *program) *cobra.Command {
	c := &cobra.Command{
		Use:   "eval --manuals DIR --queries FILE",
		Short: "Measure search quality on judged queries",
		Long: `eval runs every query of FILE and measures the ranking against its judgements.
FILE holds one JSON object a line: "query" and "relevant", a list of
{"manual_id", "path", "start_line", "grade"}; optional are "id", "kind" or
"question_type" (a text or a list), "exclude" (files to leave out) and
"scope_manual_id" (used with --scope).

--set and --tune reach the numbers of a strategy's configuration, also of an
installed one. --dump-pool writes a JSON object a line for each section that a
query found: the query, the section, its grade (0 for one that nobody judged
relevant), rank and score, and as features what each strategy and bonus said.

Differences carry the 95 % interval of a paired bootstrap over the queries.
Nothing is cached and nothing adapts while eval runs.

With --judge, no search is measured but the judgement of what a search found:
FILE holds cases, a query with texts and the contradictions and gaps that a
judgement of them must find. Precision and recall are per language and kind.

With --agent, an agent that knows nothing but the query calls manual_find and
then only what next_actions, manual_hits and manual_read lead it to, until it
has the evidence before it or called 8 times. An agent that greps the two
rarest words and reads 30 lines around the best hit stands beside it.`,
		Example: `  sagasu eval --workspace testdata/workspace --queries testdata/gold.jsonl
  sagasu eval --manuals corpus --queries queries.jsonl --json > before.json
  sagasu eval --manuals corpus --queries queries.jsonl --baseline before.json --html report.html
  sagasu eval --manuals corpus --queries queries.jsonl --ablate
  sagasu eval --manuals corpus --queries queries.jsonl --set loose.weight=0.5 --set normalized.k1=0.9
  sagasu eval --manuals corpus --queries queries.jsonl --tune --out tuned.toml
  sagasu eval --judge testdata/judge/cases.jsonl
  sagasu eval --workspace testdata/workspace --queries testdata/gold.jsonl --agent`,
		Args: takes(0, 0),
	}
	options := bind[evalOptions](c, wordless, "queries k scope strategies fusion set ablate tune out dump-pool "+
		"baseline json html judge agent")
	c.RunE = func(c *cobra.Command, _ []string) error {
		o, err := options(nil)
		if err == nil {
			err = o.check(c)
		}
		// Other load on the machine must not change a figure.
		prog.Values["STRATEGY_TIME_MS"] = cmp.Or(prog.Values["STRATEGY_TIME_MS"], "60000")
		switch {
		case err != nil:
			return err
		case o.Judge != "":
			r, err := eval.RunJudgement(c.Context(), o.Judge)
			if err != nil {
				return err
			}
			return printResult(c, r, printJudgement)
		case o.Agent:
			return runEvalAgent(c, prog, &o)
		}
		return runEval(c, prog, &o)
	}
	return c
}

// measures are the flags that only affect how rankings are measured.
var measures = []string{"k", "strategies", "fusion", "set", "ablate", "tune", "out", "dump-pool", "baseline", "html"}

// check finds errors before anything is indexed.
func (o *evalOptions) check(c *cobra.Command) error {
	instead := map[bool]string{true: "--judge", false: "--agent"}[o.Judge != ""]
	for _, name := range measures {
		if (o.Judge != "" || o.Agent) && c.Flags().Changed(name) {
			return usageError{fmt.Errorf("--%s has no meaning with %s", name, instead)}
		}
	}
	switch {
	case o.Judge != "" && (o.Queries != "" || o.Agent || o.Scope):
		return usageError{errors.New("--judge stands alone: it searches nothing")}
	case o.Judge == "" && o.Queries == "":
		return usageError{errors.New("--queries is required")}
	case o.Out != "" && !o.Tune:
		return usageError{errors.New("--out needs --tune")}
	}
	return nil
}
