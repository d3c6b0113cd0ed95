package vault

import (
	"context"
	"encoding/hex"
	"fmt"
	"strings"

	"github.com/sagasu-search/sagasu/framework/internal/corpus"
	"github.com/sagasu-search/sagasu/framework/internal/rootfs"
	"github.com/sagasu-search/sagasu/framework/internal/toolset"
	"github.com/sagasu-search/sagasu/framework/internal/vault/audit"
	"github.com/sagasu-search/sagasu/framework/internal/vault/bridge"
)

// AuditArgs are the arguments of artifact_audit.
type AuditArgs struct {
	Artifact           rootfs.Path     `json:"artifact_path" required:"the path of a file in the vault, such as artifacts/plan.md" minLength:"1"`
	Source             rootfs.Path     `json:"source_path" required:"the path of the file in the vault that the artifact rests on" minLength:"1" doc:"Below the vault, or manual:<manual_id>/<path>."`
	Cited              []toolset.Range `json:"cited_ranges" doc:"Used besides those that the artifact cites."`
	RequireSourceLines bool            `json:"require_source_lines" default:"true" doc:"Every element that asserts something must cite."`
}

// Audit reports whether an artifact of the vault is based on a source, which is a file of the vault
// or of a manual. Without a session it computes no marginal gain.
func (v *Vault) Audit(ctx context.Context, req AuditArgs) (*audit.Report, error) {
	mem := remembered(ctx)
	artifact, err := v.document(ctx, "artifact_path", string(req.Artifact))
	if err != nil {
		return nil, err
	}
	source, manual, err := v.source(ctx, string(req.Source))
	if err != nil {
		return nil, err
	}
	p := pair{artifact.path, source.path}
	report, err := audit.Check(ctx, audit.Read(ctx, artifact.path, artifact.text), source.text, audit.Options{
		SourcePath: source.path, Manual: manual, From: source.from, Copied: v.copied(ctx, artifact),
		CitedRanges: req.Cited, AllowUncited: !req.RequireSourceLines,
		Lookup:      func(path string) ([]byte, bool) { return v.linked(ctx, path) },
		MinCoverage: v.options.CoverageMin, MinGain: v.options.GainMin, Earlier: mem.earlier(p),
	})
	if err != nil {
		return nil, err
	}
	mem.audited(p, report.Cited)
	v.cites(manual, source, report.Cited)
	if report.MarginalGain != nil && v.options.Gained != nil {
		v.options.Gained("artifact_audit", report.AddedLines, report.ScannedTokens)
	}
	return &report, nil
}

// cites reports what merged ranges of a manual's file cite as used.
func (v *Vault) cites(manual *toolset.Ref, source *document, cited []toolset.Range) {
	if manual == nil || v.options.Used == nil || len(cited) == 0 || len(source.text) > corpus.MaxSize {
		return
	}
	if corpus.IsJSON(manual.Path) {
		v.options.Used(manual.ManualID, manual.Path, 0)
		return
	}
	sections := corpus.Cut(manual.Path, source.text)
	for i, s := range sections {
		end := source.total()
		if i+1 < len(sections) {
			end = sections[i+1].Start - 1
		}
		for len(cited) > 0 && cited[0].EndLine < s.Start {
			cited = cited[1:]
		}
		if len(cited) > 0 && cited[0].StartLine <= end {
			v.options.Used(manual.ManualID, manual.Path, s.Start)
		}
	}
}

// copied returns what an artifact was copied from.
func (v *Vault) copied(ctx context.Context, artifact *document) (origins []audit.Origin) {
	var note []byte
	if d, err := v.lookup("artifact_path", noteOf(artifact.path).path); err == nil {
		note = d.text
	}
	files := map[string]*document{}
	for _, s := range bridge.Origins(artifact.text, note) {
		o := audit.Origin{Path: manualPrefix + s.ManualID + "/" + s.Path, HeadingPath: s.HeadingPath}
		if _, err := fmt.Sscanf(s.Lines, "%d-%d", &o.Lines.StartLine, &o.Lines.EndLine); err != nil {
			continue
		}
		d, known := files[o.Path]
		if !known {
			d, _, _ = v.source(ctx, o.Path)
			files[o.Path] = d
		}
		if o.Changed = d == nil || d.sha256 != s.SHA256; d != nil {
			o.Text = d.text
		}
		origins = append(origins, o)
	}
	return origins
}

// manualPrefix begins the path of a source that is a file of a manual.
const manualPrefix = "manual:"

// source reads the text that an artifact rests on, with the file of a manual that it is, nil for one
// of the vault.
func (v *Vault) source(ctx context.Context, path string) (*document, *toolset.Ref, error) {
	const param = "source_path"
	of, isManual := strings.CutPrefix(path, manualPrefix)
	if !isManual {
		d, err := v.document(ctx, param, path)
		if bad := toolset.AsError(err); err != nil && bad.Code == toolset.NotFound {
			if _, ref, _ := v.source(ctx, manualPrefix+path); ref != nil {
				bad.Message += "; there is " + manualPrefix + path + ", which is a file of a manual"
				bad.With("did_you_mean", []string{manualPrefix + path})
			}
		}
		return d, nil, err
	}
	id, file, ok := strings.Cut(of, "/")
	bad := toolset.Invalid(param, path, manualPrefix+"<manual_id>/<path> for a file of a manual")
	if id == "" {
		return nil, nil, bad
	}
	var manuals []corpus.Manual
	if v.options.Manuals != nil {
		var err error
		if manuals, err = v.options.Manuals(ctx); err != nil {
			return nil, nil, err
		}
	}
	m, err := corpus.Find(manuals, id)
	if !ok || file == "" {
		if files, _, walkErr := corpus.Walk(ctx, m); err == nil && walkErr == nil && len(files) > 0 {
			bad.With("nearest", manualPrefix+m.ID+"/"+files[0].Path)
		}
		return nil, nil, bad
	}
	if err != nil {
		return nil, nil, toolset.AsError(err).Argument(param, path, manualPrefix+" and the id of a manual")
	}
	f, err := corpus.Open(ctx, m, file)
	if err != nil {
		bad := toolset.AsError(toolset.Renamed(err, param, "path", "manual_id"))
		if near, ok := bad.Details["did_you_mean"].([]string); ok {
			for i, file := range near {
				near[i] = manualPrefix + m.ID + "/" + file
			}
		}
		return nil, nil, bad
	}
	return &document{path: manualPrefix + m.ID + "/" + f.Path, text: f.Text, lines: corpus.NewLines(f.Text),
		from: f.Source, sha256: hex.EncodeToString(f.SHA256[:])}, &toolset.Ref{ManualID: m.ID, Path: f.Path}, nil
}

// linked returns the text of a file that an artifact links to, none for a folder. A file that
// cannot be read counts as there.
func (v *Vault) linked(ctx context.Context, path string) (text []byte, ok bool) {
	read := func() (*document, error) { return v.lookup("path", path) }
	if strings.HasPrefix(path, manualPrefix) {
		read = func() (*document, error) { d, _, err := v.source(ctx, path); return d, err }
	}
	d, err := read()
	if err != nil {
		return nil, toolset.AsError(err).Code != toolset.NotFound
	}
	return d.text, true
}
