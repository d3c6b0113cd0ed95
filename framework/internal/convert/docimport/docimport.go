package docimport

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/sagasu-search/sagasu/framework/internal/corpus"
	"github.com/sagasu-search/sagasu/framework/internal/rootfs"
	"github.com/sagasu-search/sagasu/framework/internal/toolset"
)

// Options say what is imported, and where to.
type Options struct {
	Sources   []string // files and folders
	Dir       string   // the folder of the manual, which is made if it is missing
	Documents corpus.Documents
	DryRun    bool                         // write nothing
	Progress  func(name string, n, of int) // nil for none
}

// Report is what an import did. Its paths are those of texts in the manual.
type Report struct {
	Dir       string         `json:"dir"`
	DryRun    bool           `json:"dry_run"`
	Written   []string       `json:"written"`
	Removed   []string       `json:"removed"` // their documents are gone
	Unchanged int            `json:"unchanged"`
	Skipped   []toolset.Skip `json:"skipped"` // documents that were not imported, or in part, by their paths
}

// Run imports. A document that cannot be read costs itself alone. A run that was ended goes on when it is called
// again: what stands there already is not written anew.
func Run(ctx context.Context, o Options) (r Report, err error) {
	r = Report{Dir: o.Dir, DryRun: o.DryRun, Written: []string{}, Removed: []string{}, Skipped: []toolset.Skip{}}
	sources, err := open(o)
	if err != nil {
		return r, err
	}
	w := writer{Options: o, report: &r, manifest: manifest{Files: map[string]entry{}}}
	if !o.DryRun {
		if err := os.MkdirAll(o.Dir, 0o755); err != nil {
			return r, fmt.Errorf("the folder of the manual cannot be made: %w", err)
		}
	}
	if w.root, err = os.OpenRoot(o.Dir); err == nil {
		defer w.root.Close()
		w.manifest, err = readManifest(w.root)
	} else if o.DryRun && errors.Is(err, fs.ErrNotExist) {
		err = nil
	}
	if err != nil {
		return r, err
	}
	for _, s := range sources {
		if err = w.source(ctx, s); err != nil {
			break
		}
	}
	if !o.DryRun {
		err = errors.Join(err, w.manifest.write(w.root))
	}
	return r, err
}

// source is a file or a folder that is imported; its texts begin with prefix.
type source struct {
	corpus.Manual
	prefix string
}

func open(o Options) (out []source, err error) {
	into, err := filepath.Abs(o.Dir)
	if err != nil {
		return nil, err
	}
	if real, err := filepath.EvalSymlinks(into); err == nil {
		into = real
	}
	names := map[string]string{}
	for _, given := range o.Sources {
		at, err := filepath.Abs(given)
		if err == nil {
			at, err = filepath.EvalSymlinks(at)
		}
		if err != nil {
			return nil, fmt.Errorf("%s cannot be imported: %w", given, rootfs.Cause(err))
		}
		info, err := os.Stat(at)
		if err != nil {
			return nil, fmt.Errorf("%s cannot be imported: %w", given, rootfs.Cause(err))
		}
		s := source{Manual: corpus.Manual{Dir: at, Documents: o.Documents}, prefix: filepath.Base(at)}
		switch {
		case info.IsDir():
			if within(at, into) || within(into, at) {
				return nil, fmt.Errorf("%s and the manual %s must not hold each other", given, o.Dir)
			}
		case !info.Mode().IsRegular() || !s.IsFile(at):
			return nil, fmt.Errorf("%s cannot be imported: no converter reads such a file", given)
		default:
			s.Dir, s.Only, s.prefix = filepath.Dir(at), filepath.Base(at), ""
		}
		key := rootfs.Key(filepath.Base(at))
		if other := names[key]; other != "" {
			return nil, fmt.Errorf("%s and %s have one name in the manual: import one of them", other, given)
		}
		names[key] = given
		out = append(out, s)
	}
	return out, nil
}

// within reports whether a path is that of a folder or below it.
func within(dir, name string) bool {
	rel, err := filepath.Rel(dir, name)
	return err == nil && rel != ".." && !strings.HasPrefix(rel, ".."+string(filepath.Separator))
}

type writer struct {
	Options
	root     *os.Root // nil for a dry run into a folder that is missing
	manifest manifest
	report   *Report
}

