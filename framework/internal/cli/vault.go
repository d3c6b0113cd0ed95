package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/sagasu-search/sagasu/framework/internal/app"
	"github.com/sagasu-search/sagasu/framework/internal/search"
	"github.com/sagasu-search/sagasu/framework/internal/vault"
	"github.com/sagasu-search/sagasu/framework/internal/vault/audit"
	"github.com/sagasu-search/sagasu/sdk/x/lazyregexp"
)

func vaultCommand(prog *program) *cobra.Command {
	c := &cobra.Command{
		Use:   "vault",
		Short: "Read and check the vault, and restore what was overwritten",
		Long: `The vault is the folder where finished work is kept: vault/ in the workspace, or
VAULT_ROOT. Agents write it; what they overwrite is kept as history, bounded by
VAULT_HISTORY_MAX_MB.`,
		PersistentPreRunE: wantVault(prog, false),
	}
	c.AddCommand(vaultLsCommand(prog), vaultReadCommand(prog), vaultFindCommand(prog), vaultSearchCommand(prog),
		vaultLogCommand(prog), vaultShowCommand(prog), vaultRestoreCommand(prog), vaultAuditCommand(prog))
	return c
}

// wantVault refuses a workspace that cannot have a vault or has none. makes says that the command creates one.
func wantVault(prog *program, makes bool) func(*cobra.Command, []string) error {
	return func(c *cobra.Command, _ []string) error {
		if c.HasSubCommands() {
			return nil
		}
		w, err := prog.load()
		if err != nil {
			return err
		}
		if bad := vault.Problem(w); bad != nil {
			return usageError{bad}
		}
		if _, err := os.Stat(vault.Root(w)); !makes && errors.Is(err, fs.ErrNotExist) {
			return usageError{fmt.Errorf("there is no vault: make the folder %s, or name another with --vault-root",
				vault.Root(w))}
		}
		return nil
	}
}

// folder reads a folder of the vault. The vault itself needs no name.
func folder(line []string, into arguments) error {
	if len(line) > 0 && path.Clean(line[0]) != "." {
		into.set("relative_dir", line[0])
	}
	return nil
}

func vaultLsCommand(prog *program) *cobra.Command {
	return toolCommand(prog, &cobra.Command{
		Use:               "ls [DIR]",
		Short:             "List one folder of the vault",
		Example:           `  sagasu vault ls artifacts --vault-root testdata/vault`,
		ValidArgsFunction: completeVault(prog, 1),
	}, folder, "system=include_system", (*vault.Module).Ls, func(w io.Writer, r *vault.Listing) error {
		for _, e := range r.Entries {
			size := ""
			if e.Bytes != nil {
				size = strconv.FormatInt(*e.Bytes, 10)
			}
			fmt.Fprintf(w, "%-4s  %10s  %s", e.Type, size, plain(e.Path))
			if e.Skipped != "" {
				fmt.Fprintf(w, "  skipped: %s", plain(e.Skipped))
			}
			fmt.Fprintln(w)
		}
		return nil
	})
}

// lineRange matches lines as written after a path, N-M or N.
var lineRange = lazyregexp.New(`^(.+):([0-9]+)(?:-([0-9]+))?$`)

// pathWithLines parses PATH[:FIRST[-LAST]].
func pathWithLines(line []string, into arguments) error {
	m := lineRange().FindStringSubmatch(line[0])
	if m == nil {
		into.set("path", line[0])
		into.set("full", true)
		return nil
	}
	into.set("path", m[1])
	for name, digits := range map[string]string{"start_line": m[2], "end_line": cmp.Or(m[3], m[2])} {
		n, err := strconv.Atoi(digits)
		if err != nil {
			return fmt.Errorf("%q names no lines", line[0])
		}
		into.set("range."+name, n)
	}
	return nil
}

