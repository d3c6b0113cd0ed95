package cli

import (
	"encoding/json"
	"io"

	"github.com/spf13/cobra"
)

// toolCommand is a subcommand that calls one tool: arguments turns the command
// line into the tool's arguments, show prints its result for a person.
func toolCommand(prog *program, c *cobra.Command, tool string,
	arguments func(args []string) (map[string]any, error), show func(w io.Writer, result any),
) *cobra.Command {
	var asJSON bool
	c.Flags().BoolVar(&asJSON, "json", false, "print the tool's structured result")
	c.RunE = func(c *cobra.Command, args []string) error {
		named, err := arguments(args)
		if err != nil {
			return usageError{err}
		}
		return runTool(c, prog, tool, named, asJSON, show)
	}
	return c
}

// runTool calls a tool and prints its result.
func runTool(c *cobra.Command, prog *program, tool string, named map[string]any, asJSON bool, show func(w io.Writer, result any)) error {
	raw, err := json.Marshal(named)
	if err != nil {
		return err
	}
	a, err := open(c.Context(), prog, c.ErrOrStderr())
	if err != nil {
		return err
	}
	defer a.Close()
	if asJSON {
		return callOne(c.Context(), a, c.OutOrStdout(), tool, raw)
	}
	result, failed := a.tools.Call(c.Context(), tool, raw, nil)
	if failed != nil {
		return failed
	}
	show(c.OutOrStdout(), result)
	return nil
}
