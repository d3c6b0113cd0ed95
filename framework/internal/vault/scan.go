package vault

import (
	"context"
	"slices"
	"unicode/utf8"

	"github.com/sagasu-search/sagasu/framework/internal/rootfs"
	"github.com/sagasu-search/sagasu/framework/internal/toolset"
)

// ScanArgs are the arguments of vault_scan.
type ScanArgs struct {
	Path       rootfs.Path         `json:"path" required:"the path of a file in the vault, such as artifacts/plan.md" minLength:"1"`
	Cursor     *toolset.LineCursor `json:"cursor" doc:"next_cursor of the call before."`
	ChunkLines *int                `json:"chunk_lines" min:"1" default:"80" doc:"Lines of a piece."`
	Limits     Limits              `json:"limits"`
	Cited      []toolset.Range     `json:"cited_ranges"` // nil when not given
	Showing
}

// Scan is the result of vault_scan, a piece of a file. The concatenated texts of all pieces from
// line 1 on, each requested with the NextCursor of the one before, are the file, byte for byte.
type Scan struct {
	Path            string             `json:"path" optional:""`
	Text            string             `json:"text"`
	AppliedRange    *toolset.Range     `json:"applied_range" doc:"Lines that end in text; null when none does."`
	NextCursor      toolset.LineCursor `json:"next_cursor" doc:"Where to go on; null at the end of the file."`
	EOF             bool               `json:"eof"`
	Truncated       bool               `json:"truncated"`
	TruncatedReason string             `json:"truncated_reason" enum:"max_chars,chunk_end,hard_limit,max_tokens,none"`
	CoverageRatio   *float64           `json:"coverage_ratio" optional:"" doc:"Share of the lines that are cited."`
	MarginalGain    *float64           `json:"marginal_gain" optional:"" doc:"Newly cited lines per token read since."`
	NextActions     []toolset.Action   `json:"next_actions"`
}

// Counters implements [toolset.Counter].
func (s *Scan) Counters() []any {
	return []any{"chars", utf8.RuneCountInString(s.Text), "eof", s.EOF}
}

// Proposed implements [toolset.Proposer].
func (s *Scan) Proposed() []toolset.Action { return s.NextActions }

// Scan reads a piece of a file and remembers it in the session.
func (v *Vault) Scan(ctx context.Context, req ScanArgs) (*Scan, error) {
	mem := remembered(ctx)
	limit, err := v.maxChars(req.Limits.MaxChars)
	if err != nil {
		return nil, err
	}
	chunk, err := bounded("chunk_lines", req.ChunkLines, v.options.ChunkLines, v.options.MaxChunkLines)
	if err != nil {
		return nil, err
	}
	d, err := v.document(ctx, "path", string(req.Path))
	if err != nil {
		return nil, err
	}
	merged, err := cited(req.Cited, d.total())
	if err != nil {
		return nil, err
	}
	out := &Scan{Path: d.path, TruncatedReason: reasonNone}
	from, err := d.begin(req.Cursor, merged)
	if err != nil {
		return nil, err
	}
	p, cut := req.piece(d, from, d.lines.Start(min(d.lines.At(from)+chunk, d.lines.Count()+1)), limit)
	out.TruncatedReason = d.reason(p, cut, req.Limits.MaxChars, reasonChunk)
	if p, cut, err = d.afford(p, req.Showing, out.longest(d, merged)); err != nil {
		return nil, err
	}
	if cut {
		out.TruncatedReason = reasonTokens
	}
	out.Text, out.NextCursor, out.EOF = req.show(d, p), d.after(p.end), p.end >= len(d.text)
	out.AppliedRange, out.Truncated = d.ended(p), !out.EOF
	v.assess(out, d, p, req.Cited != nil, merged, mem)
	return out, nil
}

// longest returns the reply without its text, with the proposal that costs most.
func (s *Scan) longest(d *document, merged []toolset.Range) any {
	whole, all, one := *s, toolset.Range{StartLine: 1, EndLine: max(1, d.total())}, 1.0
	whole.AppliedRange, whole.NextCursor, whole.TruncatedReason = &all, d.farthest(), reasonTokens
	whole.CoverageRatio, whole.MarginalGain = &one, &one
	whole.NextActions = []toolset.Action{scanOn(d.path, one, whole.NextCursor, merged)}
	return whole
}

// begin returns the byte where a scan starts: at the cursor, else at the first line
// that is not cited. A cursor without members counts as not given.
func (d *document) begin(c *toolset.LineCursor, merged []toolset.Range) (int, error) {
	if c != nil && *c != (toolset.LineCursor{}) {
		return d.at("cursor", *c)
	}
	if len(merged) == 0 {
		return 0, nil
	}
	covered, _ := d.coverage(merged)
	left := toolset.UncoveredRanges(covered, d.total())
	if len(left) == 0 {
		return len(d.text), nil
	}
	return d.lines.Start(left[0].StartLine), nil
}

// assess fills in coverage, gain and the next actions of a scan.
func (v *Vault) assess(out *Scan, d *document, p piece, says bool, merged []toolset.Range, mem *memory) {
	var g gain
	if says {
		_, ratio := d.coverage(merged)
		out.CoverageRatio = &ratio
		g = mem.cite(d, merged, v.options.GainMin)
		if out.MarginalGain = g.Value; g.Value != nil && v.options.Gained != nil {
			v.options.Gained("vault_scan", g.Lines, g.Tokens)
		}
	}
	fresh := mem.scanned(d.path, p, out.AppliedRange)
	out.NextActions = []toolset.Action{v.next(out, d, merged, g.Low, fresh, mem)}
}

// lowChunks is the number of successive chunks with too little gain that end a scan.
const lowChunks = 2

// next proposes a scan that shows lines not yet seen, a second scan of uncited lines when this
// piece was fresh, or to stop: a client that follows proposals without citing more must come
// to an end.
func (v *Vault) next(out *Scan, d *document, merged []toolset.Range, low int, fresh bool, mem *memory) toolset.Action {
	switch {
	case out.CoverageRatio != nil && *out.CoverageRatio >= v.options.CoverageMin:
		return stop(coverageSatisfied)
	case low >= lowChunks:
		return stop(lowMarginalGain)
	}
	covered, _ := d.coverage(merged)
	left := toolset.UncoveredRanges(covered, d.total())
	if !out.EOF {
		if c, ok := ahead(out.NextCursor, left); ok {
			return scanOn(d.path, 0.5, c, merged)
		}
	}
	line := mem.unseen(d.path, left)
	if line == 0 && fresh && len(left) > 0 {
		line = left[0].StartLine
	}
	if line > 0 && out.CoverageRatio != nil {
		return scanOn(d.path, 0.5, toolset.CursorAt(line, 0), merged)
	}
	return stop(noRemainingRanges)
}

// ahead moves a cursor on to the next line that is not cited, if there is one.
func ahead(c toolset.LineCursor, left []toolset.Range) (toolset.LineCursor, bool) {
	i := slices.IndexFunc(left, func(r toolset.Range) bool { return r.EndLine >= *c.StartLine })
	switch {
	case i < 0:
		return c, false
	case left[i].StartLine > *c.StartLine:
		return toolset.CursorAt(left[i].StartLine, 0), true
	}
	return c, true
}
