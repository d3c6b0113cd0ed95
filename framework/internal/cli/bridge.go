package cli

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/sagasu-search/sagasu/framework/internal/app"
	"github.com/sagasu-search/sagasu/framework/internal/rootfs"
	"github.com/sagasu-search/sagasu/framework/internal/toolset"
	"github.com/sagasu-search/sagasu/framework/internal/vault"
	"github.com/sagasu-search/sagasu/framework/internal/vault/bridge"
)

func bridgeCommand(prog *program) *cobra.Command {
	c := &cobra.Command{
		Use:   "bridge",
		Short: "Copy from the manuals into the vault",
		Args:  noSuchCommand,
		RunE:  help,
	}
	c.AddCommand(bridgeCopyCommand(prog))
	return c
}

func bridgeCopyCommand(prog *program) *cobra.Command {
	var file, extend, asJSON bool
	c := &cobra.Command{
		Use:   "copy MANUAL/PATH[:LINE] TO",
		Short: "Copy a section, or a file, into the vault",
		Long: `copy copies the section at a line of a manual's file, the first without a line,
into a file of the vault, which it makes when it is missing. Where the text came
from is noted in the front matter. A JSON file is copied whole; a Markdown file
with --file, and ALLOW_FILE_SCOPE set.`,
		Example: `  sagasu bridge copy aoba-nas/06-disk-raid.md:12 drafts/raid.md --append --workspace testdata/workspace
  sagasu bridge copy aoba-nas/06-disk-raid.md drafts/raid.md --file --allow-file-scope --workspace testdata/workspace`,
		Args:              exactly(2),
		ValidArgsFunction: completeManual(prog),
	}
	c.Flags().BoolVar(&file, "file", false, "copy the whole file")
	c.Flags().BoolVar(&extend, "append", false, "append to a file that exists, instead of overwriting it")
	c.Flags().BoolVar(&asJSON, "json", false, "print the tool's structured result")
	c.PreRunE = wantVault(prog)
	c.RunE = func(c *cobra.Command, args []string) error {
		in := bridge.CopySectionArgs{To: rootfs.Path(args[1]), Mode: vault.ModeOverwrite}
		if extend {
			in.Mode = vault.ModeAppend
		}
		at, err := positionOf(args[:1])
		if err == nil && file && at.line != nil {
			err = fmt.Errorf("--file copies the whole file: leave the line out")
		}
		if err != nil {
			return usageError{err}
		}
		in.From = bridge.Ref{ManualID: at.manual, Path: at.path, StartLine: at.line}
		if in, err = toolset.Check(in); err != nil {
			return err
		}
		a, err := open(c.Context(), prog, c.ErrOrStderr())
		if err != nil {
			return err
		}
		defer a.Close()
		if a.Workspace.ReadOnly {
			return fmt.Errorf("READ_ONLY is set (%s): nothing is copied", a.Workspace.Origin("READ_ONLY"))
		}
		copied, sections, err := copyInto(c.Context(), a, in, file)
		if err != nil {
			return toolset.Explain(err)
		}
		if asJSON && sections != nil {
			return printJSON(c.OutOrStdout(), sections)
		}
		if asJSON {
			return printJSON(c.OutOrStdout(), copied)
		}
		_, err = fmt.Fprintf(c.OutOrStdout(), "copied %d bytes of %s/%s, lines %s, to %s\n", copied.WrittenBytes,
			plain(copied.Source.ManualID), plain(copied.Source.Path), copied.Source.Lines, plain(copied.WrittenPath))
		return err
	}
	return c
}

// copyInto copies what a ref names, as a section or as a file.
func copyInto(
	ctx context.Context, a *app.App, in bridge.CopySectionArgs, file bool,
) (*bridge.Copied, *bridge.CopiedSection, error) {
	if file {
		copied, err := app.Module[*vault.Module](a).CopyFile(ctx, bridge.CopyFileArgs{
			ManualID: in.From.ManualID, Path: in.From.Path, To: in.To, Mode: in.Mode,
			Limits: bridge.FileLimits{AllowFile: true},
		})
		return copied, nil, err
	}
	sections, err := app.Module[*vault.Module](a).CopySection(ctx, in)
	if err != nil {
		return nil, nil, err
	}
	return &sections.Copied, sections, nil
}
