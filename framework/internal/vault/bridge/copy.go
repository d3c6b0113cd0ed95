package bridge

import (
	"context"
	"encoding/hex"
	"fmt"
	"iter"
	"strings"

	"github.com/sagasu-search/sagasu/framework/internal/corpus"
	"github.com/sagasu-search/sagasu/framework/internal/rootfs"
	"github.com/sagasu-search/sagasu/framework/internal/toolset"
)

// CopyFile copies a file of a manual, whatever its size.
func (b *Bridge) CopyFile(ctx context.Context, req CopyFileArgs) (*Copied, error) {
	if err := b.permitFile(string(req.Path), req.Limits.AllowFile); err != nil {
		return nil, err
	}
	m, f, err := b.open(ctx, "manual_id", req.ManualID, "from_path", req.Path)
	if err != nil {
		return nil, err
	}
	p := cut(m, f, corpus.NewLines(f.Text), 0, len(f.Text), req.Limits.MaxChars)
	out, err := b.write(ctx, p, req.To, req.Mode)
	if err == nil {
		b.used(m.ID, f.Path, 0)
	}
	return out, err
}

func (b *Bridge) used(manual, path string, line int) {
	if b.options.Used != nil {
		b.options.Used(manual, path, line)
	}
}

// CopySection copies a section with its descendants, or a range of lines.
func (b *Bridge) CopySection(ctx context.Context, req CopySectionArgs) (*CopiedSection, error) {
	m, f, err := b.open(ctx, "from_ref.manual_id", req.From.ManualID, "from_ref.path", req.From.Path)
	if err != nil {
		return nil, err
	}
	if len(f.Text) > corpus.MaxSize {
		return nil, toolset.Errorf(toolset.NotAvailable,
			"%s is too large to be cut into sections; copy it with bridge_copy_file", f.Path).
			Argument("from_ref.path", f.Path, fmt.Sprintf("a file of at most %d bytes", corpus.MaxSize))
	}
	lines, sections := corpus.NewLines(f.Text), corpus.Sections(f.Path, f.Text)
	start, err := req.locate(m.ID, f.Path, sections)
	if err == nil {
		err = req.check(start, lines.Count())
	}
	if err != nil {
		return nil, err
	}
	whole := !corpus.IsJSON(f.Path) && start == nil && req.Range == nil && req.Limits.AllowFile
	if whole {
		if err := b.permitFile(f.Path, true); err != nil {
			return nil, err
		}
	}
	c := req.choose(sections, start, whole, lines.Count())
	p := cut(m, f, lines, lines.Start(c.first), lines.Start(c.last+1), req.Limits.MaxChars)
	p.truncated, p.source.HeadingPath = p.truncated || c.truncated, c.headingPath
	out, err := b.write(ctx, p, req.To, req.Mode)
	if err != nil {
		return nil, err
	}
	b.used(m.ID, f.Path, c.use)
	return &CopiedSection{*out, c.written(sections, lines.At(lines.Start(c.first)+max(len(p.text), 1)-1))}, nil
}

// locate returns a line of the section that the ref means: that of its title, or the one that it
// names; nil for none. It refuses a range when that section has moved: the lines of the range
// have moved, too.
func (r *CopySectionArgs) locate(manual, path string, sections iter.Seq[corpus.Section]) (*int, error) {
	given, title := r.From.StartLine, strings.TrimSpace(r.From.Title)
	if title == "" || corpus.IsJSON(path) {
		return given, nil
	}
	line := 0
	if given != nil {
		line = *given
	}
	s, err := corpus.Meant(sections, line, title)
	if err != nil {
		return nil, err.With("parameter", "from_ref.title").
			With("example", map[string]any{"manual_id": manual, "path_prefix": path})
	}
	if r.Range != nil && given != nil && (line < s.Start || line > s.End) {
		return nil, toolset.Errorf(toolset.Conflict,
			"the section %q stands on line %d now: the file was changed since the ref was made, so the lines of "+
				"range are other ones; search again, or scan the file with manual_scan", s.Title, s.Start).
			Argument("range", line, s.Start).
			With("example", map[string]any{"manual_id": manual, "path": path, "start_line": s.Start})
	}
	return &s.Start, nil
}

// check refuses lines that the file does not have.
func (r *CopySectionArgs) check(start *int, total int) error {
	if start != nil {
		if err := (toolset.Range{StartLine: *start, EndLine: *start}).Check("from_ref", total); err != nil {
			return err
		}
	}
	if r.Range != nil {
		return r.Range.Check("range", total)
	}
	return nil
}

