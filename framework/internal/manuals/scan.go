package manuals

import (
	"context"
	"encoding/json"
	"reflect"
	"unicode/utf8"

	"github.com/google/jsonschema-go/jsonschema"

	"github.com/sagasu-search/sagasu/framework/internal/corpus"
	"github.com/sagasu-search/sagasu/framework/internal/rootfs"
	"github.com/sagasu-search/sagasu/framework/internal/toolset"
)

// ScanArgs are the arguments of manual_scan. The position is the cursor's CharOffset if given, or else StartLine, or
// else the cursor's line, or else line 1.
type ScanArgs struct {
	ManualID  corpus.ManualID `json:"manual_id" required:"the id of a manual, as manual_ls lists them" minLength:"1"`
	Path      rootfs.Path     `json:"path" required:"the path of a file in the manual" minLength:"1"`
	StartLine *int            `json:"start_line" min:"1" default:"1"`
	Cursor    ScanCursor      `json:"cursor" doc:"next_cursor of the call before, or a char_offset."`
	MaxTokens *int            `json:"max_tokens" min:"100" max:"50000"`
}

// ScanCursor is where a scan continues. A call may pass just the offset as a number.
type ScanCursor struct {
	StartLine  *int `json:"start_line" min:"1"`
	CharOffset *int `json:"char_offset" min:"0"` // code points from the start of the file
}

// ReadArgument implements [toolset.Reader].
func (c *ScanCursor) ReadArgument(a *toolset.Arguments, name string) {
	offset, object := a.IntOrObject(name, 0)
	c.StartLine = object.Int("start_line", 1, toolset.Unbounded)
	c.CharOffset = object.Int("char_offset", 0, toolset.Unbounded)
	if offset != nil {
		c.CharOffset = offset
	}
}

// JSONSchema implements [toolset.Schemer].
func (ScanCursor) JSONSchema() *jsonschema.Schema {
	return &jsonschema.Schema{AnyOf: []*jsonschema.Schema{
		toolset.InputSchema(reflect.TypeFor[ScanCursor]()),
		{Type: "integer", Minimum: new(0.0)},
		{Type: "string", Pattern: "^[0-9]+$"},
		{Type: "null"},
	}}
}

// Scan is a piece of a file. If each piece is requested with the next_cursor of the one before, their concatenated
// texts are the file, byte for byte.
type Scan struct {
	ManualID        string         `json:"manual_id"`
	Path            string         `json:"path"`
	Text            string         `json:"text"`
	AppliedRange    toolset.Range  `json:"applied_range"`
	NextCursor      toolset.Cursor `json:"next_cursor"`
	EOF             bool           `json:"eof"`
	Truncated       bool           `json:"truncated"`
	TruncatedReason string         `json:"truncated_reason" enum:"none,max_chars,max_tokens"`
	Applied         ScanApplied    `json:"applied"`
	// Source is the place of the text in a converted document.
	Source *toolset.Source `json:"source,omitempty" schema:"-"`
}

// Counters implements [toolset.Counter].
func (s *Scan) Counters() []any { return []any{"chars", utf8.RuneCountInString(s.Text), "eof", s.EOF} }

// ScanApplied is the limit that applied to a scan.
type ScanApplied struct {
	MaxChars int `json:"max_chars"`
}

func (l *Library) scanTool() toolset.Tool {
	return toolset.Define(toolset.Tool{
		Name:  "manual_scan",
		Title: "Scan a file",
		Description: "Read a file piece by piece, at most 12,000 characters a call: " +
			"pass on next_cursor until eof. " +
			`Example: {"manual_id": "aoba-nas", "path": "12-hosho.md", "cursor": {"char_offset": 12000}}`,
		Example:  json.RawMessage(`{"manual_id": "id of a manual", "path": "guide/setup.md", "start_line": 1, "cursor": {"start_line": 1, "char_offset": 0}, "max_tokens": 1200}`),
		Hints:    toolset.Reading,
		MaxChars: toolset.TextChars(maxChars),
		Group:    group,
	}, l.Scan)
}

// Scan reads a piece of at most maxChars code points, whatever the file's size. Positions outside the file are
// invalid_parameter.
func (l *Library) Scan(ctx context.Context, args ScanArgs) (*Scan, error) {
	d, err := l.open(ctx, args.ManualID, args.Path)
	if err != nil {
		return nil, err
	}
	from, err := d.position(args)
	if err != nil {
		return nil, err
	}
	l.used(d, 0)
	scan := &Scan{ManualID: d.manual, Path: d.path, Applied: ScanApplied{maxChars}}
	hold := func(chars int) any {
		p := d.cut(from, corpus.LastBreak(d.text, from, corpus.Forward(d.text, from, chars)))
		scan.Text, scan.AppliedRange, scan.NextCursor, scan.EOF = p.text, p.lines, p.next, p.eof()
		scan.Source = d.Source(p.lines.StartLine, p.lines.EndLine)
		switch scan.Truncated, scan.TruncatedReason = !p.eof(), reasonNone; {
		case chars < maxChars:
			scan.TruncatedReason = reasonTokens
		case scan.Truncated:
			scan.TruncatedReason = "max_chars"
		}
		return scan
	}
	return scan, toolset.Fit(args.MaxTokens, maxChars, hold)
}

// position returns the byte at which a scan starts. Every given line must exist, even if another position takes
// precedence.
func (d *document) position(args ScanArgs) (int, error) {
	if err := d.checkLine("start_line", args.StartLine); err != nil {
		return 0, err
	}
	if err := d.checkLine("cursor.start_line", args.Cursor.StartLine); err != nil {
		return 0, err
	}
	switch {
	case args.Cursor.CharOffset != nil:
		return d.offset(*args.Cursor.CharOffset)
	case args.StartLine != nil:
		return d.lines.Start(*args.StartLine), nil
	case args.Cursor.StartLine != nil:
		return d.lines.Start(*args.Cursor.StartLine), nil
	}
	return 0, nil
}

func (d *document) offset(chars int) (int, error) {
	total := utf8.RuneCount(d.text)
	if chars > total {
		return 0, toolset.Errorf(toolset.InvalidParameter,
			"cursor.char_offset must lie in the file, 0 to %d; pass on the next_cursor of the scan before", total).
			Argument("cursor.char_offset", chars, "0 to the number of characters").With("total_chars", total)
	}
	return corpus.Forward(d.text, 0, chars), nil
}

// piece is a run of text of at most maxChars code points.
type piece struct {
	text  string
	from  int // its first byte
	end   int // byte after it
	lines toolset.Range
	next  toolset.Cursor
}

func (p piece) eof() bool { return p.next.CharOffset == nil }

// cut returns the text between two bytes as a piece.
func (d *document) cut(from, end int) piece {
	p := piece{
		text: string(d.text[from:end]), from: from, end: end,
		lines: toolset.Range{StartLine: d.lines.At(from), EndLine: d.lines.At(max(from, end-1))},
	}
	if end < len(d.text) {
		p.next.CharOffset = new(utf8.RuneCount(d.text[:end]))
	}
	return p
}
