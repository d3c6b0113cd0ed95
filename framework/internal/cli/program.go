package cli

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/hashicorp/go-hclog"
	"github.com/spf13/cobra"

	"github.com/sagasu-search/sagasu/framework/internal/app"
	"github.com/sagasu-search/sagasu/framework/internal/index"
	"github.com/sagasu-search/sagasu/framework/internal/module"
	"github.com/sagasu-search/sagasu/framework/internal/toolset"
	"github.com/sagasu-search/sagasu/framework/internal/workspace"
	"github.com/sagasu-search/sagasu/sdk/x/lazyregexp"
)

// program is what every subcommand receives: the settings from the command line and the compiled-in strategies.
type program struct {
	*workspace.Flags
	strategies app.Strategies
	warm       bool // the command searches: strategies start first
}

// searching returns the program for a command that always searches.
func (p *program) searching() *program {
	return &program{p.Flags, p.strategies, true}
}

// load reads the workspace that the command line names. Mistakes in it are usage errors.
func (p *program) load() (*workspace.Workspace, error) {
	w, err := app.Load(workspace.LoadOptions{Flags: *p.Flags}, p.strategies)
	if err != nil {
		return nil, usageError{err}
	}
	return w, nil
}

// sameWorkspace returns the flags with which another command works on the same workspace.
func (p *program) sameWorkspace() (flags string) {
	if root := p.Values["WORKSPACE_ROOT"]; root != "" {
		flags = " --workspace " + shellWord(root)
	}
	for _, dir := range p.Manuals {
		flags += " --manuals " + shellWord(dir)
	}
	return flags
}

// unquoted matches what a shell reads as one word without quotes.
var unquoted = lazyregexp.New(`^[\p{L}\p{N}_./:@%+=,-]+$`)

// shellWord quotes a word for a shell if necessary.
func shellWord(word string) string {
	if unquoted().MatchString(word) {
		return word
	}
	return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
}

// open opens the workspace that the command line names. Progress goes to watch, which is nil for a server. A server
// logs according to its configuration; a command logs only problems.
func open(ctx context.Context, prog *program, watch io.Writer) (*app.App, error) {
	a, err := app.Open(ctx, prog.options(ctx, watch))
	return a, misconfigured(err)
}

// options are the options with which open opens the workspace.
func (p *program) options(ctx context.Context, watch io.Writer) app.Options {
	options := app.Options{
		Sources: workspace.LoadOptions{Flags: *p.Flags}, Strategies: p.strategies, Version: version(), Warm: p.warm,
		Logger: func(w *workspace.Workspace) hclog.Logger { return newLogger(w, watch != nil) },
	}
	if d, ok := ctx.Value(developedKey{}).(*developed); ok {
		options.Development = d
		options.Logger = func(w *workspace.Workspace) hclog.Logger {
			return d.logger(newLogger(w, watch != nil).GetLevel())
		}
	}
	if watch != nil {
		options.Progress = func(work string) (func(index.Progress), func()) { return progressOf(watch, work+": ") }
	}
	return options
}

// misconfigured turns mistakes in the user's files into usage errors of one line.
func misconfigured(err error) error {
	if wrong, ok := errors.AsType[*module.ConfigError](err); ok {
		return usageError{errors.New(plain(wrong.Error()))}
	}
	return firstMistake(err)
}

func newLogger(w *workspace.Workspace, quiet bool) hclog.Logger {
	level := hclog.LevelFromString(w.LogLevel)
	if quiet && w.Origin("LOG_LEVEL") == "default" {
		level = hclog.Error
	}
	return loggerAt(level)
}

func loggerAt(level hclog.Level) hclog.Logger {
	return hclog.New(&hclog.LoggerOptions{Name: "sagasu", Level: level, Output: logLines{os.Stderr}, JSONFormat: true})
}

// reportCommand returns a subcommand that prints the result of run: with show for a human reader, or as JSON with
// --json, whose help is usage. It also prints a result that comes with errReported.
func reportCommand[R any](
	c *cobra.Command, usage string, run func(c *cobra.Command, args []string) (R, error),
	show func(w io.Writer, result R) error,
) *cobra.Command {
	c.Flags().Bool("json", false, usage)
	c.RunE = func(c *cobra.Command, args []string) error {
		result, err := run(c, args)
		if err != nil && !errors.Is(err, errReported) {
			return err
		}
		return cmp.Or(printResult(c, result, show), err)
	}
	return c
}

