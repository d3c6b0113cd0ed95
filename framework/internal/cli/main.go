package cli

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
	"time"

	"github.com/hashicorp/go-hclog"
	"github.com/spf13/cobra"

	"github.com/sagasu-search/sagasu/framework/internal/app"
	"github.com/sagasu-search/sagasu/framework/internal/host"
	"github.com/sagasu-search/sagasu/framework/internal/manuals"
	"github.com/sagasu-search/sagasu/framework/internal/server"
	"github.com/sagasu-search/sagasu/framework/internal/toolset"
	"github.com/sagasu-search/sagasu/sdk"
	"github.com/sagasu-search/sagasu/sdk/x/guard"
	"github.com/sagasu-search/sagasu/sdk/x/lazyregexp"
)

// Exit codes.
const (
	exitFailure = 1 // the command ran and failed
	exitUsage   = 2 // the command line was wrong
	exitNothing = 3 // there was nothing to compare

	exitInterrupted = 130 // as in shells
)

// Main runs the command line with the compiled-in strategies and returns its exit code.
func Main(strategies []sdk.Entry, args []string) int {
	if code, child := app.ServeChild(strategies, args); child {
		return code
	}
	deferGC(startTime) // creating the commands takes part of the heap
	return execute(newRoot(strategies), args)
}

// execute runs a command line and returns its exit code. A panic counts as a failure.
func execute(root *cobra.Command, args []string) (code int) {
	if err := guard.Call(func() error { code = run(root, args); return nil }); err != nil {
		return report(root, err)
	}
	return code
}

// run is execute without the recovery from panics.
func run(root *cobra.Command, args []string) int {
	boundHeap()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM, syscall.SIGHUP)
	defer stop()
	defer endAfter(ctx, exitInterrupted)()
	out := &output{file: os.Stdout}
	root.SetArgs(args)
	root.SetOut(out)
	command, err := root.ExecuteContextC(ctx)
	if out.err != nil && (err == nil || errors.Is(err, errors.Unwrap(out.err))) {
		err = fmt.Errorf("standard output: %w", out.err)
	}
	misuse, misused := errors.AsType[usageError](err)
	switch {
	case err == nil:
		return 0
	case errors.Is(err, errReported):
		return exitFailure
	case errors.Is(err, errNothing):
		return exitNothing
	case misused:
		fmt.Fprintf(os.Stderr, "%s: %s\nTry '%s --help'.\n", root.Name(), clipped(misuse.Error()),
			command.CommandPath())
		return exitUsage
	case ctx.Err() != nil:
		fmt.Fprintf(os.Stderr, "%s: interrupted\n", root.Name())
		return exitInterrupted
	}
	if failed, ok := errors.AsType[*toolset.Error](err); ok && forMachine(command) &&
		printJSON(out, server.ErrorResult(failed)) == nil {
		return exitFailure
	}
	return report(root, err)
}

// report prints in one line what failed. For a panic it also logs where, at level debug. The level comes from the flag
// or the environment, since the configuration may be what failed.
func report(root *cobra.Command, err error) int {
	said := clipped(surface(err))
	bad, panicked := errors.AsType[*guard.PanicError](err)
	if _, strategy := errors.AsType[host.Failure](err); panicked && !strategy {
		said = fmt.Sprintf("internal error: %s (--log-level debug shows where)", clipped(bad.Value))
	}
	fmt.Fprintf(os.Stderr, "%s: %s\n", root.Name(), said)
	level := cmp.Or(root.PersistentFlags().Lookup("log-level").Value.String(), os.Getenv("LOG_LEVEL"), "info")
	guard.LogStack(loggerAt(hclog.LevelFromString(level)), err)
	return exitFailure
}

// longWord matches a word so long that it hides the sentence around it.
var longWord = lazyregexp.New(`[^\s"']{200,}`)

// clipped shortens words of an error that are too long to read.
func clipped(text string) string {
	return longWord().ReplaceAllStringFunc(text, func(word string) string {
		runes := []rune(word)
		return string(runes[:100]) + "…" + string(runes[len(runes)-20:])
	})
}

// forMachine reports whether JSON was requested.
func forMachine(c *cobra.Command) bool {
	f := c.Flags().Lookup("json")
	return f != nil && f.Value.String() == "true"
}

// errReported is a failure that was already reported to the caller.
var errReported = errors.New("reported")

// errNothing was already reported too: there was nothing to compare.
var errNothing = errors.New("nothing to compare")

// surface returns the sentence for a human reader: a fault's message with its suggestions, or the whole chain of an
// unexpected error.
func surface(err error) string {
	f, ok := errors.AsType[*toolset.Error](err)
	if !ok || f.Code == toolset.Internal {
		return err.Error()
	}
	near, ok := f.Details["did_you_mean"].([]string)
	if ok && len(near) > 0 && !strings.Contains(f.Message, "did you mean") {
		return fmt.Sprintf("%s (did you mean %q?)", f.Message, near[0])
	}
	return f.Message + pointedTo(f)
}

