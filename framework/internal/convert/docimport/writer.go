package docimport

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"syscall"

	"github.com/gofrs/flock"

	"github.com/sagasu-search/sagasu/framework/internal/corpus"
	"github.com/sagasu-search/sagasu/framework/internal/rootfs"
	"github.com/sagasu-search/sagasu/framework/internal/toolset"
)

type document struct {
	name   string // the path of its text, before the converter's extension
	cited  string // "" for its name
	from   string // see [source]
	source string // where it is read: an absolute path or a URL
	// version is the server's version of it, or "".
	version string
	open    func(ctx context.Context) (corpus.File, error)
}

// writer writes texts into the folder of a manual.
type writer struct {
	Options
	root    *os.Root // nil for a dry run into a missing folder
	report  *Report
	seen    map[string]string // texts whose documents exist, with the places where these were read
	network *network
}

// converters identifies what reads documents, so that a new version reads them again.
func (w *writer) converters() string {
	if w.Documents == nil {
		return ""
	}
	return fmt.Sprintf("%08x", digest(w.Documents.Version()))
}

// target returns the path of the text of a document.
func (w *writer) target(name string) string {
	if (corpus.Manual{Documents: w.Documents}).Reads(name) {
		name += ".md"
	}
	return name
}

// present records that a document exists, though it may not be read.
func (w *writer) present(name, source string) { w.seen[w.target(name)] = source }

func (w *writer) progress(name string, n, of int) {
	if w.Progress != nil {
		w.Progress(name, n, of)
	}
}

// document writes the text of a document, unless it is already there. An error ends the import.
func (w *writer) document(ctx context.Context, d document) error {
	target, shown := w.target(d.name), printable(cmp.Or(d.cited, d.name))
	if other, seen := w.seen[target]; seen {
		if other != d.source || filepath.IsAbs(d.source) { // otherwise another source leads to the same page
			w.skip(shown, "another document has its name in the manual")
		}
		return nil
	}
	w.seen[target] = d.source
	f, err := d.open(ctx)
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if err != nil {
		w.skip(shown, corpus.WhyUnread(err))
		return nil
	}
	next := corpus.Imported{
		Document: shown, Source: d.source, From: d.from, SHA256: hex.EncodeToString(f.SHA256[:]), Text: hash(f.Text),
		Coding: f.Encoding, Lacks: f.Lacks(), Places: f.Places, Version: d.version,
	}
	if d.version != "" {
		next.Converters = w.converters()
	}
	there, known, reason := w.stored(target)
	same := there != nil && bytes.Equal(there, f.Text)
	switch {
	case reason != "":
	case known != nil && known.Source != next.Source && !moved(known):
		reason = fmt.Sprintf("%s was imported from %s", target, known.Source)
	case there != nil && !same && edited(there, known):
		reason = target + " is not as it was imported, and is not replaced"
	}
	if reason != "" {
		w.skip(shown, reason)
		return nil
	}
	switch {
	case !same && there != nil:
		next.Was = hash(there)
	case same && known != nil && known.Text == next.Text:
		next.Was = known.Was
	}
	err = w.record(target, next) // first, so that a written text has a record, whenever the import ends
	if err == nil && !same {
		err = w.replace(target, f.Text)
	}
	switch {
	case err != nil && !ofName(err):
		return fmt.Errorf("%s cannot be written: %w", target, err)
	case err != nil:
		w.skip(shown, fmt.Sprintf("%s cannot be written: %v", target, rootfs.Cause(err)))
		return nil
	case same:
		w.report.Unchanged++
	default:
		w.report.Written = append(w.report.Written, target)
	}
	if next.Lacks != "" {
		w.skip(shown, next.Lacks)
	}
	return nil
}

// edited reports whether somebody changed a text since it was imported. After an interrupted import, it may be the
// version before.
func edited(text []byte, known *corpus.Imported) bool {
	sum := hash(text)
	return known == nil || known.Text != sum && known.Was != sum
}

// moved reports whether what a text was imported from is no longer there, as on another machine.
func moved(known *corpus.Imported) bool {
	_, err := os.Lstat(known.From)
	return filepath.IsAbs(known.From) && errors.Is(err, fs.ErrNotExist)
}

// ofName reports whether an error is due to the name of a file, so that others can still be written.
func ofName(err error) bool {
	ofNames := []error{syscall.ENOTDIR, syscall.EISDIR, syscall.EINVAL, syscall.ENAMETOOLONG, fs.ErrExist}
	return rootfs.Escapes(err) || slices.ContainsFunc(ofNames, func(of error) bool { return errors.Is(err, of) })
}

