package cli

import (
	"cmp"
	"context"
	"errors"
	"io"
	"regexp"
	"strings"

	"github.com/spf13/cobra"

	"github.com/sagasu-search/sagasu/framework/internal/app"
	"github.com/sagasu-search/sagasu/framework/internal/module"
	"github.com/sagasu-search/sagasu/framework/internal/toolset"
	"github.com/sagasu-search/sagasu/framework/internal/workspace"
)

// reportCommand returns a subcommand that prints the result of run: by show for a person, or as JSON
// with --json, whose help is usage. A result beside errReported is printed, too.
func reportCommand[R any](
	c *cobra.Command, usage string, run func(c *cobra.Command, args []string) (R, error),
	show func(w io.Writer, result R) error,
) *cobra.Command {
	asJSON := c.Flags().Bool("json", false, usage)
	c.RunE = func(c *cobra.Command, args []string) error {
		result, err := run(c, args)
		if err != nil && !errors.Is(err, errReported) {
			return err
		}
		return cmp.Or(printResult(c.OutOrStdout(), *asJSON, result, show), err)
	}
	return c
}

// printResult prints a result as JSON, or by show for a person.
func printResult[R any](w io.Writer, asJSON bool, result R, show func(w io.Writer, result R) error) error {
	if asJSON {
		return printJSON(w, result)
	}
	return show(w, result)
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

// withWorkspace calls do with the workspace loaded.
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

// toolCommand returns a subcommand that calls one function of a product with the arguments that
// [bind] reads. show prints the result for a person.
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

// toolNames are the tools that are commands, too.
var toolNames = regexp.MustCompile(
	`\b(manual_(ls|toc|read|scan|find|hits|search|links|excepts)|vault_(ls|read|find|search)|bridge_copy_\w+|rrf_(blend|mutate)_\w+|run_multilane_search)\b`)

// forPeople returns an error of a tool that names commands instead of tools, and flags instead of arguments.
func forPeople(failed *toolset.Error, c *cobra.Command) *toolset.Error {
	e := *failed
	e.Message = toolNames.ReplaceAllStringFunc(withFlag(failed, c), func(name string) string {
		name = strings.NewReplacer("_frontier", "", "_run", "", "_section", "", "copy_file", "copy",
			"run_multilane_search", "rrf_fulltext").Replace(strings.TrimPrefix(name, "manual_"))
		return "sagasu " + strings.ReplaceAll(name, "_", " ")
	})
	return &e
}
