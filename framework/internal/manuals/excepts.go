package manuals

import (
	"context"

	"github.com/sagasu-search/sagasu/framework/internal/corpus"
	"github.com/sagasu-search/sagasu/framework/internal/toolset"
)

// ExceptsRequest is one manual_excepts call.
type ExceptsRequest struct {
	ManualID string
	Path     string // "" for all files
	// StartLine is a line of the section to look at, with what lies below it;
	// nil for the whole file. It needs a Path.
	StartLine *int
	Offset    int // rows to leave out, ≥ 0
	Limit     int // rows to list, ≥ 1
}

// Excepts is the answer to manual_excepts: lines that hold an exception word,
// by path and line.
type Excepts struct {
	Items []ExceptLine `json:"items"`
	// Total counts the lines there are, listed or not.
	Total int `json:"total"`
	// Skipped are the files that cannot be read as text.
	Skipped []toolset.Skip `json:"skipped,omitempty"`
}

// ExceptLine is a line that holds an exception word.
type ExceptLine struct {
	Path      string `json:"path"`
	StartLine int    `json:"start_line"` // of the innermost section
	Line      int    `json:"line"`
	Snippet   string `json:"snippet"`
	Term      string `json:"term"` // the first one of the line, normalised
}

// Excepts lists the lines of a manual, a file or a section that hold a word of
// Options.Exceptions. A phrase counts for the line in which it starts.
func (l *Library) Excepts(ctx context.Context, req ExceptsRequest) (*Excepts, error) {
	if req.StartLine != nil && req.Path == "" {
		return nil, toolset.Errorf(toolset.InvalidParameter, "start_line needs a path: give the path of the file it counts in").
			With("parameter", "path").With("got", nil).With("expected", "the path of a file in the manual")
	}
	e := &excepts{words: l.options.Exceptions, from: req.Offset, limit: req.Limit, out: &Excepts{Items: []ExceptLine{}}}
	if req.Path != "" {
		d, err := l.open(ctx, req.ManualID, req.Path)
		if err != nil {
			return nil, err
		}
		return e.out, e.document(d, req.StartLine)
	}
	m, err := l.find(ctx, req.ManualID)
	if err != nil {
		return nil, err
	}
	return e.out, e.manual(ctx, m)
}

// manual reads all files; one that cannot be read is noted.
func (e *excepts) manual(ctx context.Context, m corpus.Manual) error {
	files, skips, err := corpus.Walk(ctx, m)
	if err != nil {
		return err
	}
	for _, s := range skips {
		e.skip(s.Path, s.Reason)
	}
	for _, f := range files {
		src, err := corpus.Read(ctx, m, f.Path)
		switch {
		case ctx.Err() != nil:
			return ctx.Err()
		case err != nil:
			e.skip(f.Path, toolset.AsError(err).Message)
		default:
			e.sections(f.Path, corpus.Cut(f.Path, src), src)
		}
	}
	return nil
}

func (e *excepts) skip(name, reason string) {
	if corpus.IsMarkdown(name) || corpus.IsJSON(name) {
		e.out.Skipped = append(e.out.Skipped, toolset.Skip{Path: name, Reason: reason})
	}
}

// document reads one file, or the section that holds a line.
func (e *excepts) document(d *document, line *int) error {
	if len(d.text) > corpus.MaxSize {
		return toolset.Errorf(toolset.NotAvailable, "%s is too large to be cut into sections; scan it with manual_scan", d.path).
			With("parameter", "path").With("got", d.path)
	}
	if err := d.checkLine("start_line", line); err != nil {
		return err
	}
	sections := corpus.Cut(d.path, d.text)
	if line != nil {
		at := corpus.SectionAt(sections, *line)
		end := at + 1
		for end < len(sections) && sections[end].Start <= sections[at].End {
			end++
		}
		sections = sections[at:end]
	}
	e.sections(d.path, sections, d.text)
	return nil
}