// stored returns the file at a path in the manual and its record, each nil if missing, or why it cannot be an imported
// text.
func (w *writer) stored(target string) (text []byte, known *corpus.Imported, reason string) {
	if w.root == nil {
		return nil, nil, ""
	}
	if r, err := corpus.ReadImported(w.root, target); err == nil {
		known = &r
	}
	info, err := w.root.Lstat(target)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, known, ""
	}
	if err == nil && !info.Mode().IsRegular() {
		return nil, known, target + " is no regular file"
	}
	if err == nil {
		text, err = w.root.ReadFile(target)
	}
	if err != nil {
		return nil, known, fmt.Sprintf("%s cannot be read: %v", target, rootfs.Cause(err))
	}
	return text, known, ""
}

// lockFile is the name of the lock in the folder of records.
const lockFile = "lock"

// lock keeps other processes from importing into the manual until it is unlocked.
func (w *writer) lock() (unlock func() error, err error) {
	const name = corpus.ImportFolder + "/" + lockFile
	err = w.root.MkdirAll(corpus.ImportFolder, 0o755)
	if err == nil {
		var f *os.File
		if f, err = w.root.OpenFile(name, os.O_RDWR|os.O_CREATE, 0o644); err == nil { // follows no link out
			err = f.Close()
		}
	}
	if err != nil {
		return nil, fmt.Errorf("%s cannot be written: %w", w.Dir, err)
	}
	lock := flock.New(filepath.Join(w.Dir, filepath.FromSlash(name)))
	if held, err := lock.TryLock(); err == nil && !held { // on an error, this disk has no locks
		return nil, fmt.Errorf("another import into %s is under way: call again when it has ended", w.Dir)
	}
	return lock.Close, nil
}

// record writes the record of a text, unless it is already there.
func (w *writer) record(target string, r corpus.Imported) error {
	if w.DryRun {
		return nil
	}
	out, err := json.MarshalIndent(r, "", " ")
	if err != nil {
		return err
	}
	out = append(out, '\n')
	name := corpus.RecordPath(target)
	if there, err := w.root.ReadFile(name); err == nil && bytes.Equal(there, out) {
		return nil
	}
	return w.replace(name, out)
}

// replace writes a file completely or not at all.
func (w *writer) replace(name string, text []byte) error {
	if w.DryRun {
		return nil
	}
	const temp = corpus.ImportFolder + "/new"
	if err := w.root.MkdirAll(path.Dir(name), 0o755); err != nil {
		return err
	}
	_ = w.root.Remove(temp) // of an interrupted import
	f, err := w.root.OpenFile(temp, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if err != nil {
		return err
	}
	_, err = f.Write(text)
	if err = errors.Join(err, f.Close()); err == nil {
		err = w.root.Rename(temp, name)
	}
	if err != nil {
		_ = w.root.Remove(temp) // the error says more
	}
	return err
}

// records calls visit with the records of a source.
func (w *writer) records(from string, visit func(target string, r corpus.Imported)) error {
	if w.root == nil {
		return nil
	}
	err := fs.WalkDir(w.root.FS(), corpus.ImportFolder, func(name string, e fs.DirEntry, err error) error {
		target, isRecord := strings.CutSuffix(strings.TrimPrefix(name, corpus.ImportFolder+"/"), ".json")
		if err != nil || e.IsDir() || !isRecord {
			return err
		}
		if r, err := corpus.ReadImported(w.root, target); err == nil && r.From == from {
			visit(target, r)
		}
		return nil
	})
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}

// storedPage is the imported text of a page.
type storedPage struct{ target, version string }

// fetched returns the stored pages of a source, by URL. A version is set only if the text is unchanged and would be
// read in the same way now.
func (w *writer) fetched(from string) (map[string]storedPage, error) {
	out := map[string]storedPage{}
	return out, w.records(from, func(target string, r corpus.Imported) {
		p := storedPage{target: target}
		if text, err := w.root.ReadFile(target); err == nil && hash(text) == r.Text && r.Converters == w.converters() {
			p.version = r.Version
		}
		out[r.Source] = p
	})
}

// clean removes the texts of a source whose documents are gone, unless they were edited.
func (w *writer) clean(from source) error {
	var gone []string
	if err := w.records(from.from(), func(target string, r corpus.Imported) {
		if _, seen := w.seen[target]; !seen && !from.holds(r.Source) {
			gone = append(gone, target)
		}
	}); err != nil {
		return err
	}
	for _, target := range gone {
		there, known, reason := w.stored(target)
		if reason != "" || there != nil && edited(there, known) {
			w.skip(target, "its document is gone, but it is not as it was imported, and stays")
			continue
		}
		if !w.DryRun {
			var err error
			if there != nil {
				err = w.root.Remove(target)
			}
			if err = errors.Join(err, w.root.Remove(corpus.RecordPath(target))); err != nil {
				return fmt.Errorf("%s cannot be removed: %w", target, err)
			}
			for _, name := range []string{target, corpus.RecordPath(target)} {
				for dir := path.Dir(name); dir != "." && w.root.Remove(dir) == nil; dir = path.Dir(dir) {
					continue // with the folders that are now empty
				}
			}
		}
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