func (w *writer) source(ctx context.Context, s source) error {
	files, skipped, err := corpus.Walk(ctx, s.Manual)
	if err != nil {
		return err
	}
	for _, x := range skipped {
		w.skip(path.Join(s.prefix, x.Path), x.Reason)
	}
	for i, f := range files {
		if w.Progress != nil {
			w.Progress(f.Path, i, len(files))
		}
		if err := w.file(ctx, s, f.Path); err != nil {
			return err
		}
	}
	return w.clean(s)
}

// target is the path of the text of a file.
func (s source) target(name string) string {
	if s.Reads(name) {
		name += ".md"
	}
	return path.Join(s.prefix, name)
}

func (w *writer) file(ctx context.Context, s source, name string) error {
	f, err := corpus.Open(ctx, s.Manual, name)
	if ctx.Err() != nil {
		return ctx.Err()
	}
	shown, target := path.Join(s.prefix, name), s.target(name)
	if err != nil {
		w.skip(shown, toolset.AsError(err).Message)
		return nil
	}
	e := entry{
		Source: filepath.Join(s.Dir, filepath.FromSlash(name)), SHA256: hex.EncodeToString(f.SHA256[:]),
		Text: hash(f.Text), Encoding: f.Encoding, Lacks: f.Lacks(), Places: marks(f.Places),
	}
	there, reason := w.stored(target)
	old, known := w.manifest.Files[target]
	switch same := there != nil && bytes.Equal(there, f.Text); {
	case reason != "":
		w.skip(shown, reason)
		return nil
	case known && old.Source != e.Source:
		w.skip(shown, fmt.Sprintf("%s was imported from %s", target, old.Source))
		return nil
	case there != nil && !same && !(known && old.Text == hash(there)):
		w.skip(shown, target+" is not as it was imported, and is not replaced")
		return nil
	case same:
		w.report.Unchanged++
	default:
		if err := w.write(target, f.Text); err != nil {
			return fmt.Errorf("%s cannot be written: %w", target, err)
		}
		w.report.Written = append(w.report.Written, target)
	}
	w.manifest.Files[target] = e
	if e.Lacks != "" {
		w.skip(shown, e.Lacks)
	}
	return nil
}

// stored is the file at a path in the manual, nil for none, or why it cannot be one of an import.
func (w *writer) stored(target string) (text []byte, reason string) {
	if w.root == nil {
		return nil, ""
	}
	info, err := w.root.Lstat(target)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, ""
	}
	if err == nil && !info.Mode().IsRegular() {
		return nil, target + " is no regular file"
	}
	if err == nil {
		text, err = w.root.ReadFile(target)
	}
	if err != nil {
		return nil, fmt.Sprintf("%s cannot be read: %v", target, rootfs.Cause(err))
	}
	return text, ""
}

func (w *writer) write(target string, text []byte) error {
	if w.DryRun {
		return nil
	}
	if err := w.root.MkdirAll(path.Dir(target), 0o755); err != nil {
		return err
	}
	return replace(w.root, target, text)
}

// clean removes the texts of a folder whose documents are gone, unless somebody changed them.
func (w *writer) clean(s source) error {
	if s.Only != "" {
		return nil
	}
	for _, target := range slices.Sorted(maps.Keys(w.manifest.Files)) {
		e := w.manifest.Files[target]
		if !strings.HasPrefix(target, s.prefix+"/") || !within(s.Dir, e.Source) {
			continue
		}
		if _, err := os.Lstat(e.Source); !errors.Is(err, fs.ErrNotExist) {
			continue
		}
		there, reason := w.stored(target)
		if reason != "" || there != nil && hash(there) != e.Text {
			w.skip(target, "its document is gone, but it is not as it was imported, and stays")
			continue
		}
		if there != nil && !w.DryRun {
			if err := w.root.Remove(target); err != nil {
				return fmt.Errorf("%s cannot be removed: %w", target, err)
			}
		}
		delete(w.manifest.Files, target)
		w.report.Removed = append(w.report.Removed, target)
	}
	return nil
}

func (w *writer) skip(name, reason string) {
	w.report.Skipped = append(w.report.Skipped, toolset.Skip{Path: name, Reason: reason})
}

func hash(text []byte) string {
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:])
}
