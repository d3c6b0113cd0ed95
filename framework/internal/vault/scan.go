package vault

import (
	"context"
	"fmt"
	"slices"

	"github.com/sagasu-search/sagasu/framework/internal/toolset"
)

// ScanRequest is one vault_scan call.
type ScanRequest struct {
	Path string
	// toolset.LineCursor is the NextCursor of the scan before; without one a scan starts at the
	// first line that is not cited.
	Cursor     *toolset.LineCursor
	ChunkLines *int
	MaxChars   *int
	// Cited are the lines cited so far; nil when the caller does not say.
	Cited []toolset.Range
}

// Scan is a piece of a file. The texts of all pieces from line 1 on, each asked
// for with the NextCursor of the one before, are the file byte for byte.
type Scan struct {
	Path            string             `json:"path"`
	Text            string             `json:"text"`
	AppliedRange    *toolset.Range     `json:"applied_range"` // null when no line is left
	NextCursor      toolset.LineCursor `json:"next_cursor"`
	EOF             bool               `json:"eof"`
	Truncated       bool               `json:"truncated"`
	TruncatedReason string             `json:"truncated_reason"` // max_chars, chunk_end, hard_limit or none
	CoverageRatio   *float64           `json:"coverage_ratio"`   // null when nothing is said of citations
	MarginalGain    *float64           `json:"marginal_gain"`    // newly cited lines per token, null until there are some
	NextActions     []toolset.Action   `json:"next_actions"`
}

// Scan reads a piece of a file. mem is the memory of the session, nil for none.
func (v *Vault) Scan(_ context.Context, req ScanRequest, mem *Memory) (*Scan, error) {
	limit, err := v.maxChars(req.MaxChars)
	if err != nil {
		return nil, err
	}
	chunk, err := v.chunkLines(req.ChunkLines)
	if err != nil {
		return nil, err
	}
	d, err := v.document("path", req.Path)
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
	if !given(req.Cursor) {
		mem.restart(d.path)
	}
	p, cut := d.piece(from, d.lines.Start(min(d.lines.At(from)+chunk, d.lines.Count()+1)), limit)
	out.Text, out.NextCursor, out.EOF = p.text, d.after(p.end), p.end >= len(d.text)
	if p.text != "" {
		out.AppliedRange = &p.lines
	}
	out.TruncatedReason = d.reason(p, cut, req.MaxChars, reasonChunk)
	out.Truncated = !out.EOF
	v.judge(out, d, req.Cited != nil, merged, mem)
	return out, nil
}

func (v *Vault) chunkLines(given *int) (int, error) {
	if given == nil {
		return v.options.ChunkLines, nil
	}
	if *given < 1 || *given > v.options.MaxChunkLines {
		return 0, toolset.Invalid("chunk_lines", *given, fmt.Sprintf("an integer from 1 to %d", v.options.MaxChunkLines))
	}
	return *given, nil
}

// begin is the byte where a scan starts: at the cursor, else at the first line
// that is not cited. A cursor without members is none.
func (d *document) begin(c *toolset.LineCursor, merged []toolset.Range) (int, error) {
	if given(c) {
		return d.at("cursor", *c)
	}
	if len(merged) == 0 {
		return 0, nil
	}
	left := toolset.UncoveredRanges(d.covered(merged), d.total())
	if len(left) == 0 {
		return len(d.text), nil
	}
	return d.lines.Start(left[0].StartLine), nil
}

// judge fills in what the scan is worth and what to do next.
func (v *Vault) judge(out *Scan, d *document, says bool, merged []toolset.Range, mem *Memory) {
	var gain Gain
	if says {
		share := ratio(d.covered(merged), d.total())
		out.CoverageRatio = &share
		gain = mem.cite(d.path, merged, v.options.GainMin)
		if out.MarginalGain = gain.Value; gain.Value != nil && v.options.Gained != nil {
			v.options.Gained("vault_scan", gain.Lines, gain.Tokens)
		}
	}
	fresh := out.AppliedRange != nil && mem.scanned(d.path, out.Text, *out.AppliedRange)
	out.NextActions = []toolset.Action{v.next(out, d, merged, gain.Low, fresh, mem)}
}

// lowChunks is how many chunks in a row that bring too little end a scan.
const lowChunks = 2

// next proposes a scan that shows lines not yet seen, once more what is not cited
// when this piece was fresh, or to stop: whoever follows proposals without citing
// more must come to an end.
func (v *Vault) next(out *Scan, d *document, merged []toolset.Range, low int, fresh bool, mem *Memory) toolset.Action {
	switch {
	case out.CoverageRatio != nil && *out.CoverageRatio >= v.options.CoverageMin:
		return stop(coverageSatisfied)
	case low >= lowChunks:
		return stop(lowMarginalGain)
	}
	left := toolset.UncoveredRanges(d.covered(merged), d.total())
	if !out.EOF {
		if c, ok := ahead(out.NextCursor, left); ok {
			return scanOn(d.path, fillGaps, 0.5, c, merged)
		}
	}
	line := mem.unseen(d.path, left)
	if line == 0 && fresh && len(left) > 0 {
		line = left[0].StartLine
	}
	if line > 0 && out.CoverageRatio != nil {
		return scanOn(d.path, fillGaps, 0.5, lineCursor(line), merged)
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
		return lineCursor(left[i].StartLine), true
	}
	return c, true
}
