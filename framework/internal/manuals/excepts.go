package manuals

import (
	"bytes"
	"context"
	"encoding/json"
	"iter"
	"strings"

	"github.com/sagasu-search/sagasu/framework/internal/corpus"
	"github.com/sagasu-search/sagasu/framework/internal/passage"
	"github.com/sagasu-search/sagasu/framework/internal/rootfs"
	"github.com/sagasu-search/sagasu/framework/internal/toolset"
	"github.com/sagasu-search/sagasu/sdk/snapshot"
	"github.com/sagasu-search/sagasu/sdk/text"
	"github.com/sagasu-search/sagasu/sdk/x/dict"
)

// ExceptsArgs are the arguments of manual_excepts.
type ExceptsArgs struct {
	ManualID  corpus.ManualID `json:"manual_id" required:"the id of a manual, as manual_ls lists them" minLength:"1"`
	Path      rootfs.Path     `json:"path,omitempty" doc:"One file; all files when not given."`
	StartLine *int            `json:"start_line" min:"1" doc:"A line of one section of path, with what lies below it."`
	Offset    int             `json:"offset" min:"0" default:"0"`            // rows to skip
	Limit     int             `json:"limit" min:"1" max:"1000" default:"50"` // rows to list
	MaxTokens *int            `json:"max_tokens" min:"100" max:"50000"`
}

// Excepts is the answer to manual_excepts: lines that contain an exception word, by path and line.
type Excepts struct {
	Items []ExceptLine `json:"items"`
	// Total counts all such lines, listed or not.
	Total      int            `json:"total"`
	NextOffset *int           `json:"next_offset,omitempty"` // of the next page; nil on the last
	Skipped    []toolset.Skip `json:"skipped,omitempty" schema:"objects" doc:"Files that cannot be read as text."`
}

// ExceptLine is a line that contains an exception word.
type ExceptLine struct {
	Path      string `json:"path"`
	StartLine int    `json:"start_line" doc:"Of the section that holds the line; ready for a ref."` // the innermost
	Line      int    `json:"line"`
	Snippet   string `json:"snippet"`
	Term      string `json:"term" doc:"The exception word."` // the first one of the line, normalised
}

func (l *Library) exceptsTool() toolset.Tool {
	return toolset.Define(toolset.Tool{
		Name:  "manual_excepts",
		Title: "List exceptions and warnings",
		Description: "List the lines with words of exception or warning (対象外, ただし, except, unless …) of a manual, " +
			"a file or a section: what a rule does not grant. " +
			`Example: {"manual_id": "ienomori-yakkan", "path": "03-menseki.md"}`,
		Example: json.RawMessage(`{"manual_id": "id of a manual", "path": "guide/setup.md", "start_line": 1, "offset": 0, "limit": 50}`),
		Hints:   toolset.Reading,
		Group:   group,
	}, l.Excepts)
}

// Excepts lists the lines of a manual, a file or a section that contain a word of Options.Exceptions. A phrase counts
// for the line in which it starts.
func (l *Library) Excepts(ctx context.Context, args ExceptsArgs) (*Excepts, error) {
	if args.StartLine != nil && args.Path == "" {
		return nil, toolset.Errorf(toolset.InvalidParameter,
			"start_line needs a path: give the path of the file it counts in").
			Argument("path", nil, "the path of a file in the manual")
	}
	e := &exceptsPage{words: l.options.Exceptions(), from: args.Offset, limit: args.Limit,
		out: &Excepts{Items: []ExceptLine{}}}
	if args.Path != "" {
		d, err := l.open(ctx, args.ManualID, args.Path)
		if err != nil {
			return nil, err
		}
		err = e.document(ctx, d, args.StartLine)
		if err != nil {
			return nil, err
		}
		return e.out, e.out.fit(args.Offset, args.MaxTokens)
	}
	m, err := l.find(ctx, args.ManualID)
	if err != nil {
		return nil, err
	}
	if err := e.manual(ctx, m); err != nil {
		return nil, err
	}
	return e.out, e.out.fit(args.Offset, args.MaxTokens)
}

// fit shortens the page until the reply costs at most so many estimated tokens, nil for any number: it leaves out the
// last lines, and with them the list of what cannot be read. It also sets where the next page begins.
func (e *Excepts) fit(offset int, most *int) error {
	items, skipped := e.Items, e.Skipped
	hold := func(n int) any {
		if e.Items, e.Skipped = items[:n], skipped; n < len(items) {
			e.Skipped = nil
		}
		if e.NextOffset = nil; n > 0 && offset+n < e.Total {
			e.NextOffset = new(offset + n)
		}
		return e
	}
	return toolset.Fit(most, len(items), hold)
}

// exceptsPage collects one page of lines.
type exceptsPage struct {
	words       dict.Vocabulary
	from, limit int
	out         *Excepts
}

