package vault

import (
	"context"

	"github.com/sagasu-search/sagasu/framework/internal/toolset"
	"github.com/sagasu-search/sagasu/framework/internal/vault/audit"
)

// AuditRequest is one artifact_audit call.
type AuditRequest struct {
	Artifact, Source string // paths
	// Cited are lines of the source that were used besides those that the artifact
	// cites.
	Cited []toolset.Range
	// AllowUncited lets elements of the artifact cite nothing.
	AllowUncited bool
}

// Audit says whether an artifact of the vault rests on a source in it. mem is the
// memory of the session, nil for none: then there is no marginal gain.
func (v *Vault) Audit(_ context.Context, req AuditRequest, mem *Memory) (*audit.Report, error) {
	artifact, err := v.document("artifact_path", req.Artifact)
	if err != nil {
		return nil, err
	}
	source, err := v.document("source_path", req.Source)
	if err != nil {
		return nil, err
	}
	read, err := audit.Read(artifact.path, artifact.text)
	if err != nil {
		return nil, err
	}
	p := pair{artifact.path, source.path}
	report, err := audit.Check(read, source.text, audit.Options{
		SourcePath: source.path, CitedRanges: req.Cited, AllowUncited: req.AllowUncited,
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

// linked is the text of a file that an artifact links to; a folder has none. What
// cannot be told counts as there.
func (v *Vault) linked(path string) (text []byte, ok bool) {
	d, err := v.document("path", path)
	if err == nil {
		return d.text, true
	}
	if toolset.AsError(err).Code != toolset.NotFound {
		return nil, true
	}
	return nil, false
}
