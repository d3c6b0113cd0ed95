package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"github.com/sagasu-search/sagasu/framework/internal/vault"
	"github.com/sagasu-search/sagasu/framework/internal/vault/bridge"
)

func bridgeCommand(prog *program) *cobra.Command {
	c := &cobra.Command{
		Use:               "bridge",
		Short:             "Copy from the manuals into the vault",
		PersistentPreRunE: wantVault(prog, true),
	}
	c.AddCommand(bridgeCopyCommand(prog))
	return c
}

func bridgeCopyCommand(prog *program) *cobra.Command {
	c := &cobra.Command{
		Use:   "copy MANUAL/PATH[:LINE] TO",
		Short: "Copy a section, or a file, into the vault",
		Long: `copy copies the section at a line of a manual's file, the first without a line,
into a file of the vault, which it makes when it is missing. Where the text came
from is noted in the front matter. A JSON file is copied whole; a Markdown file
with --file, and ALLOW_FILE_SCOPE set.`,
		Example: `  sagasu bridge copy aoba-nas/06-disk-raid.md:12 drafts/raid.md --append --workspace testdata/workspace
  sagasu bridge copy aoba-nas/06-disk-raid.md drafts/raid.md --file --allow-file-scope --workspace testdata/workspace`,
		ValidArgsFunction: completePlace(prog, 1),
		PreRunE:           mayWrite(prog, "copied"),
	}
	file := c.Flags().Bool("file", false, "copy the whole file")
	extend := c.Flags().Bool("append", false, "append to a file that exists, instead of overwriting it")
	places := func(line []string, into arguments) error {
		into.set("to_path", line[1])
		into.set("mode", vault.ModeOverwrite)
		if *extend {
			into.set("mode", vault.ModeAppend)
		}
		return position("from_ref.")(line[:1], into)
	}
	return toolCommand(prog, c, places, "",
		func(m *vault.Module, ctx context.Context, in bridge.CopySectionArgs) (any, error) {
			switch {
			case !*file:
				return m.CopySection(ctx, in)
			case in.From.StartLine != nil:
				return nil, usageError{errors.New("--file copies the whole file: leave the line out")}
			}
			return m.CopyFile(ctx, bridge.CopyFileArgs{
				ManualID: in.From.ManualID, Path: in.From.Path, To: in.To, Mode: in.Mode,
				Limits: bridge.FileLimits{AllowFile: true},
			})
		}, printCopied)
}

func printCopied(w io.Writer, result any) error {
	copied, ok := result.(*bridge.Copied)
	if !ok {
		copied = &result.(*bridge.CopiedSection).Copied
	}
	_, err := fmt.Fprintf(w, "copied %d bytes of %s/%s, lines %s, to %s\n", copied.WrittenBytes,
		plain(copied.Source.ManualID), plain(copied.Source.Path), copied.Source.Lines, plain(copied.WrittenPath))
	if err == nil && copied.Replaced {
		_, err = fmt.Fprintf(w, "what it held is kept: sagasu vault log %s\n", plain(copied.WrittenPath))
	}
	err = cmp.Or(err, printWarnings(w, copied.Warnings))
	if lacks := copied.Source.Lacks; err == nil && lacks != "" {
		_, err = fmt.Fprintf(w, "%s: %s\n", plain(copied.Source.Path), plain(lacks))
	}
	return err
}
