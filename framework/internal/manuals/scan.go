package manuals

import (
	"context"
	"unicode/utf8"

	"github.com/sagasu-search/sagasu/framework/internal/corpus"
	"github.com/sagasu-search/sagasu/framework/internal/toolset"
)

// ScanRequest is one manual_scan call. CharOffset, where given, sets the
// position; else StartLine does, else CursorLine, else it is line 1.
type ScanRequest struct {
	ManualID   string
	Path       string
	StartLine  *int
	CursorLine *int // cursor.start_line
	CharOffset *int // cursor.char_offset: code points from the start of the file
}

// Scan is a piece of a file. The texts of all pieces, each asked for with the
// next_cursor of the one before, are the file byte for byte.
type Scan struct {
	ManualID        string         `json:"manual_id"`
	Path            string         `json:"path"`
	Text            string         `json:"text"`
	AppliedRange    toolset.Range  `json:"applied_range"`
	NextCursor      toolset.Cursor `json:"next_cursor"`
	EOF             bool           `json:"eof"`
	Truncated       bool           `json:"truncated"`
	TruncatedReason string         `json:"truncated_reason"` // none or max_chars
	Applied         ScanApplied    `json:"applied"`
}

// ScanApplied tells the limit of a scan.
type ScanApplied struct {
	MaxChars int `json:"max_chars"`
}

// Scan reads a piece of at most MaxChars code points, whatever the file's
// size. Positions outside the file are invalid_parameter.
func (l *Library) Scan(ctx context.Context, req ScanRequest) (*Scan, error) {
	d, err := l.open(ctx, req.ManualID, req.Path)
	if err != nil {
		return nil, err
	}
	from, err := d.position(req)
	if err != nil {
		return nil, err
	}
	l.used(d, 0)
	p := d.piece(from)
	scan := &Scan{
		ManualID: d.manual, Path: d.path, Text: p.text, AppliedRange: p.lines, NextCursor: p.next,
		EOF: p.eof(), Truncated: !p.eof(), TruncatedReason: "none", Applied: ScanApplied{MaxChars},
	}
	if scan.Truncated {
		scan.TruncatedReason = "max_chars"
	}
	return scan, nil
}

// position is the byte where a scan starts. Every line given must exist, also
// one that is outranked.
func (d *document) position(req ScanRequest) (int, error) {
	if err := d.checkLine("start_line", req.StartLine); err != nil {
		return 0, err
	}
	if err := d.checkLine("cursor.start_line", req.CursorLine); err != nil {
		return 0, err
	}
	switch {
	case req.CharOffset != nil:
		return d.offset(*req.CharOffset)
	case req.StartLine != nil:
		return d.lines.Start(*req.StartLine), nil
	case req.CursorLine != nil:
		return d.lines.Start(*req.CursorLine), nil
	}
	return 0, nil
}

func (d *document) offset(chars int) (int, error) {
	total := utf8.RuneCount(d.text)
	if chars < 0 || chars > total {
		return 0, toolset.Errorf(toolset.InvalidParameter, "cursor.char_offset must lie in the file, 0 to %d; pass on the next_cursor of the scan before", total).
			With("parameter", "cursor.char_offset").With("got", chars).With("expected", "0 to the number of characters").With("total_chars", total)
	}
	return corpus.Forward(d.text, 0, chars), nil
}

// piece is a run of text of at most MaxChars code points.
type piece struct {
	text  string
	end   int // byte after it
	lines toolset.Range
	next  toolset.Cursor
}

func (p piece) eof() bool { return p.next.CharOffset == nil }

// piece takes the text from a byte on.
func (d *document) piece(from int) piece {
	return d.cut(from, corpus.LastBreak(d.text, from, corpus.Forward(d.text, from, MaxChars)))
}

// cut takes the text between two bytes.
func (d *document) cut(from, end int) piece {
	p := piece{
		text: string(d.text[from:end]), end: end,
		lines: toolset.Range{StartLine: d.lines.At(from), EndLine: d.lines.At(max(from, end-1))},
	}
	if end < len(d.text) {
		chars := utf8.RuneCount(d.text[:end])
		p.next.CharOffset = &chars
	}
	return p
}
