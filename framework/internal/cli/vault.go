package cli

import (
	"context"
	"fmt"
	"io"
	"regexp"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/sagasu-search/sagasu/framework/internal/app"
	"github.com/sagasu-search/sagasu/framework/internal/rootfs"
	"github.com/sagasu-search/sagasu/framework/internal/search"
	"github.com/sagasu-search/sagasu/framework/internal/toolset"
	"github.com/sagasu-search/sagasu/framework/internal/vault"
	"github.com/sagasu-search/sagasu/framework/internal/vault/audit"
)

func vaultCommand(prog *program) *cobra.Command {
	c := &cobra.Command{
		Use:   "vault",
		Short: "Look into the vault, check it, and bring back what was overwritten",
		Long: `The vault is the folder where finished work is kept: vault/ in the workspace, or
VAULT_ROOT. Agents write it; what they overwrite is kept as history, bounded by
VAULT_HISTORY_MAX_MB.`,
		Args: noSuchCommand,
		RunE: help,
	}
	c.AddCommand(vaultLsCommand(prog), vaultReadCommand(prog), vaultFindCommand(prog), vaultSearchCommand(prog),
		vaultLogCommand(prog), vaultShowCommand(prog), vaultRestoreCommand(prog),
		vaultAuditCommand(prog))
	return c
}

// vaultToolCommand is [typedCommand] for tools of the vault. It says why there can be none.
func vaultToolCommand[A, R any](
	prog *program, c *cobra.Command, function func(*vault.Module, context.Context, A) (R, error),
	arguments func(args []string) (A, error), show func(w io.Writer, result R),
) *cobra.Command {
	c.PreRunE = wantVault(prog)
	return typedCommand(prog, c, function, arguments, show)
}

func vaultLsCommand(prog *program) *cobra.Command {
	var all bool
	c := &cobra.Command{
		Use:               "ls [DIR]",
		Short:             "List one folder of the vault",
		Example:           `  sagasu vault ls artifacts --vault-root testdata/vault`,
		Args:              takes(0, 1),
		ValidArgsFunction: completeVault(prog),
	}
	c.Flags().BoolVar(&all, "system", false, "list what is reserved, too")
	return vaultToolCommand(prog, c, (*vault.Module).Ls, func(args []string) (vault.LsArgs, error) {
		in := vault.LsArgs{System: all}
		if len(args) == 1 {
			in.Dir = rootfs.Path(args[0])
		}
		return in, nil
	}, func(w io.Writer, r *vault.Listing) {
		for _, e := range r.Entries {
			size := ""
			if e.Bytes != nil {
				size = strconv.FormatInt(*e.Bytes, 10)
			}
			fmt.Fprintf(w, "%-4s  %10s  %s\n", e.Type, size, plain(e.Path))
		}
	})
}

// lineRange is lines as they are given behind a path, N-M or N.
var lineRange = regexp.MustCompile(`^(.+):([0-9]+)(?:-([0-9]+))?$`)

func vaultReadCommand(prog *program) *cobra.Command {
	c := &cobra.Command{
		Use:   "read PATH[:FIRST[-LAST]]",
		Short: "Print a file of the vault, or some of its lines",
		Example: `  sagasu vault read artifacts/nas-checklist.md --vault-root testdata/vault
  sagasu vault read artifacts/nas-checklist.md:1-5 --json --vault-root testdata/vault`,
		Args:              exactly(1),
		ValidArgsFunction: completeVault(prog),
	}
	return vaultToolCommand(prog, c, (*vault.Module).Read, func(args []string) (vault.ReadArgs, error) {
		m := lineRange.FindStringSubmatch(args[0])
		if m == nil {
			return vault.ReadArgs{Path: rootfs.Path(args[0]), Full: true}, nil
		}
		first, err := strconv.Atoi(m[2])
		last := first
		if err == nil && m[3] != "" {
			last, err = strconv.Atoi(m[3])
		}
		if err != nil {
			return vault.ReadArgs{}, fmt.Errorf("%q names no lines", args[0])
		}
		return vault.ReadArgs{Path: rootfs.Path(m[1]), Range: &toolset.Range{StartLine: first, EndLine: last}}, nil
	}, func(w io.Writer, r *vault.Reading) {
		fmt.Fprint(w, r.Text)
		if r.TruncatedReason == "hard_limit" {
			fmt.Fprintf(c.ErrOrStderr(), "cut; line %d and what follows are in the file\n", *r.NextOffset.StartLine)
		}
	})
}

func vaultSearchCommand(prog *program) *cobra.Command {
	in := vault.SearchArgs{}
	c := &cobra.Command{
		Use:   "search QUERY",
		Short: "List the lines of the vault that match",
		Example: `  sagasu vault search "RAID ?[56]" --vault-root testdata/vault
  sagasu vault search "raid5" --mode loose --glob "*.md"`,
		Args:              exactly(1),
		ValidArgsFunction: cobra.NoFileCompletions,
	}
	f := c.Flags()
	f.StringVar(&in.Mode, "mode", vault.ModeRegex, "regex, plain or loose")
	f.StringVar(&in.Glob, "glob", "", "only files that match `PATTERN`, such as *.md or !artifacts/daily/**")
	f.StringVar((*string)(&in.Dir), "dir", "", "only below `DIR`")
	f.IntVarP(&in.Limit, "limit", "n", 50, "lines to print")
	completeFlag(c, "mode", oneOf(vault.ModeRegex, vault.ModePlain, vault.ModeLoose))
	completeFlag(c, "dir", completeVault(prog))
	return vaultToolCommand(prog, c, (*vault.Module).Search, func(args []string) (vault.SearchArgs, error) {
		in.Query = args[0]
		return in, nil
	}, func(w io.Writer, r *vault.SearchResult) {
		s := styleFor(w)
		for _, x := range r.Results {
			fmt.Fprintf(w, "%s  %s\n", s.line(x.Path, x.Line), plain(x.Snippet))
		}
		fmt.Fprintf(w, "%d of %d lines\n", len(r.Results), r.Total)
	})
}