// printResult prints the result of a command as JSON, or with show for a human reader.
func printResult[R any](c *cobra.Command, result R, show func(w io.Writer, result R) error) error {
	if forMachine(c) {
		return printJSON(c.OutOrStdout(), result)
	}
	return show(c.OutOrStdout(), result)
}

// printJSON writes v indented, without HTML escapes.
func printJSON(w io.Writer, v any) error {
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	return enc.Encode(v)
}

// withApp calls do with the framework open.
func withApp[R any](
	prog *program, do func(ctx context.Context, a *app.App, args []string) (R, error),
) func(*cobra.Command, []string) (R, error) {
	return func(c *cobra.Command, args []string) (result R, err error) {
		a, err := open(c.Context(), prog, c.ErrOrStderr())
		if err != nil {
			return result, err
		}
		defer a.Close()
		return do(c.Context(), a, args)
	}
}

// withWorkspace calls do with the loaded workspace.
func withWorkspace[R any](
	prog *program, do func(c *cobra.Command, w *workspace.Workspace, args []string) (R, error),
) func(*cobra.Command, []string) (R, error) {
	return func(c *cobra.Command, args []string) (result R, err error) {
		w, err := prog.load()
		if err != nil {
			return result, err
		}
		return do(c, w, args)
	}
}

// reportedIf returns errReported for a result that is a failure.
func reportedIf(failure bool) error {
	if failure {
		return errReported
	}
	return nil
}

// mayWrite refuses to change a read-only workspace's files, or its external collection.
func mayWrite(prog *program, what string) func(*cobra.Command, []string) error {
	return func(*cobra.Command, []string) error {
		w, err := prog.load()
		if err == nil && w.ReadOnly {
			err = fmt.Errorf("READ_ONLY is set (%s): nothing is %s", w.Origin("READ_ONLY"), what)
		}
		return err
	}
}

// toolCommand returns a subcommand that calls one function of a product with the arguments that [bind] reads. show
// prints the result for a human reader.
func toolCommand[M module.Module, A, R any](
	prog *program, c *cobra.Command, read wordReader, flags string,
	function func(M, context.Context, A) (R, error), show func(w io.Writer, result R) error,
) *cobra.Command {
	arguments := bind[A](c, read, flags)
	return reportCommand(c, "print the structured result", func(c *cobra.Command, line []string) (result R, err error) {
		in, err := arguments(line)
		if err != nil {
			return result, err
		}
		return withApp(prog, func(ctx context.Context, a *app.App, _ []string) (R, error) {
			result, err := function(app.Module[M](a), ctx, in)
			if err == nil {
				return result, nil
			}
			if failed := toolset.Explain(err); failed.Code != toolset.Internal {
				err = forPeople(failed, c)
			}
			return result, err
		})(c, line)
	}, show)
}

// toolName matches names of tools, and of arguments, which are not names of commands.
var toolName = lazyregexp.New(`\b(manual|vault|bridge|rrf|run)(_[a-z]+)+\b`)

// forPeople returns an error of a tool with names of commands in place of tools, and of flags in place of arguments.
func forPeople(failed *toolset.Error, c *cobra.Command) *toolset.Error {
	e := *failed
	e.Message = toolName().ReplaceAllStringFunc(withFlag(failed, c), func(tool string) string {
		return cmp.Or(commandOf(c.Root(), tool), tool)
	})
	return &e
}

// commandOf returns the command that does the same as a tool, such as sagasu bridge copy for bridge_copy_file, or "".
func commandOf(root *cobra.Command, tool string) string {
	if tool == "run_multilane_search" {
		tool = "rrf_fulltext"
	}
	c, _, _ := root.Find(strings.Split(strings.TrimPrefix(tool, "manual_"), "_"))
	if c.HasSubCommands() {
		return ""
	}
	return c.CommandPath()
}

// logLines renames the members that hclog marks with an @, so that a line reads {"ts": …, "level": …, "msg": …}. hclog
// writes one line at a time, and the quotes of these names would be escaped inside a JSON string.
type logLines struct{ out io.Writer }

var logNames = strings.NewReplacer(`"@timestamp":`, `"ts":`, `"@level":`, `"level":`, `"@message":`, `"msg":`,
	`"@module":`, `"module":`)

func (l logLines) Write(line []byte) (int, error) {
	if _, err := io.WriteString(l.out, logNames.Replace(string(line))); err != nil {
		return 0, err
	}
	return len(line), nil
}
