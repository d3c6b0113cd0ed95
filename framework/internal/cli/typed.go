package cli

import (
	"context"
	"io"

	"github.com/spf13/cobra"

	"github.com/sagasu-search/sagasu/framework/internal/app"
	"github.com/sagasu-search/sagasu/framework/internal/module"
	"github.com/sagasu-search/sagasu/framework/internal/toolset"
)

// typedCommand is a subcommand that calls one function of a product: arguments turns the command
// line into the tool's arguments, show prints the result for a person.
func typedCommand[M module.Module, A, R any](
	prog *program, c *cobra.Command, function func(M, context.Context, A) (R, error),
	arguments func(args []string) (A, error), show func(w io.Writer, result R),
) *cobra.Command {
	var asJSON bool
	c.Flags().BoolVar(&asJSON, "json", false, "print the tool's structured result")
	c.RunE = func(c *cobra.Command, args []string) error {
		in, err := arguments(args)
		if err != nil {
			return usageError{err}
		}
		if in, err = toolset.Check(in); err != nil {
			return err
		}
		a, err := open(c.Context(), prog, c.ErrOrStderr())
		if err != nil {
			return err
		}
		defer a.Close()
		result, err := function(app.Module[M](a), c.Context(), in)
		if err != nil {
			failed := toolset.Explain(err)
			if failed.Code == toolset.Internal {
				a.Logger.Error("call", "command", c.Name(), "cause", err)
			}
			return failed
		}
		if asJSON {
			return printJSON(c.OutOrStdout(), result)
		}
		show(c.OutOrStdout(), result)
		return nil
	}
	return c
}
