package manuals

import (
	"fmt"
	"iter"
	"strings"

	"github.com/sagasu-search/sagasu/framework/internal/corpus"
	"github.com/sagasu-search/sagasu/framework/internal/toolset"
)

// section returns the section at a line with its descendants. With scope "sections" it also returns the siblings that
// follow, up to maxSections in all.
func (d *document) section(scope string, line *int) (*extent, error) {
	if len(d.text) > corpus.MaxSize {
		return nil, toolset.Errorf(toolset.NotAvailable,
			"%s is too large to be cut into sections; scan it with manual_scan", d.path).
			Argument("ref.path", d.path, fmt.Sprintf("a file of at most %d bytes", corpus.MaxSize)).
			With("example", map[string]any{"manual_id": d.manual, "path": d.path, "start_line": 1})
	}
	at := corpus.SectionAt(d.sections(), deref(line))
	x := &extent{document: d, scope: scope, begin: at.Start, from: d.lines.Start(at.Start)}
	last := at
	if scope == scopeSections {
		last, x.more = siblings(d.sections(), at, at.Start)
	}
	x.end = d.lines.Start(last.End + 1)
	return x, nil
}

// refLine returns the line that a ref means: its own, or that of the section with its title, which
// may have moved. A snippet keeps its line within the section.
func (d *document) refLine(ref Ref, scope string) (*int, error) {
	title := strings.TrimSpace(ref.Title)
	if title == "" || corpus.IsJSON(d.path) || len(d.text) > corpus.MaxSize {
		return ref.StartLine, d.checkLine("ref.start_line", ref.StartLine)
	}
	line := deref(ref.StartLine)
	s, err := corpus.Meant(d.sections(), line, title)
	if err != nil {
		return nil, err.With("parameter", "ref.title").
			With("example", map[string]any{"manual_id": d.manual, "path_prefix": d.path})
	}
	if scope == scopeSnippet && s.Start <= line && line <= min(s.End, d.lines.Count()) {
		return &line, nil
	}
	return &s.Start, nil
}

// siblings returns the last of the sections that follow at under the same parent, and whether there are more. It counts
// at most maxSections that do not end before a line.
func siblings(sections iter.Seq[corpus.Section], at corpus.Section, line int) (last corpus.Section, more bool) {
	last = at
	count := 1
	for s := range sections {
		switch {
		case s.Start <= last.End: // including those before at
		case s.Parent != at.Parent:
			return last, false
		case last.End < line: // not counted
			last = s
		case count == maxSections:
			return last, true
		default:
			last, count = s, count+1
		}
	}
	return last, false
}
