package cli

import (
	"strings"

	"github.com/spf13/cobra"

	"github.com/sagasu-search/sagasu/framework/internal/host/trust"
)

// completeFlag offers the values of a flag to the shell.
func completeFlag(c *cobra.Command, flag string, values cobra.CompletionFunc) {
	if err := c.RegisterFlagCompletionFunc(flag, values); err != nil {
		panic(err) // only when the command has no such flag
	}
}

// oneOf offers fixed words and no files.
func oneOf(words ...string) cobra.CompletionFunc {
	return cobra.FixedCompletions(words, cobra.ShellCompDirectiveNoFileComp)
}

// completeInstalled offers the names of installed strategies as the first argument.
func completeInstalled(prog *program) cobra.CompletionFunc {
	return func(_ *cobra.Command, args []string, typed string) (names []string, _ cobra.ShellCompDirective) {
		w, err := prog.load()
		if err != nil {
			return nil, cobra.ShellCompDirectiveError
		}
		plugins, err := trust.Read(w.ConfigHome)
		if err != nil {
			return nil, cobra.ShellCompDirectiveError
		}
		for _, p := range plugins {
			if len(args) == 0 && strings.HasPrefix(p.Name, typed) {
				names = append(names, p.Name)
			}
		}
		return names, cobra.ShellCompDirectiveNoFileComp
	}
}

// completeManual offers the ids of the workspace's manuals as a flag's value and
// as a command's first argument.
func completeManual(prog *program) cobra.CompletionFunc {
	return func(c *cobra.Command, args []string, typed string) ([]string, cobra.ShellCompDirective) {
		if c.Name() != "find" && len(args) > 0 {
			return nil, cobra.ShellCompDirectiveNoFileComp
		}
		w, err := prog.load()
		if err != nil {
			return nil, cobra.ShellCompDirectiveError
		}
		manuals, err := w.Manuals(c.Context())
		if err != nil {
			return nil, cobra.ShellCompDirectiveError
		}
		ids := []string{}
		for _, m := range manuals {
			if strings.HasPrefix(m.ID, typed) {
				ids = append(ids, m.ID)
			}
		}
		return ids, cobra.ShellCompDirectiveNoFileComp
	}
}
