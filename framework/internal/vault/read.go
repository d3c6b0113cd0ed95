package vault

import (
	"context"
	"unicode/utf8"

	"github.com/sagasu-search/sagasu/framework/internal/rootfs"
	"github.com/sagasu-search/sagasu/framework/internal/toolset"
)

// ReadArgs are the arguments of vault_read: a range of lines, the whole file, or what
// follows a cursor.
type ReadArgs struct {
	Path   rootfs.Path         `json:"path" required:"the path of a file in the vault, such as artifacts/plan.md" minLength:"1"`
	Full   bool                `json:"full" default:"false" doc:"Instead of range."`
	Range  *toolset.Range      `json:"range"`
	Offset *toolset.LineCursor `json:"offset" doc:"next_offset of the call before."`
	Limits Limits              `json:"limits"`
	Showing
}

// Limits bound the text of a result.
type Limits struct {
	MaxChars *int `json:"max_chars" min:"1" doc:"12000 by default."`
}

// Reading is the result of vault_read.
type Reading struct {
	Path            string             `json:"path" optional:""`
	Text            string             `json:"text"`
	Truncated       bool               `json:"truncated" doc:"Lines asked for are left out."`
	ReturnedChars   int                `json:"returned_chars"`
	AppliedRange    toolset.Range      `json:"applied_range"`
	NextOffset      toolset.LineCursor `json:"next_offset" doc:"Where to go on; null at the end of the file."`
	TruncatedReason string             `json:"truncated_reason" enum:"max_chars,range_end,hard_limit,max_tokens,none"`
	// SHA256 is the SHA-256 of the file, if the whole file was requested.
	SHA256 string `json:"sha256,omitempty" schema:"-"`
}

// Counters implements [toolset.Counter].
func (r *Reading) Counters() []any { return []any{"chars", r.ReturnedChars, "truncated", r.Truncated} }

// Read returns text of a file.
func (v *Vault) Read(ctx context.Context, req ReadArgs) (*Reading, error) {
	if err := req.check(); err != nil {
		return nil, err
	}
	limit, err := v.maxChars(req.Limits.MaxChars)
	if err != nil {
		return nil, err
	}
	d, err := v.document(ctx, "path", string(req.Path))
	if err != nil {
		return nil, err
	}
	from, to := 0, len(d.text)
	if req.Range != nil {
		if err := req.Range.Check("range", d.total()); err != nil {
			return nil, err
		}
		from, to = d.lines.Start(req.Range.StartLine), d.lines.Start(req.Range.EndLine+1)
	}
	if req.Offset != nil {
		if from, err = d.at("offset", *req.Offset); err != nil {
			return nil, err
		}
		if req.Range != nil && (from >= to || from < d.lines.Start(req.Range.StartLine)) {
			return nil, toolset.Errorf(toolset.InvalidParameter,
				"offset lies outside of range, whose lines are read; leave range out to go on from offset").
				Argument("offset", req.Offset, "a place in lines of range").
				With("example", map[string]any{"path": req.Path, "offset": req.Offset})
		}
	}
	p, cut := req.piece(d, from, to, limit)
	out := &Reading{Path: d.path, TruncatedReason: d.reason(p, cut, req.Limits.MaxChars, reasonRange)}
	if req.Full {
		out.SHA256 = digest(d.text)
	}
	if p, cut, err = d.afford(p, req.Showing, out.longest(d)); err != nil {
		return nil, err
	}
	if cut {
		out.TruncatedReason = reasonTokens
	}
	out.Text, out.ReturnedChars = req.show(d, p), utf8.RuneCountInString(p.text)
	out.Truncated = out.TruncatedReason != reasonNone && out.TruncatedReason != reasonRange
	out.AppliedRange, out.NextOffset = p.lines, d.after(p.end)
	return out, nil
}

// longest returns the reply without its text.
func (r *Reading) longest(d *document) any {
	whole, last := *r, d.lines.Count()
	whole.AppliedRange, whole.NextOffset = toolset.Range{StartLine: last, EndLine: last}, d.farthest()
	whole.ReturnedChars, whole.TruncatedReason = len(d.text), reasonTokens
	return whole
}

// check refuses no way, or two ways, of saying what to read.
func (r *ReadArgs) check() error {
	switch {
	case r.Full && r.Range != nil:
		return toolset.Errorf(toolset.InvalidParameter, "full and range exclude each other; leave one out").
			Argument("full", true, "either full or a range").
			With("example", map[string]any{"path": r.Path, "range": r.Range})
	case !r.Full && r.Range == nil && r.Offset == nil:
		return toolset.Errorf(toolset.InvalidParameter,
			"range is required unless full is true: give the lines to read").
			Argument("range", nil, "an object with start_line and end_line, or full: true").
			With("example", map[string]any{"path": r.Path, "full": true}) // whatever the file's length
	}
	return nil
}

// Correct implements [toolset.Corrector].
func (ReadArgs) Correct(call map[string]any) {
	switch {
	case call["range"] != nil:
		delete(call, "full")
	case call["offset"] == nil:
		call["full"] = true
	}
}
