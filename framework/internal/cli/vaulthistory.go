package cli

import (
	"context"
	"fmt"
	"io"
	"time"

	"github.com/spf13/cobra"

	"github.com/sagasu-search/sagasu/framework/internal/app"
	"github.com/sagasu-search/sagasu/framework/internal/vault"
)

func vaultLogCommand(prog *program) *cobra.Command {
	type log struct {
		Path     string          `json:"path"`
		Versions []vault.Version `json:"versions"`
	}
	return reportCommand(&cobra.Command{
		Use:               "log PATH",
		Short:             "List the earlier versions of a file",
		Long:              `log lists what was overwritten or replaced in a file, the newest first.`,
		Example:           `  sagasu vault log artifacts/plan.md`,
		Args:              exactly(1),
		ValidArgsFunction: completeVault(prog),
		PreRunE:           wantVault(prog),
	}, "print the versions as JSON", withApp(prog, func(ctx context.Context, a *app.App, args []string) (log, error) {
		versions, err := app.Module[*vault.Module](a).Log(ctx, args[0])
		return log{args[0], versions}, err
	}), func(w io.Writer, l log) error {
		t := table{w: w, style: styleFor(w)}
		t.begin("versions", "VERSION", "REPLACED", "BYTES", "SHA256")
		for _, v := range l.Versions {
			t.row(v.ID, v.Time.Local().Format(time.DateTime), fmt.Sprint(v.Bytes), v.SHA256[:12])
		}
		return t.end()
	})
}

func vaultShowCommand(prog *program) *cobra.Command {
	type shown struct {
		Path    string        `json:"path"`
		Text    string        `json:"text"`
		Version vault.Version `json:"version"`
	}
	return reportCommand(&cobra.Command{
		Use:   "show PATH VERSION",
		Short: "Print an earlier version of a file",
		Long: `show prints an earlier version as it was. VERSION is one that sagasu vault log
lists, or the beginning of one.`,
		Example:           `  sagasu vault show artifacts/plan.md 20260131T101500`,
		Args:              exactly(2),
		ValidArgsFunction: completeVersion(prog),
		PreRunE:           wantVault(prog),
	}, "print the version and its text as JSON",
		withApp(prog, func(ctx context.Context, a *app.App, args []string) (shown, error) {
			text, version, err := app.Module[*vault.Module](a).Show(ctx, args[0], args[1])
			return shown{args[0], string(text), version}, err
		}), func(w io.Writer, s shown) error {
			_, err := io.WriteString(w, s.Text)
			return err
		})
}

func vaultRestoreCommand(prog *program) *cobra.Command {
	return reportCommand(&cobra.Command{
		Use:   "restore PATH VERSION",
		Short: "Bring an earlier version of a file back",
		Long: `restore makes an earlier version the file's content. What the file holds now
becomes an earlier version itself, so that this can be undone.`,
		Example:           `  sagasu vault restore artifacts/plan.md 20260131T101500`,
		Args:              exactly(2),
		ValidArgsFunction: completeVersion(prog),
		PreRunE:           wantVault(prog),
	}, "print what was written as JSON",
		withApp(prog, func(ctx context.Context, a *app.App, args []string) (*vault.Written, error) {
			if a.Workspace.ReadOnly {
				return nil, fmt.Errorf("READ_ONLY is set (%s): nothing is restored", a.Workspace.Origin("READ_ONLY"))
			}
			return app.Module[*vault.Module](a).Restore(ctx, args[0], args[1])
		}), func(w io.Writer, r *vault.Written) error {
			_, err := fmt.Fprintf(w, "restored %s, %d bytes\n", plain(r.WrittenPath), r.WrittenBytes)
			return err
		})
}
