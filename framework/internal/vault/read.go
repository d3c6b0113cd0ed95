package vault

import (
	"context"
	"unicode/utf8"

	"github.com/sagasu-search/sagasu/framework/internal/toolset"
)

// ReadRequest is one vault_read call: a range of lines, the whole file, or what
// follows a cursor.
type ReadRequest struct {
	Path  string
	Full  bool
	Range *toolset.Range
	// Offset is the NextOffset of the reading before, to go on behind it.
	Offset   *toolset.LineCursor
	MaxChars *int
}

// Reading is the answer to vault_read. NextOffset is the cursor for a scan, or
// another reading, that goes on after Text.
type Reading struct {
	Path            string             `json:"path"`
	Text            string             `json:"text"`
	Truncated       bool               `json:"truncated"` // the file goes on
	ReturnedChars   int                `json:"returned_chars"`
	AppliedRange    toolset.Range      `json:"applied_range"`
	NextOffset      toolset.LineCursor `json:"next_offset"`
	TruncatedReason string             `json:"truncated_reason"` // max_chars, range_end, hard_limit or none
}

// Read gives text of a file.
func (v *Vault) Read(_ context.Context, req ReadRequest) (*Reading, error) {
	if err := req.check(); err != nil {
		return nil, err
	}
	limit, err := v.maxChars(req.MaxChars)
	if err != nil {
		return nil, err
	}
	d, err := v.document("path", req.Path)
	if err != nil {
		return nil, err
	}
	from, to := 0, len(d.text)
	if req.Range != nil {
		if err := checkRange("range", *req.Range, d.total()); err != nil {
			return nil, err
		}
		from, to = d.lines.Start(req.Range.StartLine), d.lines.Start(req.Range.EndLine+1)
	}
	if req.Offset != nil {
		if from, err = d.at("offset", *req.Offset); err != nil {
			return nil, err
		}
		if req.Range != nil && (from >= to || from < d.lines.Start(req.Range.StartLine)) {
			return nil, toolset.Errorf(toolset.InvalidParameter, "offset lies outside of range, whose lines are read; leave range out to go on from offset").
				With("parameter", "offset").With("got", req.Offset).With("expected", "a place in lines of range").
				With("example", map[string]any{"path": req.Path, "offset": req.Offset})
		}
	}
	p, cut := d.piece(from, to, limit)
	reason := d.reason(p, cut, req.MaxChars, reasonRange)
	return &Reading{
		Path: d.path, Text: p.text, Truncated: reason != reasonNone, ReturnedChars: utf8.RuneCountInString(p.text),
		AppliedRange: p.lines, NextOffset: d.after(p.end), TruncatedReason: reason,
	}, nil
}

// check wants one way of saying what to read.
func (r *ReadRequest) check() error {
	example := map[string]any{"path": r.Path, "full": true} // whatever the file's length
	switch {
	case r.Full && r.Range != nil:
		example = map[string]any{"path": r.Path, "range": r.Range}
		return toolset.Errorf(toolset.InvalidParameter, "full and range exclude each other; leave one out").
			With("parameter", "full").With("got", true).With("expected", "either full or a range").With("example", example)
	case !r.Full && r.Range == nil && r.Offset == nil:
		return toolset.Errorf(toolset.InvalidParameter, "range is required unless full is true: give the lines to read").
			With("parameter", "range").With("got", nil).With("expected", "an object with start_line and end_line, or full: true").With("example", example)
	}
	return nil
}