// manual reads all files and notes those that cannot be read.
func (e *exceptsPage) manual(ctx context.Context, m corpus.Manual) error {
	files, skips, err := corpus.Walk(ctx, m)
	if err != nil {
		return err
	}
	for _, s := range corpus.Gather(skips) {
		e.skip(m, s)
	}
	for _, f := range files {
		src, err := corpus.Open(ctx, m, f.Path)
		switch {
		case ctx.Err() != nil:
			return ctx.Err()
		case err != nil:
			e.skip(m, toolset.Skip{Path: f.Path, Reason: toolset.AsError(err).Message})
		default:
			if lacks := src.Lacks(); lacks != "" {
				e.skip(m, toolset.Skip{Path: f.Path, Reason: lacks})
			}
			if err := e.sections(ctx, f.Path, corpus.Sections(f.Path, src.Text), src.Text); err != nil {
				return err
			}
		}
	}
	return nil
}

func (e *exceptsPage) skip(m corpus.Manual, s toolset.Skip) {
	if s.ManualID = ""; m.IsFile(s.Path) || m.Unread(s.Path) != "" {
		e.out.Skipped = append(e.out.Skipped, s)
	}
}

// document reads one file, or the section that contains a line.
func (e *exceptsPage) document(ctx context.Context, d *document, line *int) error {
	if len(d.text) > corpus.MaxSize {
		return toolset.Errorf(toolset.NotAvailable,
			"%s is too large to be cut into sections; scan it with manual_scan", d.path).
			With("parameter", "path").With("got", d.path)
	}
	if err := d.checkLine("start_line", line); err != nil {
		return err
	}
	if line == nil {
		return e.sections(ctx, d.path, d.sections(), d.text)
	}
	at := corpus.SectionAt(d.sections(), *line)
	return e.sections(ctx, d.path, func(yield func(corpus.Section) bool) {
		for s := range d.sections() {
			if s.Start > at.End || s.Start >= at.Start && !yield(s) {
				return
			}
		}
	}, d.text)
}

// sections searches sections of a file. It fails when ctx ends.
func (e *exceptsPage) sections(ctx context.Context, path string, sections iter.Seq[corpus.Section], src []byte) error {
	lines := corpus.NewLines(src)
	for s := range sections {
		if err := ctx.Err(); err != nil {
			return err
		}
		own, first := []byte(s.Text), s.Body // a JSON file's escapes are resolved, line by line
		if s.Node != snapshot.NodeJSON {
			own, first = src[lines.Start(s.Start):lines.Start(s.OwnEnd+1)], s.Start
		}
		e.section(path, s.Start, own, first)
	}
	return nil
}

// section searches a section's own text, which starts at line first.
func (e *exceptsPage) section(path string, start int, own []byte, first int) {
	norm := text.Normalize(string(own))
	places := e.words.Find(norm.Norm)
	if len(places) == 0 {
		return
	}
	lines, last := corpus.NewLines(own), 0
	var found []exception
	for _, p := range places {
		from, to := norm.Source(p.Start, p.End)
		if line := lines.At(from); line != last {
			last = line
			found = append(found, exception{line, from, to, p.Word})
		}
	}
	for _, x := range withLists(own, lines, found) {
		if at := e.out.Total; at >= e.from && len(e.out.Items) < e.limit {
			snippet := lineAround(own, lines.Start(x.line), lines.Start(x.line+1), x.from, x.to)
			e.out.Items = append(e.out.Items, ExceptLine{path, start, first + x.line - 1, snippet, x.word})
		}
		e.out.Total++
	}
}

// exception is a line with an exception word at bytes [from, to) of a text.
type exception struct {
	line, from, to int
	word           string
}

// withLists adds to the exceptions, which are in line order, the items of the lists below them: an exception that leads
// into a list covers all its items.
func withLists(own []byte, lines corpus.Lines, found []exception) (out []exception) {
	var lead exception // of the paragraph above or of the current list; line 0 for none
	inList, gap := false, false
	for n := 1; n <= lines.Count(); n++ {
		raw := lines.Text(own, n)
		line := strings.TrimSpace(raw)
		var own exception
		if len(found) > 0 && found[0].line == n {
			own, found = found[0], found[1:]
			out = append(out, own)
		}
		switch {
		case line == "":
			gap = true
			continue
		case passage.IsItem(line):
			if inList = true; own.line == 0 && lead.line > 0 {
				from := lines.Start(n)
				out = append(out, exception{n, from, from, lead.word})
			}
		case inList && raw != strings.TrimLeft(raw, " \t　"): // an item continues
		case strings.HasPrefix(line, "#"), inList, gap:
			inList, lead = false, own // another paragraph
		case own.line > 0:
			lead = own
		}
		gap = false
	}
	return out
}

// contextWidth is the number of code points of a line that are shown on each side of a word.
const contextWidth = 120

// lineAround returns the line [low, high) of text without surrounding white space. A long line is cut around the word
// at [from, to).
func lineAround(text []byte, low, high, from, to int) string {
	to = min(to, high)
	start := corpus.FirstBreak(text, max(low, corpus.Backward(text, from, contextWidth)), from)
	end := corpus.LastBreak(text, to, min(high, corpus.Forward(text, to, contextWidth)))
	return string(bytes.TrimSpace(text[start:end]))
}
