package bridge

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
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
	out, err := b.write(ctx, cut(m, f, corpus.NewLines(f.Text), 0, len(f.Text), req.Limits.MaxChars), req.To, req.Mode)
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
	lines, sections := corpus.NewLines(f.Text), corpus.Cut(f.Path, f.Text)
	if err := req.locate(m.ID, f.Path, sections); err != nil {
		return nil, err
	}
	if err := req.check(lines.Count()); err != nil {
		return nil, err
	}
	whole := corpus.IsMarkdown(f.Path) && req.From.StartLine == nil && req.Range == nil && req.Limits.AllowFile
	if whole {
		if err := b.permitFile(f.Path, true); err != nil {
			return nil, err
		}
	}
	c := choose(sections, req, whole, lines.Count())
	p := cut(m, f, lines, lines.Start(c.first), lines.Start(c.last+1), req.Limits.MaxChars)
	p.truncated = p.truncated || c.truncated
	out, err := b.write(ctx, p, req.To, req.Mode)
	if err != nil {
		return nil, err
	}
	b.used(m.ID, f.Path, c.use)
	return &CopiedSection{*out, c.sections}, nil
}

// locate sets the line of the section that has the ref's title. It refuses a range when that
// section has moved: the lines of the range have moved, too.
func (r *CopySectionArgs) locate(manual, path string, sections []corpus.Section) error {
	title := strings.TrimSpace(r.From.Title)
	if title == "" || !corpus.IsMarkdown(path) {
		return nil
	}
	line := 0
	if r.From.StartLine != nil {
		line = *r.From.StartLine
	}
	at, err := corpus.Meant(sections, line, title)
	if err != nil {
		return err.With("parameter", "from_ref.title").
			With("example", map[string]any{"manual_id": manual, "path_prefix": path})
	}
	s := sections[at]
	if r.Range != nil && r.From.StartLine != nil && (line < s.Start || line > s.End) {
		return toolset.Errorf(toolset.Conflict,
			"the section %q stands on line %d now: the file was changed since the ref was made, so the lines of "+
				"range are other ones; search again, or scan the file with manual_scan", s.Title, s.Start).
			Argument("range", line, s.Start).
			With("example", map[string]any{"manual_id": manual, "path": path, "start_line": s.Start})
	}
	r.From.StartLine = &s.Start
	return nil
}

// check refuses lines that the file does not have.
func (r *CopySectionArgs) check(total int) error {
	expected := fmt.Sprintf("a line of the file, 1 to %d", total)
	wrong := func(name string, line int, expected string) error {
		return toolset.Invalid(name, line, expected).With("total_lines", total).
			With("nearest", min(max(line, 1), total))
	}
	switch {
	case r.From.StartLine != nil && (*r.From.StartLine < 1 || *r.From.StartLine > total):
		return wrong("from_ref.start_line", *r.From.StartLine, expected)
	case r.Range != nil && (r.Range.StartLine < 1 || r.Range.StartLine > total):
		return wrong("range.start_line", r.Range.StartLine, expected)
	case r.Range != nil && (r.Range.EndLine < r.Range.StartLine || r.Range.EndLine > total):
		return wrong("range.end_line", r.Range.EndLine, expected+" and not before start_line")
	}
	return nil
}

// choice is the lines to copy.
type choice struct {
	first, last int
	sections    int // that begin in them, at least 1
	truncated   bool
	use         int // line of the section that counts as used, 0 for the file
}

func choose(sections []corpus.Section, req CopySectionArgs, whole bool, total int) choice {
	c := choice{first: 1, last: total}
	at := corpus.SectionAt(sections, req.line())
	switch {
	case req.Range != nil:
		c.first, c.last = req.Range.StartLine, req.Range.EndLine
	case !whole && corpus.IsMarkdown(string(req.From.Path)):
		c.first, c.last = sections[at].Start, sections[at].End
	}
	if corpus.IsMarkdown(string(req.From.Path)) && !whole {
		c.use = sections[at].Start
	}
	for _, s := range sections[at:] {
		if s.Start > c.last {
			break
		}
		if req.Limits.MaxSections != nil && c.sections == *req.Limits.MaxSections {
			c.last, c.truncated = s.Start-1, true
			break
		}
		c.sections++
	}
	c.sections = max(c.sections, 1)
	return c
}

// line returns a line of the section to copy, 0 for the first section.
func (r *CopySectionArgs) line() int {
	switch {
	case r.Range != nil:
		return r.Range.StartLine
	case r.From.StartLine != nil:
		return *r.From.StartLine
	}
	return 0
}

// piece is the text of a copy.
type piece struct {
	source    Source
	text      []byte
	truncated bool
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
		return m, corpus.File{}, renamed(err, idParam)
	}
	f, err := corpus.Open(ctx, m, string(path))
	return m, f, renamed(err, param)
}

// renamed sets the argument that an error names.
func renamed(err error, param string) error {
	if err == nil {
		return nil
	}
	bad := toolset.AsError(err)
	if bad.Details["parameter"] != nil {
		bad.With("parameter", param)
	}
	return bad
}

// permitFile fails unless both server and caller allow a whole Markdown file to be copied.
func (b *Bridge) permitFile(path string, consent bool) error {
	switch {
	case !corpus.IsMarkdown(path):
		return nil
	case !b.options.AllowFileScope:
		return toolset.Errorf(toolset.Forbidden,
			"whole .md files are not copied here; copy sections with bridge_copy_section").
			Argument("limits.allow_file", consent, "a server that sets ALLOW_FILE_SCOPE=true")
	case !consent:
		return toolset.Errorf(toolset.Forbidden, "a whole .md file is copied only with limits.allow_file=true").
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
	at := fmt.Sprintf("%d-%d", lines.At(from), lines.At(max(from, end-1)))
	sum := sha256.Sum256(f.Text)
	return piece{source: Source{m.ID, f.Path, at, hex.EncodeToString(sum[:])}, text: f.Text[from:end],
		truncated: end < to}
}