// pointedTo returns the details that the message of a search refers to, each on its own line.
func pointedTo(f *toolset.Error) string {
	switch f.Code {
	case toolset.NotAvailable:
		if warnings, ok := f.Details["warnings"].([]string); ok && len(warnings) > 0 {
			return "\n" + strings.Join(warnings, "\n")
		}
	case toolset.NeedsNarrowScope:
		prefixes, _ := f.Details["prefixes"].([]manuals.Prefix)
		var list strings.Builder
		for _, p := range prefixes {
			fmt.Fprintf(&list, "\n%s  %d files", p.PathPrefix, p.Files)
		}
		return list.String()
	case toolset.InvalidQuery:
		if example, ok := f.Details["example"].(map[string]any); ok {
			return fmt.Sprintf("\nfor example: %s", example["query"])
		}
	case toolset.FilterError:
		example, _ := f.Details["example"].(map[string]any)
		all, _ := example["filters"].([]any)
		if entry, ok := f.Details["entry"].(int); ok && entry < len(all) {
			one, _ := json.Marshal(all[entry]) // it came from JSON
			return fmt.Sprintf("\nfor example: --filter '%s'", one)
		}
	case toolset.RunNotFound:
		if runs, ok := f.Details["newest_runs"].([]string); ok && len(runs) > 0 {
			return "\nnewest_runs: " + strings.Join(runs, " ")
		}
	}
	return ""
}

// Root returns the tree of commands, for generating documentation.
func Root() *cobra.Command { return newRoot(nil) }

func newRoot(strategies app.Strategies) *cobra.Command {
	root := &cobra.Command{
		Use:   "sagasu",
		Short: "Search manuals so that nothing relevant is missed",
		Long: `sagasu searches manuals, Japanese and English: Markdown, JSON and text, and documents
such as HTML, EPUB and those of Office, with several retrieval strategies at once. It
is an MCP server for agents (sagasu mcp) and a command line for people.`,
		Example: `  sagasu find "初期化の手順" --workspace ~/docs
  sagasu find "refund deadline" --manuals ./handbook --explain
  sagasu import docs book.epub manuals.zip --into shop --workspace ~/docs
  sagasu mcp --workspace ~/docs`,
		Version:       version(),
		SilenceErrors: true,
		SilenceUsage:  true,

		SuggestionsMinimumDistance: 2,
	}
	prog := &program{Flags: app.RegisterFlags(root.PersistentFlags()), strategies: strategies}
	root.SetFlagErrorFunc(wrongFlag)
	for _, c := range []*cobra.Command{
		findCommand(prog), searchCommand(prog), linksCommand(prog), mcpCommand(prog), indexCommand(prog),
		lsCommand(prog), tocCommand(prog), hitsCommand(prog), readCommand(prog), scanCommand(prog),
		exceptsCommand(prog), dictCommand(prog), vaultCommand(prog), bridgeCommand(prog),
		callCommand(prog), evalCommand(prog), pluginCommand(prog), versionCommand(),
		doctorCommand(prog), statsCommand(prog), importPublications(prog), rrfCommand(prog), askCommand(prog),
		initCommand(prog), serveCommand(prog),
	} {
		root.AddCommand(c)
	}
	root.AddCommand(settingsTopic(root.PersistentFlags()))
	showUsualSettings(root)
	wantTopic(root)
	root.InitDefaultCompletionCmd()
	checkWords(root)
	return root
}

// checkWords makes a command and its subcommands refuse words that their usage lines do not name.
func checkWords(c *cobra.Command) {
	switch {
	case c.HasSubCommands() && !c.Runnable():
		c.Args, c.RunE = noSuchCommand, func(c *cobra.Command, _ []string) error { return c.Help() }
	case c.Args == nil && c.Runnable():
		c.Args = takes(arity(c.Use))
	}
	for _, below := range c.Commands() {
		checkWords(below)
	}
}

// noSuchCommand refuses a word in place of a command.
func noSuchCommand(c *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	if near := c.SuggestionsFor(args[0]); len(near) > 0 {
		return usageError{fmt.Errorf("unknown command %q, did you mean %q?", args[0], near[0])}
	}
	return usageError{fmt.Errorf("unknown command %q", args[0])}
}

const (
	// startTime is how long a process counts as starting.
	startTime = time.Second
	// startGC is the percentage by which the heap may grow before garbage is collected while the process starts.
	startGC = 800
	// usualGC is the same for the time afterwards. With 150 here and in strategies, a search takes 4 % more CPU and all
	// processes 13 MB less; with 300, a search takes as much CPU and they take 14 MB more.
	usualGC = 250
)

// deferGC makes garbage collection rarer while the process starts, since the start needs the cores for other work. It
// respects the user's GOGC.
func deferGC(length time.Duration) {
	if os.Getenv("GOGC") != "" {
		return
	}
	debug.SetGCPercent(startGC)
	time.AfterFunc(length, func() { debug.SetGCPercent(usualGC) })
}

// softHeap is the target size of the heap in bytes while a large index is built. Without it, the heap doubles before
// garbage is collected, however little memory the machine has.
const softHeap = 640 << 20

// boundHeap makes garbage collection more frequent near softHeap. It respects the user's memory limit.
func boundHeap() {
	if os.Getenv("GOMEMLIMIT") == "" {
		debug.SetMemoryLimit(softHeap)
	}
}
