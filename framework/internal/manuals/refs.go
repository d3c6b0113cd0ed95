package manuals

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/sagasu-search/sagasu/framework/internal/corpus"
	"github.com/sagasu-search/sagasu/framework/internal/rootfs"
	"github.com/sagasu-search/sagasu/framework/internal/toolset"
)

// ReadItem is the result for one of several refs: its text, the ref whose text includes it, or an
// error.
type ReadItem struct {
	Index        int           `json:"index"` // of the ref in refs
	ManualID     string        `json:"manual_id"`
	Path         string        `json:"path"`
	Text         string        `json:"text,omitempty"`
	AppliedRange toolset.Range `json:"applied_range,omitzero"`
	// Source is the place of the text in a converted document.
	Source      *toolset.Source `json:"source,omitempty"`
	Truncated   bool            `json:"truncated,omitempty"`
	ContainedIn *int            `json:"contained_in,omitempty"` // index of the other ref
	Error       *toolset.Error  `json:"error,omitempty"`
}

// row is a ref that is being turned into an item.
type row struct {
	ReadItem
	*extent // nil for an error, and for a row that another one contains
}

// readAll reads several refs in their order, as many as the limits allow.
func (l *Library) readAll(ctx context.Context, args ReadArgs) (*Reading, error) {
	rows, err := l.rows(ctx, args)
	if err != nil {
		return nil, err
	}
	first, err := begin(rows, args.Cursor)
	if err != nil {
		return nil, err
	}
	out := &Reading{Applied: Applied{Scope: args.Scope, MaxChars: args.MaxChars, Mode: modeRead}}
	left := args
	for i := first; i < len(rows) && left.MaxChars > 0; i++ {
		next, ok := rows[i].add(out, left, i == len(rows)-1)
		switch {
		case !ok && i == first:
			return nil, toolset.TooFew(args.MaxTokens, toolset.Cost(next))
		case !ok:
			return out, nil
		}
		out = next.Reading
		x := rows[i].extent
		if x == nil {
			continue
		}
		l.used(x.document, x.begin)
		if next.Items[len(next.Items)-1].Truncated {
			break
		}
		left.MaxChars -= x.length(next.piece, args)
	}
	return out, nil
}

// begin returns the first row of a reply, at the position of the cursor.
func begin(rows []row, c *ReadCursor) (first int, err error) {
	switch {
	case c == nil:
		return 0, nil
	case c.Index >= len(rows):
		return 0, toolset.Invalid("cursor.index", c.Index, "the one of next_cursor, with the same refs")
	case c.CharOffset == nil:
		return c.Index, nil
	case rows[c.Index].extent == nil:
		return 0, toolset.Invalid("cursor.char_offset", *c.CharOffset, "the one of next_cursor, with the same refs")
	}
	_, err = rows[c.Index].goOn(*c.CharOffset)
	return c.Index, err
}

// add returns a reply with the row after its items. After other items, the row is added only with at least one whole
// line of its text; add returns false if that costs too much.
func (w *row) add(to *Reading, args ReadArgs, last bool) (attempt, bool) {
	reply := func(item ReadItem, next *ReadCursor) *Reading {
		r := *to
		r.Items = append(slices.Clone(to.Items), item)
		if r.NextCursor = next; last && next != nil && next.Index > w.Index {
			r.NextCursor = nil
		}
		r.Truncated = r.NextCursor != nil
		return &r
	}
	behind := &ReadCursor{Index: w.Index + 1}
	if w.extent == nil {
		a := attempt{Reading: reply(w.ReadItem, behind)}
		return a, a.fits(args.MaxTokens)
	}
	a, ok := w.longest(args, func(p piece) *Reading {
		item, next := w.ReadItem, behind
		item.Text, item.AppliedRange, item.Truncated = w.shown(p, args), p.lines, w.cutBy(p)
		item.Source = w.extent.Source(p.lines.StartLine, p.lines.EndLine)
		if item.Truncated {
			next = &ReadCursor{Index: w.Index, CharOffset: p.next.CharOffset}
		}
		return reply(item, next)
	})
	if ok && len(to.Items) > 0 {
		ok = w.length(a.piece, args) <= args.MaxChars && (a.piece.end == w.end || strings.Contains(a.piece.text, "\n"))
	}
	return a, ok
}

// rows finds what refs point to and merges overlapping refs. It fails if all refs fail.
func (l *Library) rows(ctx context.Context, args ReadArgs) ([]row, error) {
	rows, open, failed := make([]row, len(args.Refs)), l.openOnce(), 0
	for i, ref := range args.Refs {
		w := &rows[i]
		w.ReadItem = ReadItem{Index: i, ManualID: string(ref.ManualID), Path: string(ref.Path)}
		x, err := l.extent(ctx, open, ref, args)
		if err != nil {
			if w.Error = inRefs(err, i); w.Error == nil {
				return nil, err
			}
			failed++
			continue
		}
		w.extent, x.narrow = x, nil
		w.ManualID, w.Path = x.manual, x.path
	}
	if failed == len(rows) {
		return nil, allFailed(rows)
	}
	for merge(rows) {
	}
	return rows, nil
}

// openOnce returns an opener that opens each file only once.
func (l *Library) openOnce() opener {
	opened := map[fileKey]*document{}
	return func(ctx context.Context, id corpus.ManualID, path rootfs.Path) (d *document, err error) {
		key := fileKey{string(id), string(path)}
		if d = opened[key]; d == nil {
			if d, err = l.open(ctx, id, path); err == nil {
				opened[key] = d
			}
		}
		return d, err
	}
}

// merge merges the first two overlapping rows into one, and reports whether it found any.
func merge(rows []row) bool {
	for i := range rows {
		for j := i + 1; j < len(rows); j++ {
			if a, b := rows[i].extent, rows[j].extent; a.overlaps(b) {
				a.unite(b)
				rows[j].ContainedIn, rows[j].extent = &i, nil
				return true
			}
		}
	}
	return false
}

// overlaps reports whether two extents, which may be nil, share text.
func (x *extent) overlaps(y *extent) bool {
	return x != nil && y != nil && x.manual == y.manual && x.path == y.path && x.from < y.end && y.from < x.end
}

// unite adds an overlapping extent.
func (x *extent) unite(y *extent) {
	if y.end > x.end {
		x.end, x.more = y.end, y.more
	}
	if y.from < x.from {
		x.from, x.begin = y.from, y.begin
	}
}

// inRefs names the ref in an error about ref. It returns nil for an error that is not about the call.
func inRefs(err error, i int) *toolset.Error {
	bad, ok := errors.AsType[*toolset.Error](err)
	if !ok {
		return nil
	}
	name, _ := bad.Details["parameter"].(string)
	if member, ok := strings.CutPrefix(name, "ref."); ok {
		full := fmt.Sprintf("refs[%d].%s", i, member)
		bad.With("parameter", full)
		bad.Message = strings.ReplaceAll(bad.Message, name, full)
	}
	return bad
}

// allFailed returns the error of a call whose refs all failed: that of the first ref, with all others.
func allFailed(rows []row) error {
	items := make([]ReadItem, len(rows))
	for i, w := range rows {
		items[i] = w.ReadItem
	}
	first := *rows[0].Error
	first.Details = maps.Clone(first.Details)
	return first.With("items", items)
}
