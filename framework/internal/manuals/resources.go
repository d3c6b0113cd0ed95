package manuals

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/sagasu-search/sagasu/framework/internal/corpus"
	"github.com/sagasu-search/sagasu/framework/internal/rootfs"
	"github.com/sagasu-search/sagasu/framework/internal/toolset"
)

// The variables of the resource templates, and an argument of prompts.
const (
	ofManual  = "manual_id"
	ofFile    = "path"
	ofSection = "section"
)

// resources offers the files and sections of manuals by URI, by the rules of manual_read.
func (l *Library) resources() *toolset.Resources {
	return &toolset.Resources{
		Tool: "manual_read", Name: "manual", Title: "Manuals", Scheme: "manual",
		Description: "A file of a manual, or a section of it: #L12 for the one at line 12, # and its heading, or # " +
			"and a JSON pointer.",
		Template: "manual://{manual_id}/{+path}{#section}",
		Variables: []toolset.Variable{
			{Name: ofManual, Description: "The id of a manual.", Values: l.manualIDs},
			{Name: ofFile, Description: "A file of the manual.", Values: l.paths},
			{Name: ofSection, Description: "A heading of the file, or L and a line.", Optional: true, Values: l.titles},
		},
		Read: l.readResource, List: l.listResources,
	}
}

// readResource reads a file or a section, up to maxChars. If whole files may not be read, it reads the file's first
// section.
func (l *Library) readResource(ctx context.Context, at toolset.Address) (*toolset.Content, error) {
	manual, path, _ := strings.Cut(at.Path, "/")
	if path == "" {
		return nil, toolset.Errorf(toolset.InvalidPath, "the URI names a manual and no file; it must be such as "+
			"manual://%s/guide/setup.md", manual)
	}
	ref, args := Ref{ManualID: corpus.ManualID(manual), Path: rootfs.Path(path)}, ReadArgs{MaxChars: maxChars}
	line, title := at.Place()
	switch {
	case line > 0:
		ref.StartLine = &line
	case title != "" && corpus.IsJSON(path):
		ref.JSONPath = &title
	case title != "":
		ref.Title = title
	case l.options.AllowFileScope:
		args.Scope, args.AllowFile = scopeFile, true
	}
	x, err := l.extent(ctx, l.open, ref, args)
	if err != nil {
		bad := toolset.AsError(err)
		bad.Message = inURI.Replace(bad.Message)
		return nil, bad
	}
	p := x.head(maxChars)
	l.used(x.document, x.begin)
	c := &toolset.Content{MIMEType: corpus.MIMEType(x.path), Text: p.text, Lines: p.lines, TotalLines: x.lines.Count()}
	if p.end < x.end || at.Section == "" && !p.eof() {
		c.Rest = &toolset.Action{Type: "manual_scan", Params: map[string]any{
			"manual_id": x.manual, "path": x.path, "cursor": p.next,
		}}
	}
	return c, nil
}

// inURI renames the members of a ref in an error about a URI.
var inURI = strings.NewReplacer("ref.start_line", "the line behind #L", "ref.json_path", "what follows #")

// listResources lists files by manual and path, after the given manual and path.
func (l *Library) listResources(ctx context.Context, after string, n int) ([]toolset.Resource, error) {
	manuals, err := l.options.Manuals(ctx)
	if err != nil {
		return nil, err
	}
	id, path, _ := strings.Cut(after, "/")
	rows := []toolset.Resource{}
	for _, m := range manuals {
		if m.ID < id || len(rows) == n {
			continue
		}
		files, _, err := corpus.Walk(ctx, m)
		if err != nil {
			return nil, err
		}
		for _, f := range files {
			if len(rows) < n && (m.ID > id || f.Path > path) {
				rows = append(rows,
					toolset.Resource{Path: m.ID + "/" + f.Path, MIMEType: corpus.MIMEType(f.Path), Size: f.Size})
			}
		}
	}
	return rows, nil
}

// manualIDs lists the manuals.
func (l *Library) manualIDs(ctx context.Context, _ map[string]string) (ids []string, err error) {
	manuals, err := l.options.Manuals(ctx)
	for _, m := range manuals {
		ids = append(ids, m.ID)
	}
	return ids, err
}

// paths lists the files of a manual.
func (l *Library) paths(ctx context.Context, given map[string]string) (paths []string, err error) {
	m, err := l.find(ctx, corpus.ManualID(given[ofManual]))
	if err != nil {
		return nil, err
	}
	files, _, err := corpus.Walk(ctx, m)
	for _, f := range files {
		paths = append(paths, f.Path)
	}
	return paths, err
}

// titles lists the headings of a file, each once.
func (l *Library) titles(ctx context.Context, given map[string]string) (titles []string, err error) {
	d, err := l.open(ctx, corpus.ManualID(given[ofManual]), rootfs.Path(given[ofFile]))
	if err != nil || corpus.IsJSON(d.path) || len(d.text) > corpus.MaxSize {
		return nil, err
	}
	for s := range d.sections() {
		titles = append(titles, s.Title)
	}
	slices.Sort(titles)
	return slices.Compact(titles), nil
}

// places lists the titles and headings of a manual, of its first MaxTocFiles files if there are more, each with its
// place.
func (l *Library) places(ctx context.Context, given map[string]string) (places []string, err error) {
	id := given[ofManual]
	if id == "" {
		return nil, nil
	}
	toc, err := l.Toc(ctx, TocArgs{ManualID: corpus.ManualID(id), Limit: new(MaxTocFiles)})
	if err != nil {
		return nil, err
	}
	for _, item := range toc.Items {
		if file, ok := item.(TocFile); ok {
			if file.Title != "" {
				places = append(places, fmt.Sprintf("%s (%s#L1)", file.Title, file.Path))
			}
			for _, h := range file.Headings {
				places = append(places, fmt.Sprintf("%s (%s#L%d)", h.Title, file.Path, h.LineStart))
			}
		}
	}
	return places, nil
}
