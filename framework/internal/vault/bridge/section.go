package bridge

import (
	"context"
	"fmt"

	"github.com/sagasu-search/sagasu/framework/internal/corpus"
	"github.com/sagasu-search/sagasu/framework/internal/toolset"
)

// SectionRequest is one bridge_copy_section call.
type SectionRequest struct {
	// ManualID, Path and StartLine are a ref as manual_hits lists them. A Markdown
	// ref without a line is the file's first section, a JSON ref the whole file.
	ManualID, Path string
	StartLine      *int
	// Title, if not empty, is that of the section meant, which may stand on another
	// line by now.
	Title string
	// Range, if given, is what is copied of the file.
	Range *toolset.Range
	To    Target
	// AllowFile makes a Markdown ref without a line mean the whole file.
	AllowFile bool
	// MaxSections and MaxChars bound the copy; nil copies all.
	MaxSections, MaxChars *int
}

// CopySection copies a section with its descendants, or a range of lines.
func (b *Bridge) CopySection(ctx context.Context, req SectionRequest) (*Copied, error) {
	m, f, err := b.open(ctx, "from_ref.manual_id", req.ManualID, "from_ref.path", req.Path)
	if err != nil {
		return nil, err
	}
	if len(f.Text) > corpus.MaxSize {
		return nil, toolset.Errorf(toolset.NotAvailable, "%s is too large to be cut into sections; copy it with bridge_copy_file", f.Path).
			With("parameter", "from_ref.path").With("got", f.Path).With("expected", fmt.Sprintf("a file of at most %d bytes", corpus.MaxSize))
	}
	lines, sections := corpus.NewLines(f.Text), corpus.Cut(f.Path, f.Text)
	if err := req.settle(m.ID, f.Path, sections); err != nil {
		return nil, err
	}
	if err := req.check(lines.Count()); err != nil {
		return nil, err
	}
	whole := corpus.IsMarkdown(f.Path) && req.StartLine == nil && req.Range == nil && req.AllowFile
	if whole {
		if err := b.permitFile(f.Path, true); err != nil {
			return nil, err
		}
	}
	c := choose(sections, req, whole, lines.Count())
	p := cut(m, f, lines, lines.Start(c.first), lines.Start(c.last+1), req.MaxChars)
	p.truncated = p.truncated || c.truncated
	out, err := b.copy(ctx, p, req.To)
	if err != nil {
		return nil, err
	}
	out.WrittenSections = &c.sections
	b.used(m.ID, f.Path, c.use)
	return out, nil
}

// settle sets the line of the section that the title tells of. A range beside a ref
// whose section stands elsewhere by now is refused: its lines have moved, too.
func (r *SectionRequest) settle(manual, path string, sections []corpus.Section) error {
	if r.Title == "" || !corpus.IsMarkdown(path) {
		return nil
	}
	line := 0
	if r.StartLine != nil {
		line = *r.StartLine
	}
	at, err := corpus.Meant(sections, line, r.Title)
	if err != nil {
		return err.With("parameter", "from_ref.title").With("example", map[string]any{"manual_id": manual, "path_prefix": path})
	}
	s := sections[at]
	if r.Range != nil && r.StartLine != nil && (line < s.Start || line > s.End) {
		return toolset.Errorf(toolset.Conflict, "the section %q stands on line %d now: the file was changed since the ref was made, so the lines of range are other ones; search again, or scan the file with manual_scan", s.Title, s.Start).
			With("parameter", "range").With("got", line).With("expected", s.Start).
			With("example", map[string]any{"manual_id": manual, "path": path, "start_line": s.Start})
	}
	r.StartLine = &s.Start
	return nil
}

// check refuses lines that the file does not have.
func (r *SectionRequest) check(total int) error {
	expected := fmt.Sprintf("a line of the file, 1 to %d", total)
	wrong := func(name string, line int, expected string) error {
		return toolset.Invalid(name, line, expected).With("total_lines", total).With("nearest", min(max(line, 1), total))
	}
	switch {
	case r.StartLine != nil && (*r.StartLine < 1 || *r.StartLine > total):
		return wrong("from_ref.start_line", *r.StartLine, expected)
	case r.Range != nil && (r.Range.StartLine < 1 || r.Range.StartLine > total):
		return wrong("range.start_line", r.Range.StartLine, expected)
	case r.Range != nil && (r.Range.EndLine < r.Range.StartLine || r.Range.EndLine > total):
		return wrong("range.end_line", r.Range.EndLine, expected+" and not before start_line")
	}
	return nil
}

// choice are the lines to copy.
type choice struct {
	first, last int
	sections    int // that begin in them, at least 1
	truncated   bool
	use         int // line of the section that counts as used, 0 for the file
}

func choose(sections []corpus.Section, req SectionRequest, whole bool, total int) choice {
	c := choice{first: 1, last: total}
	at := corpus.SectionAt(sections, req.line())
	switch {
	case req.Range != nil:
		c.first, c.last = req.Range.StartLine, req.Range.EndLine
	case !whole && corpus.IsMarkdown(req.Path):
		c.first, c.last = sections[at].Start, sections[at].End
	}
	if corpus.IsMarkdown(req.Path) && !whole {
		c.use = sections[at].Start
	}
	for _, s := range sections[at:] {
		if s.Start > c.last {
			break
		}
		if req.MaxSections != nil && c.sections == *req.MaxSections {
			c.last, c.truncated = s.Start-1, true
			break
		}
		c.sections++
	}
	c.sections = max(c.sections, 1)
	return c
}

// line is where the section to copy is asked for, 0 for the first one.
func (r *SectionRequest) line() int {
	switch {
	case r.Range != nil:
		return r.Range.StartLine
	case r.StartLine != nil:
		return *r.StartLine
	}
	return 0
}