func vaultReadCommand(prog *program) *cobra.Command {
	c := &cobra.Command{
		Use:   "read PATH[:FIRST[-LAST]]",
		Short: "Print a file of the vault, or some of its lines",
		Example: `  sagasu vault read artifacts/nas-checklist.md --vault-root testdata/vault
  sagasu vault read artifacts/nas-checklist.md:1-5 --json --vault-root testdata/vault`,
		ValidArgsFunction: completeVault(prog, 1),
	}
	return toolCommand(prog, c, pathWithLines, "", (*vault.Module).Read, func(w io.Writer, r *vault.Reading) error {
		fmt.Fprint(w, r.Text)
		if r.TruncatedReason == "hard_limit" {
			fmt.Fprintf(c.ErrOrStderr(), "cut; line %d and what follows are in the file\n", *r.NextOffset.StartLine)
		}
		return nil
	})
}

func vaultSearchCommand(prog *program) *cobra.Command {
	c := &cobra.Command{
		Use:   "search QUERY",
		Short: "List the lines of the vault that match",
		Example: `  sagasu vault search "RAID ?[56]" --vault-root testdata/vault
  sagasu vault search "raid5" --mode loose --glob "*.md"`,
		ValidArgsFunction: cobra.NoFileCompletions,
	}
	toolCommand(prog, c, placed("query"), "mode glob dir=relative_dir limit,n", (*vault.Module).Search,
		func(w io.Writer, r *vault.SearchResult) error {
			s := styleFor(w)
			for _, x := range r.Results {
				fmt.Fprintf(w, "%s  %s\n", s.line(x.Path, x.Line), plain(x.Snippet))
			}
			_, err := fmt.Fprintf(w, "%d of %d lines\n", len(r.Results), r.Total)
			return errors.Join(err, printWarnings(w, r.Warnings))
		})
	completeFlag(c, "dir", completeVault(prog, anyNumber))
	return c
}

func vaultFindCommand(prog *program) *cobra.Command {
	c := &cobra.Command{
		Use:   "find QUERY...",
		Short: "Search the vault, ranked",
		Example: `  sagasu vault find "RAID" --vault-root testdata/vault
  sagasu vault find "保証" --glob "!artifacts/daily/**" --json`,
		ValidArgsFunction: cobra.NoFileCompletions,
	}
	page := bind[vault.HitsArgs](c, placed("trace_id"), "limit,n:10")
	find := func(m *vault.Module, ctx context.Context, in vault.FindArgs) (*vaultFound, error) {
		rows, err := page([]string{"of the search"})
		if err != nil {
			return nil, err
		}
		answer, err := m.Find(ctx, in)
		if err != nil {
			return nil, err
		}
		rows.TraceID = answer.TraceID
		hits, err := m.Hits(ctx, rows)
		if err != nil {
			return nil, err
		}
		return &vaultFound{answer, hits.Items}, nil
	}
	toolCommand(prog, c, joined("query"), "glob=scope.glob dir=scope.relative_dir", find, printVaultFound)
	completeFlag(c, "dir", completeVault(prog, anyNumber))
	return c
}

// vaultFound is the machine-readable form of a search.
type vaultFound struct {
	*vault.FindResult
	Items []search.Row `json:"items"`
}

func printVaultFound(w io.Writer, r *vaultFound) error {
	s := styleFor(w)
	for i, row := range r.Items {
		where := fmt.Sprintf("%s:%d-%d", row.Ref.Path, row.Ref.StartLine, row.Ref.EndLine)
		fmt.Fprintf(w, "%2d. %s  %s  %s\n", i+1, s.path(plain(where)), s.bold(plain(row.Ref.Title)),
			s.faint(fmt.Sprintf("%.3f", *row.Score)))
	}
	if err := printWarnings(w, r.Summary.Warnings); err != nil {
		return err
	}
	_, err := fmt.Fprintf(w, "%d candidates in %d files: %s\n", r.Summary.Candidates, r.Summary.ScannedFiles,
		strings.ReplaceAll(r.Summary.IntegrationStatus, "_", " "))
	return err
}

