package manuals

import (
	"fmt"
	"iter"
	"strings"

	"github.com/sagasu-search/sagasu/framework/internal/corpus"
	"github.com/sagasu-search/sagasu/framework/internal/toolset"
)

// section reads the section at a line with its descendants, or with scope
// "sections" also the siblings that follow it, up to MaxSections in all. begin is the line that
// the section begins at.
func (d *document) section(scope string, line *int, mem *memory) (r *Reading, begin int, err error) {
	if len(d.text) > corpus.MaxSize {
		return nil, 0, toolset.Errorf(toolset.NotAvailable,
			"%s is too large to be cut into sections; scan it with manual_scan", d.path).
			Argument("ref.path", d.path, fmt.Sprintf("a file of at most %d bytes", corpus.MaxSize)).
			With("example", map[string]any{"manual_id": d.manual, "path": d.path, "start_line": 1})
	}
	sections := d.sections()
	at := corpus.SectionAt(sections, deref(line))
	last, more := at, false
	if scope == ScopeSections {
		last, more = siblings(sections, at)
	}
	key := toolset.Ref{ManualID: d.manual, Path: d.path, StartLine: at.Start}
	if scope == ScopeSection {
		if from, again := mem.resume(key, d.text); again {
			return d.readOn(key, from, mem), key.StartLine, nil
		}
	}
	from, end := d.lines.Start(at.Start), d.lines.Start(last.End+1)
	p := d.piece(from)
	if p.end >= end {
		p = d.cut(from, end)
	} else {
		more = true
	}
	if scope == ScopeSection {
		mem.keep(key, d.text, p.end)
	}
	return reading(scope, p, more), key.StartLine, nil
}

// readOn reads what follows the text of a section that was read before.
func (d *document) readOn(key toolset.Ref, from int, mem *memory) *Reading {
	p := d.piece(from)
	mem.keep(key, d.text, p.end)
	r := reading(ScopeSection, p, !p.eof())
	r.Applied.Mode = ModeScanFallback
	r.NextCursor, r.EOF = &p.next, new(p.eof())
	return r
}

// refLine returns the line that a ref means: its own, or that of the section with its title, which
// may have moved. A snippet keeps its line within the section.
func (d *document) refLine(ref Ref, scope string) (*int, error) {
	title := strings.TrimSpace(ref.Title)
	if title == "" || !corpus.IsMarkdown(d.path) || len(d.text) > corpus.MaxSize {
		return ref.StartLine, d.checkLine("ref.start_line", ref.StartLine)
	}
	line := deref(ref.StartLine)
	s, err := corpus.Meant(d.sections(), line, title)
	if err != nil {
		return nil, err.With("parameter", "ref.title").
			With("example", map[string]any{"manual_id": d.manual, "path_prefix": d.path})
	}
	if scope == ScopeSnippet && s.Start <= line && line <= min(s.End, d.lines.Count()) {
		return &line, nil
	}
	return &s.Start, nil
}

// siblings returns the last of the sections that follow at below the same parent, up to
// MaxSections with at, and whether there are more.
func siblings(sections iter.Seq[corpus.Section], at corpus.Section) (last corpus.Section, more bool) {
	last = at
	count := 1
	for s := range sections {
		switch {
		case s.Start <= last.End: // also those before at
		case s.Parent != at.Parent:
			return last, false
		case count == MaxSections:
			return last, true
		default:
			last, count = s, count+1
		}
	}
	return last, false
}
