package manuals

import (
	"cmp"
	"context"
	"encoding/json"
	"path"
	"slices"
	"strings"
	"sync"

	"github.com/sagasu-search/sagasu/framework/internal/corpus"
	"github.com/sagasu-search/sagasu/framework/internal/rootfs"
	"github.com/sagasu-search/sagasu/framework/internal/toolset"
	"github.com/sagasu-search/sagasu/sdk/snapshot"
)

// LsArgs are the arguments of manual_ls.
type LsArgs struct {
	// ID is "manuals", a manual's name or a folder's id from a listing.
	ID string `json:"id" default:"manuals" doc:"\"manuals\", a manual's id, or a folder's id from a listing."`
}

// Listing is the reply of manual_ls: the direct contents of one place, folders first, by name.
type Listing struct {
	ID    string `json:"id"`
	Items []Item `json:"items"`
}

// Counters implements [toolset.Counter].
func (l *Listing) Counters() []any { return []any{"items", len(l.Items)} }

// Item is a manual, a folder or a file.
type Item struct {
	ID       string `json:"id"`
	Name     string `json:"name"`
	Kind     string `json:"kind" enum:"dir,file"`
	Path     string `json:"path,omitempty"` // below the manual
	FileType string `json:"file_type,omitempty" doc:"The end of its name, such as md."`
	Encoding string `json:"encoding,omitempty" doc:"What its text was decoded from, where that is not UTF-8."`
	Skipped  string `json:"skipped,omitempty" doc:"Why it cannot be searched."`
}

func (l *Library) lsTool() toolset.Tool {
	return toolset.Define(toolset.Tool{
		Name:  "manual_ls",
		Title: "List manuals and folders",
		Description: "List the manuals, or what lies directly in one of them. Start without an id, then pass on " +
			"an id from the items; " +
			`a file's id cannot be opened further. Example: {"id": "manuals"}`,
		Example: json.RawMessage(`{"id": "manuals"}`),
		Hints:   toolset.Reading,
		Group:   group,
	}, l.Ls)
}

// Ls lists the manuals, a manual or a folder. The id of a file is invalid_parameter.
func (l *Library) Ls(ctx context.Context, args LsArgs) (*Listing, error) {
	id := args.ID
	if id == manualsID {
		return l.listAll(ctx)
	}
	kind, name, dir, err := parseID(id)
	switch {
	case err != nil:
		return nil, err
	case kind == kindFile:
		return nil, toolset.Errorf(toolset.InvalidParameter,
			"id is that of a file, which has nothing below it; read it with manual_read").
			Argument("id", id, "the id of a manual or a folder").
			With("example", map[string]any{"ref": map[string]any{"manual_id": name, "path": dir}})
	case kind == "":
		clean, bad := rootfs.Clean("id", id)
		if bad != nil {
			return nil, bad
		}
		name, dir, _ = strings.Cut(clean, "/")
	}
	items, err := l.items(ctx, name, dir)
	if err != nil {
		bad := toolset.AsError(err)
		if bad.Details["parameter"] != nil { // a manual or a folder that id names
			bad.With("parameter", "id").With("got", id)
		}
		return nil, bad
	}
	return &Listing{ID: id, Items: items}, nil
}

// listAll lists the manuals.
func (l *Library) listAll(ctx context.Context) (*Listing, error) {
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
	m, err := l.find(ctx, corpus.ManualID(name))
	if err != nil {
		return nil, err
	}
	root, err := rootfs.OpenResolved(m.Dir)
	if err != nil {
		return nil, toolset.Errorf(toolset.NotAvailable,
			"the folder of manual %s cannot be read: %w", m.ID, rootfs.Cause(err))
	}
	defer root.Close()
	if cleaned, bad := rootfs.Clean("path", dir); bad == nil &&
		slices.ContainsFunc(strings.Split(cleaned, "/"), corpus.LeftOut) {
		return nil, toolset.Errorf(toolset.OutOfScope,
			"%s is no part of the manual: hidden folders and installed packages are left out", dir).
			Argument("path", dir, "a folder that manual_ls lists")
	}
	entries, err := root.ReadDir(dir)
	if err != nil {
		return nil, err
	}
	if dir != "" { // as stored, which may be composed differently
		if dir, _, err = root.Stat(dir); err != nil {
			return nil, err
		}
	}
	skipped, encodings, err := l.filesIn(ctx, m, dir)
	if err != nil {
		return nil, err
	}
	items, told := []Item{}, map[string]bool{}
	for _, e := range entries {
		at := path.Join(dir, e.Name())
		reason, listed := skipped[at]
		if told[reason] && reason == m.Unread(e.Name()) {
			reason, _, _ = strings.Cut(reason, "; ") // the first reason of a kind says what to do
		} else {
			told[reason] = true
		}
		if item := describe(m.ID, at, e.IsDir(), reason); listed || item.Kind == kindDir && !corpus.LeftOut(e.Name()) {
			item.Encoding = encodings[at]
			items = append(items, item)
		}
	}
	slices.SortStableFunc(items, func(a, b Item) int { return cmp.Compare(a.Kind, b.Kind) }) // dir before file
	return items, nil
}

// filesIn returns, by path, why each file of a folder is skipped, or "" for one that is read in full, and its encoding.
func (l *Library) filesIn(
	ctx context.Context, m corpus.Manual, dir string,
) (skipped, encodings map[string]string, _ error) {
	files, skips, err := corpus.WalkFolder(ctx, m, dir)
	if err != nil {
		return nil, nil, err
	}
	skipped, encodings = map[string]string{}, map[string]string{}
	indexed := sync.OnceValue(func() map[string]snapshot.File {
		if l.options.Files == nil {
			return nil
		}
		return l.options.Files(m.ID)
	})
	for _, f := range files {
		if m.Reads(f.Path) { // converting all of a folder would take too long
			known, failed, err := corpus.Known(ctx, m, f.Path)
			if err != nil {
				return nil, nil, err
			}
			encodings[f.Path] = known.Encoding
			if skipped[f.Path] = cmp.Or(failed, known.Lacks()); known.Path == "" && failed == "" {
				skipped[f.Path] = asIndexed(indexed(), f.Path, known.SHA256)
			}
			continue
		}
		file, err := corpus.Open(ctx, m, f.Path)
		if ctx.Err() != nil {
			return nil, nil, ctx.Err()
		}
		skipped[f.Path], encodings[f.Path] = cmp.Or(corpus.WhyUnread(err), file.Lacks()), file.Encoding
	}
	for _, s := range skips {
		skipped[s.Path] = s.Reason
	}
	return skipped, encodings, nil
}

// asIndexed returns why a document that is not cached is not searched, or only in part.
func asIndexed(files map[string]snapshot.File, path string, sum [32]byte) string {
	f, found := files[path]
	if !found || f.SHA256 != sum && f.SHA256 != [32]byte{} { // a failure other than by its content has no hash
		return corpus.NotConverted
	}
	return f.Skipped
}

// describe returns the item for a file or folder, with the reason why it is skipped, if any.
func describe(manual, at string, dir bool, skipped string) Item {
	item := Item{Name: path.Base(at), Path: at, Kind: kindDir, Skipped: skipped}
	if !dir {
		item.Kind = kindFile
		item.FileType = strings.TrimPrefix(strings.ToLower(path.Ext(at)), ".")
	}
	item.ID = itemID(item.Kind, manual, at)
	return item
}