func vaultAuditCommand(prog *program) *cobra.Command {
	c := &cobra.Command{
		Use:   "audit ARTIFACT SOURCE",
		Short: "Check an artifact against its source",
		Long: `audit says what in an artifact cites no lines of its source, which branches are not
connected, which references lead nowhere, and how much of the source is cited.
Both are files of the vault; SOURCE may be one of a manual: manual:MANUAL/PATH. It ends
with 1 when it finds a defect.`,
		Example:           `  sagasu vault audit artifacts/nas-checklist.md notes/nas-source.md --vault-root testdata/vault`,
		ValidArgsFunction: completeVault(prog, 2),
	}
	uncited := c.Flags().Bool("allow-uncited", false, "let elements cite nothing; what they cite must still exist")
	return toolCommand(prog, c, placed("artifact_path", "source_path"), "",
		func(m *vault.Module, ctx context.Context, in vault.AuditArgs) (*audit.Report, error) {
			in.RequireSourceLines = !*uncited
			report, err := m.Audit(ctx, in)
			if err != nil {
				return nil, err
			}
			return report, reportedIf(len(report.Findings) > 0)
		}, printAudit)
}

func printAudit(w io.Writer, r *audit.Report) error {
	s := styleFor(w)
	for _, f := range r.Findings {
		document := at(f.Source)
		if document == "" && f.Source != nil {
			document = " (" + plain(f.Source.Path) + ")"
		}
		fmt.Fprintf(w, "%s  %s%s\n", s.line(r.ArtifactPath, f.Line), plain(f.Message), s.faint(document))
	}
	if r.Truncated {
		fmt.Fprintf(w, "… and %d more; mend these and audit again\n", r.Total-len(r.Findings))
	}
	for _, u := range r.Uncovered {
		where := fmt.Sprintf("%s:%d-%d", r.SourcePath, u.StartLine, u.EndLine)
		fmt.Fprintf(w, "%s  nothing cites these lines\n", s.path(plain(where)))
	}
	if err := printWarnings(w, r.Warnings); err != nil {
		return err
	}
	const counts = "%d without source, %d unsupported figures, %d orphan branches, %d one-way references; " +
		"%s of the source cited\n"
	_, err := fmt.Fprintf(w, counts, r.RootlessNodes, r.Unsupported, r.OrphanBranches, r.OneWayRefs,
		share(r.CoverageRatio))
	return err
}

// share formats a ratio for a human reader.
func share(ratio *float64) string {
	if ratio == nil {
		return "none"
	}
	return fmt.Sprintf("%.0f %%", 100**ratio)
}

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
		ValidArgsFunction: completeVault(prog, 1),
	}, "print the versions as JSON", withApp(prog, func(ctx context.Context, a *app.App, args []string) (log, error) {
		versions, err := app.Module[*vault.Module](a).Log(args[0])
		return log{args[0], versions}, err
	}), func(w io.Writer, l log) error {
		t := table{w: w}
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
		ValidArgsFunction: completeVersion(prog),
	}, "print the version and its text as JSON",
		withApp(prog, func(ctx context.Context, a *app.App, args []string) (shown, error) {
			text, version, err := app.Module[*vault.Module](a).Show(args[0], args[1])
			return shown{args[0], string(text), version}, err
		}), func(w io.Writer, s shown) error {
			_, err := io.WriteString(w, s.Text)
			return err
		})
}

func vaultRestoreCommand(prog *program) *cobra.Command {
	return reportCommand(&cobra.Command{
		Use:   "restore PATH VERSION",
		Short: "Restore an earlier version of a file",
		Long: `restore makes an earlier version the file's content. What the file holds now
becomes an earlier version itself, so that this can be undone.`,
		Example:           `  sagasu vault restore artifacts/plan.md 20260131T101500`,
		ValidArgsFunction: completeVersion(prog),
		PreRunE:           mayWrite(prog, "restored"),
	}, "print what was written as JSON",
		withApp(prog, func(ctx context.Context, a *app.App, args []string) (*vault.Written, error) {
			return app.Module[*vault.Module](a).Restore(ctx, args[0], args[1])
		}), func(w io.Writer, r *vault.Written) error {
			_, err := fmt.Fprintf(w, "restored %s, %d bytes\n", plain(r.WrittenPath), r.WrittenBytes)
			return err
		})
}
