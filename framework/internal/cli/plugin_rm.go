package cli

import (
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/sagasu-search/sagasu/framework/internal/host/trust"
	"github.com/sagasu-search/sagasu/framework/internal/workspace"
)

func pluginRmCommand(prog *program) *cobra.Command {
	return &cobra.Command{
		Use:     "rm NAME",
		Short:   "Remove an installed strategy",
		Example: `  sagasu plugin rm titles`,
		Args:    exactly(1),

		ValidArgsFunction: completeInstalled(prog),
		RunE: func(c *cobra.Command, args []string) error {
			w, err := workspace.Load(workspace.LoadOptions{Flags: *prog.Flags})
			if err != nil {
				return usageError{err}
			}
			p, err := installer(w, prog.strategies.names()).Remove(c.Context(), args[0])
			if errors.Is(err, trust.ErrNotInstalled) {
				return notInstalled(w, args[0])
			}
			if err != nil {
				return err
			}
			_, err = fmt.Fprintf(c.OutOrStdout(), "removed %s, which came from %s\n", p.Name, plain(p.Source))
			return err
		},
	}
}

// notInstalled says which strategy may be meant.
func notInstalled(w *workspace.Workspace, name string) error {
	plugins, err := trust.Read(w.ConfigHome)
	if err != nil {
		return err
	}
	names := make([]string, len(plugins))
	for i := range plugins {
		names[i] = plugins[i].Name
	}
	if len(names) == 0 {
		return errors.New("no strategy is installed")
	}
	return unknown("installed strategy", name, names)
}
