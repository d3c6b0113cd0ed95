package cli

import (
	"context"
	"io"

	"github.com/spf13/cobra"

	"github.com/sagasu-search/sagasu/framework/internal/app"
	"github.com/sagasu-search/sagasu/framework/internal/module"
	"github.com/sagasu-search/sagasu/framework/internal/toolset"
)

// toolCommand is a subcommand that calls one function of a product with the arguments that
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
				err = failed
			}
			return result, err
		})(c, line)
	}, show)
}