// choice is the lines to copy.
type choice struct {
	first, last int
	from        int // where the section of the first line begins
	truncated   bool
	headingPath string
	use         int // line of the section that counts as used, 0 for the file
}

// written counts the sections that have text up to a line of the copy.
func (c choice) written(sections iter.Seq[corpus.Section], last int) (n int) {
	for s := range sections {
		if s.Start > last {
			break
		}
		if s.Start >= c.from {
			n++
		}
	}
	return max(n, 1)
}

// choose returns the lines of range, or else of the section at a line, or else of the first
// section. It returns the whole file if requested or if the file is not Markdown.
func (r *CopySectionArgs) choose(sections iter.Seq[corpus.Section], start *int, whole bool, total int) choice {
	c, line := choice{first: 1, last: total}, 0
	switch {
	case r.Range != nil:
		c.first, c.last, line = r.Range.StartLine, r.Range.EndLine, r.Range.StartLine
	case start != nil:
		line = *start
	}
	at := corpus.SectionAt(sections, line)
	c.from = at.Start
	if !corpus.IsJSON(string(r.From.Path)) && !whole {
		c.use, c.headingPath = at.Start, at.HeadingPath
		if r.Range == nil {
			c.first, c.last = at.Start, at.End
		}
	}
	if r.Limits.MaxSections == nil {
		return c
	}
	n := 0
	for s := range sections {
		switch {
		case s.Start > c.last:
			return c
		case s.Start < at.Start:
		case n == *r.Limits.MaxSections:
			c.last, c.truncated = s.Start-1, true
			return c
		default:
			n++
		}
	}
	return c
}

// piece is the text of a copy.
type piece struct {
	source    Source
	text      []byte
	truncated bool
	lacks     string // what of the document could not be read
}

// open reads a file of a manual. idParam and param name the arguments of its id and path.
func (b *Bridge) open(
	ctx context.Context, idParam string, id corpus.ManualID, param string, path rootfs.Path,
) (corpus.Manual, corpus.File, error) {
	manuals, err := b.options.Manuals(ctx)
	if err != nil {
		return corpus.Manual{}, corpus.File{}, err
	}
	m, err := corpus.Find(manuals, string(id))
	if err != nil {
		return m, corpus.File{}, toolset.Renamed(err, idParam, "manual_id")
	}
	f, err := corpus.Open(ctx, m, string(path))
	return m, f, toolset.Renamed(toolset.Renamed(err, idParam, "manual_id"), param, "path")
}

// permitFile fails unless both server and caller allow a whole Markdown file to be copied.
func (b *Bridge) permitFile(path string, consent bool) error {
	switch {
	case corpus.IsJSON(path):
		return nil
	case !b.options.AllowFileScope:
		return toolset.Errorf(toolset.Forbidden,
			"whole files with sections are not copied unless ALLOW_FILE_SCOPE is set; copy sections with "+
				"bridge_copy_section").
			Argument("limits.allow_file", consent, "a server that sets ALLOW_FILE_SCOPE=true")
	case !consent:
		return toolset.Errorf(toolset.Forbidden,
			"a whole file with sections is copied only with limits.allow_file=true").
			Argument("limits.allow_file", false, true)
	}
	return nil
}

// cut returns a piece of a source file, of at most limit code points.
func cut(m corpus.Manual, f corpus.File, lines corpus.Lines, from, to int, limit *int) piece {
	end := to
	if limit != nil {
		if end = corpus.Forward(f.Text[:to], from, *limit); end < to {
			end = corpus.LastBreak(f.Text, from, end)
		}
	}
	first, last := lines.At(from), lines.At(max(from, end-1))
	source := Source{ManualID: m.ID, Path: f.Path, Lines: fmt.Sprintf("%d-%d", first, last)}
	source.SHA256 = hex.EncodeToString(f.SHA256[:])
	if at := f.Source(first, last); at != nil {
		source.Page, source.LastPage, source.Anchor, source.Sheet = at.Page, at.LastPage, at.Anchor, at.Sheet
		if at.Path != f.Path {
			source.Document = at.Path
		}
	}
	return piece{
		source: source,
		text:   f.Text[from:end], truncated: end < to, lacks: f.Lacks(),
	}
}
