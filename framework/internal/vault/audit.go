package vault

import (
	"context"

	"github.com/sagasu-search/sagasu/framework/internal/rootfs"
	"github.com/sagasu-search/sagasu/framework/internal/toolset"
	"github.com/sagasu-search/sagasu/framework/internal/vault/audit"
)

// AuditArgs are the arguments of artifact_audit.
type AuditArgs struct {
	Artifact           rootfs.Path     `json:"artifact_path" required:"the path of a file in the vault, such as artifacts/plan.md" minLength:"1" doc:"Below the vault."`
	Source             rootfs.Path     `json:"source_path" required:"the path of the file in the vault that the artifact rests on" minLength:"1" doc:"Below the vault."`
	Cited              []toolset.Range `json:"cited_ranges" doc:"Source lines used besides those that the artifact cites."`
	RequireSourceLines bool            `json:"require_source_lines" default:"true" doc:"Every element that asserts something must cite."`
}

// Audit reports whether an artifact of the vault rests on a source in it. Without a session
// there is no marginal gain.
func (v *Vault) Audit(ctx context.Context, req AuditArgs) (*audit.Report, error) {
	mem := remembered(ctx)
	artifact, err := v.document("artifact_path", string(req.Artifact))
	if err != nil {
		return nil, err
	}
	source, err := v.document("source_path", string(req.Source))
	if err != nil {
		return nil, err
	}
	p := pair{artifact.path, source.path}
	report, err := audit.Check(audit.Read(artifact.path, artifact.text), source.text, audit.Options{
		SourcePath: source.path, CitedRanges: req.Cited, AllowUncited: !req.RequireSourceLines,
		Lookup:      v.linked,
		MinCoverage: v.options.CoverageMin, MinGain: v.options.GainMin, Earlier: mem.earlier(p),
	})
	if err != nil {
		return nil, err
	}
	mem.audited(p, report.Cited)
	if report.MarginalGain != nil && v.options.Gained != nil {
		v.options.Gained("artifact_audit", report.AddedLines, report.ScannedTokens)
	}
	return &report, nil
}

// linked returns the text of a file that an artifact links to, none for a folder. A file that
// cannot be read counts as there.
func (v *Vault) linked(path string) (text []byte, ok bool) {
	d, err := v.document("path", path)
	if err != nil {
		return nil, toolset.AsError(err).Code != toolset.NotFound
	}
	return d.text, true
}
