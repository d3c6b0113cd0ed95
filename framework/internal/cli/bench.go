package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/sagasu-search/sagasu/framework/internal/app"
	"github.com/sagasu-search/sagasu/framework/internal/bench"
	"github.com/sagasu-search/sagasu/framework/internal/corpus"
	"github.com/sagasu-search/sagasu/framework/internal/eval"
	"github.com/sagasu-search/sagasu/framework/internal/eval/testbed"
	"github.com/sagasu-search/sagasu/framework/internal/toolset"
	"github.com/sagasu-search/sagasu/sdk"
	"github.com/sagasu-search/sagasu/sdk/x/rest"
)

// benchOptions is the command line of sagasu-bench.
type benchOptions struct {
	Queries string   `json:"queries" doc:"judged queries as for eval, one JSON object a line, in this file"`
	N       int      `json:"n" min:"1" default:"200" doc:"queries to ask, at even distances of all"`
	Rounds  int      `json:"rounds" min:"1" default:"3" doc:"how often an index is built"`
	Sagasu  string   `json:"sagasu" doc:"the sagasu to measure; the one beside this program when not given"`
	Before  string   `json:"before" doc:"an earlier sagasu, whose CPU a search is measured beside"`
	Peers   string   `json:"peers" doc:"the program built from cmd/sagasu-bench/peers"`
	Only    []string `json:"only" doc:"measure only these parts, separated by commas"`
	Growth  []string `json:"growth" doc:"measure the same queries on the manuals of this folder too; may be repeated"`
	Grow    *int     `json:"grow" min:"1" doc:"measure nothing; write a corpus of about so many sections"`
	Into    string   `json:"into" doc:"with --grow: the new folder of that corpus"`
	Check   bool     `json:"check" doc:"end with exit code 1 when a bar is missed"`
}

// Bench runs the command line of sagasu-bench and returns its exit code.
func Bench(strategies []sdk.Entry, args []string) int {
	if code, child := app.ServeChild(strategies, args); child {
		return code
	}
	prog := &program{strategies: strategies}
	root := benchCommand(prog)
	prog.Flags = app.RegisterFlags(root.PersistentFlags())
	root.SetFlagErrorFunc(wrongFlag)
	root.AddCommand(settingsTopic(root.PersistentFlags()))
	root.CompletionOptions.HiddenDefaultCmd = true
	showUsualSettings(root)
	return execute(root, args)
}

func benchCommand(prog *program) *cobra.Command {
	c := &cobra.Command{
		Use:           "sagasu-bench --manuals DIR",
		Version:       version(),
		SilenceErrors: true,
		SilenceUsage:  true,
		Short:         "Measure speed on your manuals, beside other search libraries",
		Long: `sagasu-bench measures, in one run, how fast an index is built, how long a query takes
by BM25 alone and as manual_find over MCP, what processes of their own cost, what
CPU a search takes, how soon the first answer and an edit come, what memory is
used and what a cached answer takes. It prints the figures as a Markdown table.

The manuals are only read. The index and all else lies in a private temporary
folder that is gone when it ends. Strategies are used as they ship; the
cache is off where it is not what is measured, and nothing adapts.

With --peers, the program of cmd/sagasu-bench/peers answers the same queries in turn, so that
the noise of the machine hits both.

A bar is printed beside each figure that has one; they are meant for some 70,000
sections. With --before, an earlier sagasu is asked the same queries in turn, and its CPU is
the peer of ours. With --check, a bar that is missed ends the command with exit code 1.

With --grow, nothing is measured: a corpus of about so many sections is written,
the manuals repeated under other names with part of their words exchanged. Name
it with --growth to ask it the same queries.`,
		Example: `  sagasu-bench --manuals corpus --queries queries.jsonl --peers ./peers > table.md
  sagasu-bench --manuals corpus --queries queries.jsonl --only bm25,border
  sagasu-bench --manuals corpus --grow 700000 --into /tmp/ten-times
  sagasu-bench --manuals corpus --queries queries.jsonl --growth /tmp/ten-times --check`,
		Args: takes(0, 0),
	}
	options := bind[benchOptions](c, wordless, "queries n,n rounds sagasu before peers only growth grow into check")
	c.Flags().Lookup("only").Usage += ": " + strings.Join(bench.Parts(), ", ")
	c.RunE = func(c *cobra.Command, _ []string) error {
		o, err := options(nil)
		if err == nil {
			err = o.validate()
		}
		switch {
		case err != nil:
			return err
		case o.Grow != nil:
			return runGrow(c, prog, &o)
		}
		return runBench(c, prog, &o)
	}
	return c
}

