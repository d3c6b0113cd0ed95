package vault

import (
	"context"
	"fmt"
	"slices"

	"github.com/sagasu-search/sagasu/framework/corpus"
	"github.com/sagasu-search/sagasu/framework/fault"
)

// ScanRequest is one vault_scan call.
type ScanRequest struct {
	Path string
	// Cursor is the NextCursor of the scan before; without one a scan starts at the
	// first line that is not cited.
	Cursor     *Cursor
	ChunkLines *int
	MaxChars   *int
	// Cited are the lines cited so far; nil when the caller does not say.
	Cited []corpus.Range
}

// Scan is a piece of a file. The texts of all pieces from line 1 on, each asked
// for with the NextCursor of the one before, are the file byte for byte.
type Scan struct {
	Path            string        `json:"path"`
	Text            string        `json:"text"`
	AppliedRange    *corpus.Range `json:"applied_range"` // null when no line is left
	NextCursor      Cursor        `json:"next_cursor"`
	EOF             bool          `json:"eof"`
	Truncated       bool          `json:"truncated"`
	TruncatedReason string        `json:"truncated_reason"` // max_chars, chunk_end, hard_limit or none
	CoverageRatio   *float64      `json:"coverage_ratio"`   // null when nothing is said of citations
	MarginalGain    *float64      `json:"marginal_gain"`    // newly cited lines per token, null until there are some
	NextActions     []Action      `json:"next_actions"`
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
		return 0, fault.Parameter("chunk_lines", *given, fmt.Sprintf("an integer from 1 to %d", v.options.MaxChunkLines))
	}
	return *given, nil
}

// begin is the byte where a scan starts: at the cursor, else at the first line
// that is not cited. A cursor without members is none.
func (d *document) begin(c *Cursor, merged []corpus.Range) (int, error) {
	if c != nil && (c.StartLine != nil || c.CharOffset != nil) {
		return d.at("cursor", *c)
	}
	left := corpus.Uncovered(merged, d.total())
	if len(left) == 0 {
		return len(d.text), nil
	}
	return d.lines.Start(left[0].StartLine), nil
}

// judge fills in what the scan is worth and what to do next.
func (v *Vault) judge(out *Scan, d *document, says bool, merged []corpus.Range, mem *Memory) {
	var gain Gain
	if says {
		share := ratio(merged, d.total())
		out.CoverageRatio = &share
		gain = mem.cite(d.path, merged, v.options.GainMin)
		if out.MarginalGain = gain.Value; gain.Value != nil && v.options.Gained != nil {
			v.options.Gained("vault_scan", gain.Lines, gain.Tokens)
		}
	}
	if out.AppliedRange != nil {
		mem.scanned(d.path, out.Text, *out.AppliedRange)
	}
	out.NextActions = []Action{v.next(out, d, merged, gain.Low)}
}

// lowChunks is how many chunks in a row that bring too little end a scan.
const lowChunks = 2

func (v *Vault) next(out *Scan, d *document, merged []corpus.Range, low int) Action {
	left := corpus.Uncovered(merged, d.total())
	switch {
	case out.CoverageRatio != nil && *out.CoverageRatio >= v.options.CoverageMin:
		return stop(coverageSatisfied)
	case low >= lowChunks:
		return stop(lowMarginalGain)
	case !out.EOF:
		return scanOn(d.path, fillGaps, 0.5, d.ahead(out.NextCursor, left), merged)
	case out.CoverageRatio == nil && out.AppliedRange != nil:
		return Action{"vault_coverage", verifyCoverage, rounded(0.5), map[string]any{"path": d.path, "cited_ranges": []corpus.Range{}}}
	case len(left) == 0, out.CoverageRatio == nil:
		return stop(noRemainingRanges)
	}
	return scanOn(d.path, fillGaps, 0.5, lineCursor(left[0].StartLine), merged)
}

// ahead moves a cursor on to the next line that is not cited, if there is one.
func (d *document) ahead(c Cursor, left []corpus.Range) Cursor {
	i := slices.IndexFunc(left, func(r corpus.Range) bool { return r.EndLine >= *c.StartLine })
	switch {
	case i < 0 && len(left) > 0:
		return lineCursor(left[0].StartLine)
	case i >= 0 && left[i].StartLine > *c.StartLine:
		return lineCursor(left[i].StartLine)
	}
	return c
}
