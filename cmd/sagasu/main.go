package main

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"runtime/debug"
	"strings"
	"syscall"

	"github.com/hashicorp/go-hclog"
	"github.com/spf13/cobra"

	"github.com/sagasu-search/sagasu/framework/fault"
	"github.com/sagasu-search/sagasu/framework/host"
	"github.com/sagasu-search/sagasu/framework/mcpserver"
	"github.com/sagasu-search/sagasu/framework/workspace"
)

// Exit codes.
const (
	exitFailure = 1 // the command ran and failed
	exitUsage   = 2 // the command line was wrong

	exitInterrupted = 130 // as shells say it
)

func main() {
	_ = host.LoosenTimers() // what does without only costs more
	os.Exit(run(os.Args[1:]))
}

func run(args []string) int { return execute(newRoot(), args) }

// execute runs a command line and gives its exit code. A panic is a failure like others.
func execute(root *cobra.Command, args []string) (code int) {
	defer func() {
		if p := recover(); p != nil {
			tellPanic(root, p, debug.Stack())
			code = exitFailure
		}
	}()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM, syscall.SIGHUP)
	defer stop()
	out := &output{File: os.Stdout}
	root.SetArgs(args)
	root.SetOut(out)
	command, err := root.ExecuteContextC(ctx)
	if err == nil && out.err != nil {
		err = fmt.Errorf("standard output: %w", out.err)
	}
	misuse, misused := errors.AsType[usageError](err)
	switch {
	case err == nil:
		return 0
	case errors.Is(err, errReported):
		return exitFailure
	case misused:
		fmt.Fprintf(os.Stderr, "sagasu: %v\nTry '%s --help'.\n", misuse.error, command.CommandPath())
		return exitUsage
	case ctx.Err() != nil:
		fmt.Fprintln(os.Stderr, "sagasu: interrupted")
		return exitInterrupted
	}
	if failed, ok := errors.AsType[*fault.Error](err); ok && forMachine(command) && printJSON(out, mcpserver.ErrorResult(failed)) == nil {
		return exitFailure
	}
	fmt.Fprintln(os.Stderr, "sagasu:", surface(err))
	return exitFailure
}

// tellPanic says in one line what broke, and in the log where, if that is at debug.
// The level is that of flag or environment: a configuration may be what broke.
func tellPanic(root *cobra.Command, p any, stack []byte) {
	what := strings.Join(strings.Fields(fmt.Sprint(p)), " ")
	fmt.Fprintf(os.Stderr, "sagasu: internal error: %s (--log-level debug tells where)\n", what)
	level := cmp.Or(workspace.Given(root.PersistentFlags().Lookup("log-level")), os.Getenv("LOG_LEVEL"), "info")
	loggerAt(hclog.LevelFromString(level)).Debug("panic", "error", what, "stack", string(stack))
}

// forMachine reports whether a command was asked for JSON.
func forMachine(c *cobra.Command) bool {
	f := c.Flags().Lookup("json")
	return f != nil && f.Value.String() == "true"
}

// errReported has been told to the caller already.
var errReported = errors.New("reported")

// surface is the sentence that a person sees: a fault's message with its
// suggestions, or the whole chain of an unexpected error.
func surface(err error) string {
	f, ok := errors.AsType[*fault.Error](err)
	if !ok || f.Code == fault.Internal {
		return err.Error()
	}
	if near, ok := f.Details["did_you_mean"].([]string); ok && len(near) > 0 {
		return fmt.Sprintf("%s (did you mean %q?)", f.Message, near[0])
	}
	return f.Message + pointedTo(f)
}

// pointedTo is the detail that the message of a publication search leads to, on a line of
// its own.
func pointedTo(f *fault.Error) string {
	switch f.Code {
	case fault.InvalidQuery:
		if example, ok := f.Details["example"].(map[string]any); ok {
			return fmt.Sprintf("\nfor example: %s", example["query"])
		}
	case fault.FilterError:
		if example, err := json.Marshal(f.Details["example"]); err == nil {
			return fmt.Sprintf("\nfor example: --filter '%s'", strings.Trim(string(example), "[]"))
		}
	case fault.RunNotFound:
		if runs, ok := f.Details["newest_runs"].([]string); ok && len(runs) > 0 {
			return "\nnewest_runs: " + strings.Join(runs, " ")
		}
	}
	return ""
}

func newRoot() *cobra.Command {
	root := &cobra.Command{
		Use:   "sagasu",
		Short: "Search manuals so that nothing relevant is missed",
		Long: `sagasu searches Markdown and JSON manuals, Japanese and English, with several
retrieval strategies at once. It is an MCP server for agents (sagasu mcp) and a
command line for people.`,
		Example: `  sagasu find "初期化の手順" --workspace ~/docs
  sagasu find "refund deadline" --manuals ./handbook --explain
  sagasu mcp --workspace ~/docs`,
		Version:       version(),
		Args:          noSuchCommand,
		RunE:          help,
		SilenceErrors: true,
		SilenceUsage:  true,

		SuggestionsMinimumDistance: 2,
	}
	flags := workspace.RegisterFlags(root.PersistentFlags())
	root.SetFlagErrorFunc(wrongFlag)
	for _, c := range []*cobra.Command{
		findCommand(flags), mcpCommand(flags), indexCommand(flags),
		lsCommand(flags), tocCommand(flags), hitsCommand(flags), readCommand(flags), scanCommand(flags),
		exceptsCommand(flags), dictCommand(flags), vaultCommand(flags), bridgeCommand(flags),
		callCommand(flags), evalCommand(flags), benchCommand(flags), pluginCommand(flags), versionCommand(),
		doctorCommand(flags), statsCommand(flags), importPublications(), rrfCommand(flags), askCommand(flags),
	} {
		root.AddCommand(c)
	}
	root.AddCommand(settingsTopic(root.PersistentFlags()))
	showUsualSettings(root)
	root.InitDefaultCompletionCmd()
	if c, _, err := root.Find([]string{"completion"}); err == nil {
		c.Args, c.RunE = noSuchCommand, help
	}
	return root
}

// noSuchCommand refuses a word where a command should stand.
func noSuchCommand(c *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	if near := c.SuggestionsFor(args[0]); len(near) > 0 {
		return usageError{fmt.Errorf("unknown command %q, did you mean %q?", args[0], near[0])}
	}
	return usageError{fmt.Errorf("unknown command %q", args[0])}
}

// help is what a command of commands does by itself.
func help(c *cobra.Command, _ []string) error { return c.Help() }
