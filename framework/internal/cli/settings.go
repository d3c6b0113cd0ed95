package cli

import (
	"fmt"
	"slices"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// usualSettings are the flags of settings that the help of every command shows; the others
// are in that of the topic alone.
var usualSettings = []string{"workspace", "manuals", "vault-root", "publications-root", "logic-root", "log-level",
	"read-only"}

// settingsTopic is a page of help, no command.
func settingsTopic(all *pflag.FlagSet) *cobra.Command {
	return &cobra.Command{
		Use:   "settings",
		Short: "Every setting, and where it may be made",
		Long: `Nothing needs to be set. A setting is taken from the first of these that has it:

  1. its flag, which every command takes
  2. the environment, under its name in capitals: --log-level is LOG_LEVEL
  3. sagasu.toml in the workspace, in small letters: trace_ttl_sec = 3600. A workspace
     may come from a stranger, so endpoints, keys, grants and outer folders are refused there
  4. the user's own config.toml
  5. the default

sagasu doctor shows what is in effect and where it came from.

` + all.FlagUsages(),
	}
}

// showUsualSettings keeps the other settings out of the help of root and its commands.
func showUsualSettings(root *cobra.Command) {
	show := root.HelpFunc()
	root.SetHelpFunc(func(c *cobra.Command, args []string) {
		root.PersistentFlags().VisitAll(func(f *pflag.Flag) {
			f.Hidden = f.Hidden || f.Name != "help" && !slices.Contains(usualSettings, f.Name)
		})
		show(c, args)
		if c.Name() != "settings" {
			fmt.Fprintln(c.OutOrStdout(), "\nEvery setting is a flag of every command: sagasu help settings "+
				"lists them.")
		}
	})
}
