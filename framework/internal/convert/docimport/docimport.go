package docimport

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/sagasu-search/sagasu/framework/internal/corpus"
	"github.com/sagasu-search/sagasu/framework/internal/rootfs"
	"github.com/sagasu-search/sagasu/framework/internal/toolset"
)

// Options configure an import.
type Options struct {
	Sources   []string // files, folders, zip archives, pages on the web, and files that list such pages
	Dir       string   // the folder of the manual, which is created if missing
	Documents corpus.Documents
	Network   []string                     // hosts that may be read from, and non-public addresses
	Depth     int                          // how many links deep pages are followed
	Limit     int                          // maximum number of pages of a source
	Wait      time.Duration                // maximum time that servers may take for a source, 0 for no limit
	DryRun    bool                         // write nothing
	Progress  func(name string, n, of int) // nil for none
}

// Report is the result of an import. Its paths are those of texts in the manual.
type Report struct {
	Dir       string         `json:"dir"`
	DryRun    bool           `json:"dry_run"`
	Written   []string       `json:"written"`
	Removed   []string       `json:"removed"` // their documents are gone
	Unchanged int            `json:"unchanged"`
	Skipped   []toolset.Skip `json:"skipped"` // documents that were not imported, or only in part, as they are cited
}

// Run imports documents. A document or source that cannot be read does not affect others. Calling it again after it was
// interrupted continues: what is already there is not written again.
func Run(ctx context.Context, o Options) (r Report, err error) {
	r = Report{Dir: o.Dir, DryRun: o.DryRun, Written: []string{}, Removed: []string{}, Skipped: []toolset.Skip{}}
	granted, err := newNetwork(o.Network)
	if err != nil {
		return r, err
	}
	sources, err := open(o, granted)
	if err != nil {
		return r, err
	}
	if !o.DryRun {
		undo, err := makeFolder(o.Dir)
		if err != nil {
			return r, fmt.Errorf("the folder of the manual cannot be made: %w", err)
		}
		defer undo()
	}
	w := writer{Options: o, report: &r, seen: map[string]string{}, network: granted}
	if w.root, err = os.OpenRoot(o.Dir); err == nil {
		defer w.root.Close()
	} else if !o.DryRun || !errors.Is(err, fs.ErrNotExist) {
		return r, err
	}
	if !o.DryRun {
		unlock, err := w.lock()
		if err != nil {
			return r, err
		}
		defer func() { _ = unlock() }() // also released when the process ends
	}
	for _, s := range sources {
		told := func() int { return len(w.seen) + len(r.Skipped) + len(r.Removed) }
		before := told()
		complete, err := s.run(ctx, &w)
		if no, ok := errors.AsType[*refusal](err); ok {
			w.skip(s.from(), no.reason)
			continue
		}
		if err == nil && complete {
			err = w.clean(s)
		}
		if err != nil {
			return r, err
		}
		if told() == before {
			w.skip(s.from(), "it holds nothing that can be imported")
		}
	}
	r.Skipped = corpus.Gather(r.Skipped)
	return r, nil
}

// makeFolder makes the folder of a manual. undo removes it, with its parents that were made for it, unless it holds a
// text or record.
func makeFolder(dir string) (undo func(), err error) {
	var made []string
	for at := filepath.Clean(dir); ; at = filepath.Dir(at) {
		if _, err := os.Lstat(at); !errors.Is(err, fs.ErrNotExist) {
			break
		}
		made = append(made, at)
	}
	return func() {
		if len(made) == 0 {
			return
		}
		records := filepath.Join(dir, corpus.ImportFolder)
		if names, err := os.ReadDir(records); err == nil && len(names) == 1 {
			_ = os.Remove(filepath.Join(records, lockFile))
		}
		for _, at := range append([]string{records}, made...) {
			if os.Remove(at) != nil { // not empty
				return
			}
		}
	}, os.MkdirAll(dir, 0o755)
}

// source is something to import.
type source interface {
	// from returns its name: an absolute path or a URL.
	from() string
	// run passes its documents to a writer. complete means that documents which it did not pass are gone, unless holds
	// reports them.
	run(ctx context.Context, w *writer) (complete bool, err error)
	// holds reports whether a document that run did not pass may still exist. source is where it was read.
	holds(source string) bool
}

func open(o Options, granted *network) (out []source, err error) {
	into, err := filepath.Abs(o.Dir)
	if err != nil {
		return nil, err
	}
	if real, err := filepath.EvalSymlinks(into); err == nil {
		into = real
	}
	names := map[string]string{}
	for _, given := range o.Sources {
		if strings.Contains(given, "://") {
			s, err := openURL(given, granted)
			if err != nil {
				return nil, err
			}
			out = append(out, s)
			continue
		}
		at, err := filepath.Abs(given)
		if err == nil {
			at, err = filepath.EvalSymlinks(at)
		}
		if err != nil {
			return nil, fmt.Errorf("%s cannot be imported: %w", given, rootfs.Cause(err))
		}
		key := rootfs.Key(filepath.Base(at))
		if other := names[key]; other != "" {
			return nil, fmt.Errorf("%s and %s have one name in the manual: import one of them", other, given)
		}
		names[key] = given
		s, err := openPath(o, given, at, into, granted)
		if err != nil {
			return nil, err
		}
		out = append(out, s)
	}
	return out, nil
}

// openPath opens the source at a path whose links are resolved, for the manual in the folder into.
func openPath(o Options, given, at, into string, granted *network) (source, error) {
	info, err := os.Stat(at)
	if err != nil {
		return nil, fmt.Errorf("%s cannot be imported: %w", given, rootfs.Cause(err))
	}
	s := &folder{Manual: corpus.Manual{Dir: at, Documents: o.Documents}, prefix: filepath.Base(at)}
	switch {
	case info.IsDir():
		if within(at, into) || within(into, at) {
			return nil, fmt.Errorf("%s and the manual %s must not hold each other", given, o.Dir)
		}
		if isBare(at) {
			return nil, fmt.Errorf("%s is a git repository without a work tree: clone it, and import the clone", given)
		}
		return s, nil
	case info.Mode().IsRegular() && info.Size() <= mostList:
		if pages, err := openList(given, at, granted); pages != nil || err != nil {
			return pages, err
		}
	}
	switch {
	case info.Mode().IsRegular() && (!s.IsFile(at) || isZip(at)) && isArchive(at):
		return &archive{path: at, prefix: strings.TrimSuffix(s.prefix, filepath.Ext(at)), documents: o.Documents}, nil
	case !info.Mode().IsRegular() || !s.IsFile(at):
		return nil, fmt.Errorf("%s cannot be imported: %s", given,
			cmp.Or(s.Unread(at), "no converter reads such a file"))
	}
	s.Dir, s.Only, s.prefix = filepath.Dir(at), filepath.Base(at), ""
	return s, nil
}

// within reports whether a path is a folder or below it.
func within(dir, name string) bool {
	rel, err := filepath.Rel(dir, name)
	return err == nil && filepath.IsLocal(rel)
}
