package cli

import (
	"errors"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"github.com/sagasu-search/sagasu/framework/internal/server"
	"github.com/sagasu-search/sagasu/framework/internal/toolset"
	"github.com/sagasu-search/sagasu/framework/internal/vault/audit"
)

func vaultAuditCommand(prog *program) *cobra.Command {
	var uncited, asJSON bool
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
		RunE: func(c *cobra.Command, args []string) error {
			var report *audit.Report
			show := func(w io.Writer, result any) {
				report = result.(*audit.Report)
				if asJSON {
					_ = printJSON(w, report)
				} else {
					printAudit(w, report)
				}
			}
			named := map[string]any{"artifact_path": args[0], "source_path": args[1], "require_source_lines": !uncited}
			if err := runTool(c, prog, "artifact_audit", named, false, show); err != nil {
				return told(c.OutOrStdout(), err, asJSON)
			}
			if len(report.Findings) > 0 {
				return errReported
			}
			return nil
		},
	}
	c.Flags().BoolVar(&uncited, "allow-uncited", false, "let elements cite nothing; what they cite must still exist")
	c.Flags().BoolVar(&asJSON, "json", false, "print the tool's structured result")
	return c
}

// told prints a tool's failure where a machine listens.
func told(w io.Writer, err error, asJSON bool) error {
	failed, ok := errors.AsType[*toolset.Error](err)
	if !ok || !asJSON {
		return err
	}
	return errors.Join(printJSON(w, server.ErrorResult(failed)), errReported)
}

func printAudit(w io.Writer, r *audit.Report) {
	s := styleFor(w)
	for _, f := range r.Findings {
		fmt.Fprintf(w, "%s  %s\n", s.path(plain(fmt.Sprintf("%s:%d", r.ArtifactPath, f.Line))), plain(f.Message))
	}
	if r.Truncated {
		fmt.Fprintf(w, "… and %d more; mend these and audit again\n", r.Total-len(r.Findings))
	}
	for _, u := range r.Uncovered {
		fmt.Fprintf(w, "%s  nothing cites these lines\n", s.path(plain(fmt.Sprintf("%s:%d-%d", r.SourcePath, u.StartLine, u.EndLine))))
	}
	fmt.Fprintf(w, "%d without source, %d orphan branches, %d one-way references; %s of the source cited\n",
		r.RootlessNodes, r.OrphanBranches, r.OneWayRefs, share(r.CoverageRatio))
}

// share is a ratio as a person reads it.
func share(ratio *float64) string {
	if ratio == nil {
		return "none"
	}
	return fmt.Sprintf("%.0f %%", 100**ratio)
}
