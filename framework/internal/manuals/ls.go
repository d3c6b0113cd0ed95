package manuals

import (
	"cmp"
	"context"
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/sagasu-search/sagasu/framework/internal/corpus"
	"github.com/sagasu-search/sagasu/framework/internal/rootfs"
	"github.com/sagasu-search/sagasu/framework/internal/toolset"
)

// Listing is the answer to manual_ls: what lies directly in one place,
// folders first, by name.
type Listing struct {
	ID    string `json:"id"`
	Items []Item `json:"items"`
}

// Item is a manual, a folder or a file.
type Item struct {
	ID       string `json:"id"`
	Name     string `json:"name"`
	Kind     string `json:"kind"`                // dir or file
	Path     string `json:"path,omitempty"`      // below the manual
	FileType string `json:"file_type,omitempty"` // md or json
}

// Ls lists the manuals (id "manuals" or ""), a manual (its name) or a folder
// (an id from an earlier listing). A file's id is invalid_parameter.
func (l *Library) Ls(ctx context.Context, id string) (*Listing, error) {
	if id == "" || id == manualsID {
		return l.list(ctx)
	}
	kind, name, dir, err := parseID(id)
	switch {
	case err != nil:
		return nil, err
	case kind == kindFile:
		return nil, toolset.Errorf(toolset.InvalidParameter, "id is that of a file, which has nothing below it; read it with manual_read").
			With("parameter", "id").With("got", id).With("expected", "the id of a manual or a folder").
			With("example", map[string]any{"ref": map[string]any{"manual_id": name, "path": dir}})
	case kind == "":
		if _, bad := rootfs.Clean("id", id); bad != nil {
			return nil, bad
		}
		name = id
	}
	items, err := l.items(ctx, name, dir)
	if err != nil {
		return nil, ofID(err, id)
	}
	return &Listing{ID: id, Items: items}, nil
}

func (l *Library) list(ctx context.Context) (*Listing, error) {
	manuals, err := l.options.Manuals(ctx)
	if err != nil {
		return nil, err
	}
	listing := &Listing{ID: manualsID, Items: []Item{}}
	for _, m := range manuals {
		listing.Items = append(listing.Items, Item{ID: manualID(m.ID), Name: m.ID, Kind: kindDir})
	}
	return listing, nil
}

// items lists a folder of a manual; dir "" is the manual itself.
func (l *Library) items(ctx context.Context, name, dir string) ([]Item, error) {
	m, err := l.find(ctx, name)
	if err != nil {
		return nil, err
	}
	root, err := rootfs.OpenResolved(m.Dir)
	if err != nil {
		return nil, toolset.Errorf(toolset.NotAvailable, "the folder of manual %s cannot be read: %w", m.ID, rootfs.Cause(err))
	}
	defer root.Close()
	if cleaned, bad := rootfs.Clean("path", dir); bad == nil && slices.ContainsFunc(strings.Split(cleaned, "/"), corpus.LeftOut) {
		return nil, toolset.Errorf(toolset.OutOfScope, "%s is no part of the manual: hidden folders and installed packages are left out", dir).
			With("parameter", "path").With("got", dir).With("expected", "a folder that manual_ls lists")
	}
	entries, err := root.ReadDir(dir)
	if err != nil {
		return nil, err
	}
	items := []Item{}
	for _, e := range entries {
		if item, ok := describe(m.ID, path.Join(dir, e.Name()), e); ok {
			items = append(items, item)
		}
	}
	slices.SortStableFunc(items, func(a, b Item) int { return cmp.Compare(a.Kind, b.Kind) }) // dir before file
	return items, nil
}

// describe makes an item of what a walk of the manual would enter or list.
func describe(manual, at string, e fs.DirEntry) (Item, bool) {
	item := Item{Name: e.Name(), Path: at}
	switch {
	case !rootfs.RoundTrips(at):
		return Item{}, false
	case e.IsDir() && !corpus.LeftOut(e.Name()):
		item.Kind = kindDir
	case e.Type().IsRegular() && (corpus.IsMarkdown(at) || corpus.IsJSON(at)):
		item.Kind, item.FileType = kindFile, strings.ToLower(path.Ext(at)[1:])
	default:
		return Item{}, false
	}
	item.ID = itemID(item.Kind, manual, at)
	return item, true
}

// ofID names id in a fault about what it stands for.
func ofID(err error, id string) error {
	bad := toolset.AsError(err)
	if bad.Details["parameter"] != nil {
		bad.With("parameter", "id").With("got", id)
	}
	return bad
}
