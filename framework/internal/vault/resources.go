package vault

import (
	"context"
	"fmt"
	"slices"

	"github.com/sagasu-search/sagasu/framework/internal/corpus"
	"github.com/sagasu-search/sagasu/framework/internal/toolset"
)

// resources offers the files of the vault and their sections by URI, within the rules of vault_read.
func (v *Vault) resources() *toolset.Resources {
	return &toolset.Resources{
		Tool: "vault_read", Name: "vault", Title: "Vault", Scheme: "vault",
		Description: "A file of finished work, or a section of it: #L12 for the one at line 12, or # and its heading.",
		Template:    "vault://{+path}{#section}",
		Variables: []toolset.Variable{
			{Name: "path", Description: "A file of the vault.", Values: v.paths},
			{Name: "section", Description: "A heading of the file, or L and a line. The file when not given.",
				Optional: true, Values: v.titles},
		},
		Read: v.readResource, List: v.listResources,
	}
}

// readResource reads a file, or a section, up to the most characters of an answer.
func (v *Vault) readResource(_ context.Context, at toolset.Address) (*toolset.Content, error) {
	d, err := v.lookup("path", at.Path)
	if err != nil {
		return nil, err
	}
	from, to := 0, len(d.text)
	if at.Section != "" {
		s, err := d.section(at.Place())
		if err != nil {
			return nil, err
		}
		from, to = d.lines.Start(s.Start), d.lines.Start(s.End+1)
	}
	p, cut := d.piece(from, to, v.options.MaxChars)
	c := &toolset.Content{MIMEType: corpus.MIMEType(d.path), Text: p.text, Lines: p.lines, TotalLines: d.lines.Count()}
	if cut {
		c.Rest = &toolset.Action{Type: "vault_scan", Params: map[string]any{"path": d.path, "cursor": d.after(p.end)}}
	}
	return c, nil
}

// section returns the section at a line, or the one of a title.
func (d *document) section(line int, title string) (corpus.Section, error) {
	switch {
	case !corpus.IsMarkdown(d.path):
		return corpus.Section{}, toolset.Errorf(toolset.InvalidScope,
			"only Markdown files have sections; leave out # and what follows it to read %s", d.path)
	case len(d.text) > corpus.MaxSize:
		return corpus.Section{}, toolset.Errorf(toolset.NotAvailable,
			"%s is too large to be cut into sections; scan it with vault_scan", d.path)
	case line > d.lines.Count():
		return corpus.Section{}, toolset.Invalid("the line", line, fmt.Sprintf("1 to %d", d.lines.Count()))
	}
	s, err := corpus.Meant(corpus.Sections(d.path, d.text), line, title)
	if err != nil {
		return corpus.Section{}, err
	}
	return s, nil
}

// listResources lists files in the order of their paths.
func (v *Vault) listResources(ctx context.Context, after string, n int) ([]toolset.Resource, error) {
	paths, err := v.paths(ctx, nil)
	if err != nil || len(paths) == 0 {
		return nil, err
	}
	root, err := v.open()
	if err != nil {
		return nil, err
	}
	defer root.Close()
	rows := []toolset.Resource{}
	for _, path := range paths {
		if path <= after || len(rows) == n {
			continue
		}
		if _, info, err := root.Stat(path); err == nil { // else it is gone
			rows = append(rows, toolset.Resource{Path: path, MIMEType: corpus.MIMEType(path), Size: info.Size()})
		}
	}
	return rows, nil
}

// paths lists the files that can be searched, or none if there is no vault.
func (v *Vault) paths(ctx context.Context, _ map[string]string) (paths []string, err error) {
	root, _, err := v.openFolder("path", "", false)
	if root == nil {
		return nil, err
	}
	defer root.Close()
	err = walk(ctx, root, "", func(path string) error {
		paths = append(paths, path)
		return nil
	}, ignore)
	slices.Sort(paths)
	return paths, err
}

// titles lists the headings of a file, each once.
func (v *Vault) titles(_ context.Context, given map[string]string) (titles []string, err error) {
	d, err := v.lookup("path", given["path"])
	if err != nil || !corpus.IsMarkdown(d.path) || len(d.text) > corpus.MaxSize {
		return nil, err
	}
	for s := range corpus.Sections(d.path, d.text) {
		titles = append(titles, s.Title)
	}
	slices.Sort(titles)
	return slices.Compact(titles), nil
}