func vaultFindCommand(prog *program) *cobra.Command {
	req := toolset.Defaults[vault.FindArgs]()
	var limit int
	c := &cobra.Command{
		Use:   "find QUERY...",
		Short: "Search the vault, ranked",
		Example: `  sagasu vault find "RAID" --vault-root testdata/vault
  sagasu vault find "保証" --glob "!artifacts/daily/**" --json`,
		Args: func(c *cobra.Command, args []string) error {
			if limit < 1 {
				return usageError{fmt.Errorf("--limit must be 1 or more")}
			}
			return takes(1, anyNumber)(c, args)
		},
		ValidArgsFunction: cobra.NoFileCompletions,
		PreRunE:           wantVault(prog),
	}
	f := c.Flags()
	f.StringVar(&req.Scope.Glob, "glob", "", "only files that match `PATTERN`, such as *.md or !artifacts/daily/**")
	f.StringVar((*string)(&req.Scope.Dir), "dir", "", "only below `DIR`")
	f.IntVarP(&limit, "limit", "n", 10, "rows to print")
	completeFlag(c, "dir", completeVault(prog))
	return reportCommand(c, "print the answer and its rows as JSON",
		withApp(prog, func(ctx context.Context, a *app.App, args []string) (*vaultFound, error) {
			req.Query = strings.Join(args, " ")
			answer, err := app.Module[*vault.Module](a).Find(ctx, req)
			if err != nil {
				return nil, err
			}
			hits, err := app.Module[*vault.Module](a).Hits(ctx, vault.HitsArgs{TraceID: answer.TraceID, Kind: "candidates", Limit: limit})
			if err != nil {
				return nil, err
			}
			return &vaultFound{answer, hits.Items}, nil
		}), printVaultFound)
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
	for _, warning := range r.Summary.Warnings {
		fmt.Fprintln(w, "warning:", warning)
	}
	_, err := fmt.Fprintf(w, "%d candidates in %d files: %s\n", r.Summary.Candidates, r.Summary.ScannedFiles,
		strings.ReplaceAll(r.Summary.IntegrationStatus, "_", " "))
	return err
}

func vaultAuditCommand(prog *program) *cobra.Command {
	var uncited bool
	c := &cobra.Command{
		Use:   "audit ARTIFACT SOURCE",
		Short: "Check an artifact against its source",
		Long: `audit says what in an artifact cites no lines of its source, which branches hang
in the air, which references lead nowhere, and how much of the source is cited.
Both are files of the vault. It ends with 1 when it finds a defect.`,
		Example:           `  sagasu vault audit artifacts/nas-checklist.md notes/nas-source.md --vault-root testdata/vault`,
		Args:              exactly(2),
		ValidArgsFunction: completeVaultPair(prog),
		PreRunE:           wantVault(prog),
	}
	c.Flags().BoolVar(&uncited, "allow-uncited", false, "let elements cite nothing; what they cite must still exist")
	return reportCommand(c, "print the tool's structured result",
		withApp(prog, func(ctx context.Context, a *app.App, args []string) (*audit.Report, error) {
			report, err := app.Module[*vault.Module](a).Audit(ctx, vault.AuditArgs{
				Artifact: rootfs.Path(args[0]), Source: rootfs.Path(args[1]), RequireSourceLines: !uncited,
			})
			if err != nil {
				return nil, toolset.Explain(err)
			}
			return report, reportedIf(len(report.Findings) > 0)
		}), printAudit)
}

func printAudit(w io.Writer, r *audit.Report) error {
	s := styleFor(w)
	for _, f := range r.Findings {
		fmt.Fprintf(w, "%s  %s\n", s.line(r.ArtifactPath, f.Line), plain(f.Message))
	}
	if r.Truncated {
		fmt.Fprintf(w, "… and %d more; mend these and audit again\n", r.Total-len(r.Findings))
	}
	for _, u := range r.Uncovered {
		where := fmt.Sprintf("%s:%d-%d", r.SourcePath, u.StartLine, u.EndLine)
		fmt.Fprintf(w, "%s  nothing cites these lines\n", s.path(plain(where)))
	}
	_, err := fmt.Fprintf(w, "%d without source, %d orphan branches, %d one-way references; %s of the source cited\n",
		r.RootlessNodes, r.OrphanBranches, r.OneWayRefs, share(r.CoverageRatio))
	return err
}

// share is a ratio as a person reads it.
func share(ratio *float64) string {
	if ratio == nil {
		return "none"
	}
	return fmt.Sprintf("%.0f %%", 100**ratio)
}
