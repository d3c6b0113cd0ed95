package cli

import (
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"github.com/sagasu-search/sagasu/framework/internal/vault"
)

func vaultLogCommand(prog *program) *cobra.Command {
	var asJSON bool
	c := &cobra.Command{
		Use:               "log PATH",
		Short:             "List the earlier versions of a file",
		Long:              `log lists what was overwritten or replaced in a file, the newest first.`,
		Example:           `  sagasu vault log artifacts/plan.md`,
		Args:              exactly(1),
		ValidArgsFunction: completeVault(prog),
		RunE: func(c *cobra.Command, args []string) error {
			a, err := openWithVault(c, prog)
			if err != nil {
				return err
			}
			defer a.Close()
			versions, err := a.vault().Log(c.Context(), args[0])
			if err != nil {
				return err
			}
			if asJSON {
				return printJSON(c.OutOrStdout(), struct {
					Path     string          `json:"path"`
					Versions []vault.Version `json:"versions"`
				}{args[0], versions})
			}
			return printVersions(c, versions)
		},
	}
	c.Flags().BoolVar(&asJSON, "json", false, "print the versions as JSON")
	return c
}

func printVersions(c *cobra.Command, versions []vault.Version) error {
	t := table{w: c.OutOrStdout(), style: styleFor(c.OutOrStdout())}
	t.begin("versions", "VERSION", "REPLACED", "BYTES", "SHA256")
	for _, v := range versions {
		t.row(v.ID, v.Time.Local().Format(time.DateTime), fmt.Sprint(v.Bytes), v.SHA256[:12])
	}
	return t.end()
}

func vaultShowCommand(prog *program) *cobra.Command {
	var asJSON bool
	c := &cobra.Command{
		Use:   "show PATH VERSION",
		Short: "Print an earlier version of a file",
		Long: `show prints an earlier version as it was. VERSION is one that sagasu vault log
lists, or the beginning of one.`,
		Example:           `  sagasu vault show artifacts/plan.md 20260131T101500`,
		Args:              exactly(2),
		ValidArgsFunction: completeVersion(prog),
		RunE: func(c *cobra.Command, args []string) error {
			a, err := openWithVault(c, prog)
			if err != nil {
				return err
			}
			defer a.Close()
			text, version, err := a.vault().Show(c.Context(), args[0], args[1])
			if err != nil {
				return err
			}
			if asJSON {
				return printJSON(c.OutOrStdout(), struct {
					Path    string        `json:"path"`
					Text    string        `json:"text"`
					Version vault.Version `json:"version"`
				}{args[0], string(text), version})
			}
			_, err = c.OutOrStdout().Write(text)
			return err
		},
	}
	c.Flags().BoolVar(&asJSON, "json", false, "print the version and its text as JSON")
	return c
}

func vaultRestoreCommand(prog *program) *cobra.Command {
	var asJSON bool
	c := &cobra.Command{
		Use:   "restore PATH VERSION",
		Short: "Bring an earlier version of a file back",
		Long: `restore makes an earlier version the file's content. What the file holds now
becomes an earlier version itself, so that this can be undone.`,
		Example:           `  sagasu vault restore artifacts/plan.md 20260131T101500`,
		Args:              exactly(2),
		ValidArgsFunction: completeVersion(prog),
		RunE: func(c *cobra.Command, args []string) error {
			a, err := openWithVault(c, prog)
			if err != nil {
				return err
			}
			defer a.Close()
			if a.workspace.ReadOnly {
				return fmt.Errorf("READ_ONLY is set (%s): nothing is restored", a.workspace.Origin("READ_ONLY"))
			}
			written, err := a.vault().Restore(c.Context(), args[0], args[1])
			if err != nil {
				return err
			}
			if asJSON {
				return printJSON(c.OutOrStdout(), written)
			}
			_, err = fmt.Fprintf(c.OutOrStdout(), "restored %s, %d bytes\n",
				plain(written.WrittenPath), written.WrittenBytes)
			return err
		},
	}
	c.Flags().BoolVar(&asJSON, "json", false, "print what was written as JSON")
	return c
}