// validate finds errors before anything is measured.
func (o *benchOptions) validate() error {
	switch {
	case (o.Grow != nil) != (o.Into != ""):
		return usageError{errors.New("--grow and --into belong together")}
	case o.Grow == nil && o.Queries == "":
		return usageError{errors.New("--queries is required")}
	}
	o.Only = splitCommas(o.Only)
	for _, name := range o.Only {
		if !slices.Contains(bench.Parts(), name) {
			return usageError{toolset.Unknown("part", name, bench.Parts())}
		}
	}
	if o.Before != "" {
		if _, err := os.Stat(o.Before); err != nil {
			return usageError{fmt.Errorf("--before: %w", err)}
		}
	}
	if o.Peers != "" {
		if _, err := os.Stat(o.Peers); err != nil {
			return usageError{fmt.Errorf("--peers: %w (build it: cd cmd/sagasu-bench/peers && go build -o peers .)",
				err)}
		}
	}
	return nil
}

// manualsOf lists the manuals of the command line or the workspace. If there are none, the error says what to do.
func manualsOf(ctx context.Context, prog *program) ([]corpus.Manual, error) {
	w, err := prog.load()
	if err != nil {
		return nil, err
	}
	manuals, err := w.Manuals(ctx)
	if err == nil && len(manuals) == 0 {
		err = errors.New(w.Hint(ctx, false))
	}
	return manuals, err
}

func runGrow(c *cobra.Command, prog *program, o *benchOptions) error {
	manuals, err := manualsOf(c.Context(), prog)
	if err != nil {
		return err
	}
	files, err := bench.Read(c.Context(), manuals)
	if err != nil {
		return err
	}
	progress, done := stepProgress(c.ErrOrStderr())
	written, err := bench.Grow(c.Context(), files, *o.Grow, filepath.Clean(o.Into), progress)
	done()
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(c.OutOrStdout(), "wrote %d sections to %s\n", written, o.Into)
	return err
}

func runBench(c *cobra.Command, prog *program, o *benchOptions) error {
	options, err := o.measuring(c, prog)
	if err != nil {
		return err
	}
	progress, done := stepProgress(c.ErrOrStderr())
	options.Progress = progress
	report, err := bench.Run(c.Context(), *options)
	done()
	if err != nil {
		return err
	}
	if err := report.WriteMarkdown(c.OutOrStdout()); err != nil {
		return err
	}
	if missed := report.Missed(); o.Check && len(missed) > 0 {
		fmt.Fprintf(c.ErrOrStderr(), "sagasu-bench: %d bars are missed\n", len(missed))
		return errReported
	}
	return nil
}

// restMargin is the time allowed for what an idle server does.
const restMargin = 2 * time.Second

// measuring returns the benchmark options for the command line.
func (o *benchOptions) measuring(c *cobra.Command, prog *program) (_ *bench.Options, err error) {
	out := &bench.Options{Limit: o.N, Rounds: o.Rounds, Only: o.Only,
		Ours:   testbed.Ours(c.Context(), prog.options(c.Context(), io.Discard)),
		Before: o.Before, Rest: rest.Quiet + restMargin}
	if out.Manuals, err = manualsOf(c.Context(), prog); err != nil {
		return nil, err
	}
	if out.Binary, err = o.measured(); err != nil {
		return nil, err
	}
	if out.Queries, err = eval.ReadQueryFile(o.Queries); err != nil {
		return nil, err
	}
	if o.Peers != "" {
		out.Peer = []string{o.Peers}
	}
	for _, dir := range o.Growth {
		manuals, err := corpus.Manuals(dir, nil)
		if err != nil {
			return nil, usageError{fmt.Errorf("--growth %s: it must be a folder of manuals", dir)}
		}
		out.Growth = append(out.Growth, bench.Grown{Name: dir, Manuals: manuals})
	}
	return out, nil
}

// measured finds the sagasu binary to measure.
func (o *benchOptions) measured() (string, error) {
	if o.Sagasu != "" {
		return filepath.Abs(o.Sagasu)
	}
	self, err := os.Executable()
	if err != nil {
		return "", err
	}
	beside := filepath.Join(filepath.Dir(self), "sagasu"+filepath.Ext(self))
	if _, err := os.Stat(beside); err != nil {
		return "", usageError{errors.New("there is no sagasu beside this program; name one with --sagasu")}
	}
	return beside, nil
}
