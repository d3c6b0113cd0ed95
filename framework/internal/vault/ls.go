package vault

import (
	"context"
	"errors"
	"io/fs"
	"path"

	"github.com/sagasu-search/sagasu/framework/internal/corpus"
	"github.com/sagasu-search/sagasu/framework/internal/rootfs"
	"github.com/sagasu-search/sagasu/framework/internal/toolset"
)

// LsArgs are the arguments of vault_ls.
type LsArgs struct {
	Dir    rootfs.Path `json:"relative_dir,omitempty" doc:"All when not given."`
	System bool        `json:"include_system" default:"false" doc:"Reserved files, too."`
}

// Entry is a file or a folder of the vault.
type Entry struct {
	Path  string `json:"path"` // below the vault
	Type  string `json:"type" enum:"file,dir"`
	Bytes *int64 `json:"size_bytes"`
	// Skipped is empty for folders and reserved files.
	Skipped string `json:"skipped,omitempty" doc:"Why it cannot be searched."`
}

// Listing is the result of vault_ls.
type Listing struct {
	Entries []Entry        `json:"entries"`
	Skipped []toolset.Skip `json:"skipped,omitempty" schema:"objects" doc:"What cannot be asked for, and why."`
}

// Counters implements [toolset.Counter].
func (l *Listing) Counters() []any { return []any{"items", len(l.Entries)} }

// Ls lists one folder by name. A vault that does not exist yet is empty.
func (v *Vault) Ls(ctx context.Context, req LsArgs) (*Listing, error) {
	root, dir, err := v.openFolder("relative_dir", string(req.Dir), req.System)
	if err != nil {
		return nil, err
	}
	out := &Listing{Entries: []Entry{}}
	if root == nil {
		return out, nil
	}
	defer root.Close()
	entries, err := root.ReadDir(dir)
	if err != nil {
		return nil, toolset.Renamed(err, "relative_dir", "path")
	}
	for _, e := range entries {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		out.add(root, path.Join(dir, e.Name()), e, req.System)
	}
	return out, nil
}

func (l *Listing) add(root *rootfs.Root, name string, e fs.DirEntry, all bool) {
	if isTemporary(name) || !all && placeOf(name).zone == system {
		return
	}
	why := rootfs.Unaskable(name)
	info, err := e.Info()
	switch {
	case e.Type()&(fs.ModeSymlink|fs.ModeIrregular) != 0:
		why = "symbolic link"
	case err != nil:
		return // it is gone
	case why == "" && e.IsDir():
		l.Entries = append(l.Entries, Entry{Path: name, Type: "dir"})
	case why == "" && info.Mode().IsRegular():
		size := info.Size()
		l.Entries = append(l.Entries,
			Entry{Path: name, Type: "file", Bytes: &size, Skipped: unsearched(root, name, size)})
	case why == "":
		why = "not a regular file"
	}
	if why != "" {
		l.Skipped = append(l.Skipped, toolset.Skip{Path: name, Reason: why})
	}
}

// unsearched returns why a file is not searched, "" where it is, or is not meant to be.
func unsearched(root *rootfs.Root, name string, size int64) string {
	if corpus.LeftOut(path.Base(name)) || placeOf(name).zone == system {
		return ""
	}
	if size > corpus.MaxSize {
		return corpus.TooLarge(size, corpus.MaxSize)
	}
	text, err := root.ReadFile(name)
	if err != nil {
		return toolset.AsError(err).Message
	}
	return corpus.NotText(text)
}

// Folder returns the path as stored of a folder that can be searched, "" for the vault itself.
// param names the argument that gave it.
func (v *Vault) Folder(param, dir string) (string, error) {
	root, stored, err := v.openFolder(param, dir, false)
	if root != nil {
		root.Close()
	}
	return stored, err
}

// openFolder opens the vault to look at a folder, and returns the folder's path as stored. The
// root is nil when the vault does not exist.
func (v *Vault) openFolder(param, dir string, all bool) (*rootfs.Root, string, error) {
	if dir != "" {
		cleaned, bad := rootfs.Clean(param, dir)
		if bad != nil {
			return nil, "", bad
		}
		if !all && placeOf(cleaned).zone == system {
			return nil, "", toolset.Errorf(toolset.Forbidden,
				"%s is reserved; vault_ls lists it with include_system", cleaned).
				Argument(param, dir, "a folder outside .system")
		}
		dir = cleaned
	}
	root, err := v.open()
	switch gone := errors.Is(err, fs.ErrNotExist); {
	case gone && dir != "":
		return nil, "", toolset.Renamed(missing(dir), param, "path")
	case !gone && err != nil:
		return nil, "", unopened(err)
	case dir == "": // of a vault that may not exist
		return root, "", nil
	}
	stored, info, err := find(root, dir)
	if err == nil && !info.IsDir() {
		err = notFolder(dir, stored)
	}
	if err != nil {
		root.Close()
		return nil, "", toolset.Renamed(err, param, "path")
	}
	return root, stored, nil
}

// ignore leaves out what a walk cannot read.
func ignore(string, error) {}

// walk calls visit with the path of every file at or below a folder that can be
// searched, in order: none that is hidden, reserved, linked or half written. A folder below that cannot be read costs
// only itself: unread gets its path and the error.
func walk(ctx context.Context, root *rootfs.Root, dir string, visit func(path string) error,
	unread func(path string, err error)) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	entries, err := root.ReadDir(dir)
	if err != nil {
		return err
	}
	for _, e := range entries {
		name := path.Join(dir, e.Name())
		if corpus.LeftOut(e.Name()) || rootfs.UnaskableIn(dir, e.Name()) != "" || placeOf(name).zone == system {
			continue
		}
		switch {
		case e.IsDir():
			if err := walk(ctx, root, name, visit, unread); ctx.Err() != nil {
				return ctx.Err()
			} else if err != nil {
				unread(name, err)
			}
		case e.Type().IsRegular():
			if err := visit(name); err != nil {
				return err
			}
		}
	}
	return nil
}
