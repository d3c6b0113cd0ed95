package connect

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"unicode/utf8"

	"github.com/rogpeppe/go-internal/diff"

	"github.com/sagasu-search/sagasu/framework/internal/store"
)

// largest is the maximum size in bytes of a configuration.
const largest = 32 << 20

// byteOrderMark begins some files written on Windows.
const byteOrderMark = "\ufeff"

// Files are the configurations to edit, and where edits are recorded.
type Files struct {
	Machine  Machine
	StateDir string // of sagasu
	Project  string // the workspace whose own files are edited, "" for the user's files
}

// Path returns the configuration of a client, or "" if it has none.
func (f Files) Path(c Client) string {
	switch {
	case f.Project == "":
		return f.Machine.userFile(c)
	case c.project == "":
		return ""
	}
	return filepath.Join(f.Project, filepath.FromSlash(c.project))
}

// Change is an edit of one file that has not been written yet.
type Change struct {
	Path string // of the file itself, even if the client's path is a link to it
	Old  []byte // nil if there is no file
	New  []byte // nil if the file is removed

	mode   fs.FileMode // of a new file
	record string      // the file that records edits
	edits  []edit      // to be recorded
}

// Adds reports whether the file has no entry yet.
func (c Change) Adds() bool { return len(c.edits) > 0 && c.edits[len(c.edits)-1].Before == "" }

// Empty reports whether there is nothing to write.
func (c Change) Empty() bool { return (c.Old == nil) == (c.New == nil) && bytes.Equal(c.Old, c.New) }

// Diff returns the difference in unified form, or "" if there is none.
func (c Change) Diff() string {
	before := filepath.ToSlash(c.Path)
	after := before
	if c.Old == nil {
		before = "/dev/null"
	}
	if c.New == nil {
		after = "/dev/null"
	}
	text := string(diff.Diff(before, c.Old, after, c.New))
	_, text, _ = strings.Cut(text, "\n") // the line "diff"
	return text
}

// edit is one recorded splice, with the entry before and after it, see [entryText].
type edit struct {
	splice
	Before, After string
	Created       bool // the edit created the file
}

// Merge plans to write an entry for a client. The change is empty if the entry is already there.
func (f Files) Merge(c Client, e Entry) (Change, error) {
	change, text, err := f.read(c)
	if err != nil {
		return change, err
	}
	change.New = change.Old
	members := e.members(c.typed)
	s, err := merge(c.format, text, c.servers, members)
	if err != nil || s == (splice{}) {
		return change, change.explain(err)
	}
	x := edit{splice: s, Created: change.Old == nil}
	edited := s.apply(text)
	if x.Before, err = entryIn(c, text); err == nil {
		x.After, err = entryIn(c, edited)
	}
	if err != nil {
		return change, change.explain(err)
	}
	if n := len(change.edits); n > 0 && change.edits[n-1].After != x.Before {
		change.edits = nil // somebody changed the entry, so that is what to restore
	}
	change.edits = append(change.edits, x)
	change.New = marked(change.Old, edited)
	return change, nil
}

// entryIn returns the entry in a text, see [entryText].
func entryIn(c Client, text string) (string, error) {
	doc, err := c.format.decode(text)
	if err != nil {
		return "", err
	}
	return entryText(doc, c.servers)
}

// Undo plans to revert what was written for a client. The change is empty if nothing was written.
func (f Files) Undo(c Client) (Change, error) {
	change, text, err := f.read(c)
	change.New = change.Old
	if change.record != "" && len(change.edits) == 0 {
		return change, nil // even if the file cannot be read
	}
	if err != nil {
		return change, err
	}
	edits := change.edits
	change.edits = nil
	if now, err := entryIn(c, text); err != nil || now == "" {
		return change, change.explain(err) // without an entry, somebody has removed it
	}
	for i := len(edits) - 1; i >= 0; i-- {
		x := edits[i]
		if text, err = revert(c.format, text, c.servers, x.splice, x.Before, x.After); err != nil {
			return change, change.explain(err)
		}
	}
	change.New = marked(change.Old, text)
	if edits[0].Created && text == "" {
		change.New = nil
	}
	return change, nil
}

// marked returns a text with a byte order mark if the old file had one.
func marked(old []byte, text string) []byte {
	if bytes.HasPrefix(old, []byte(byteOrderMark)) {
		text = byteOrderMark + text
	}
	return []byte(text)
}

// explain adds the file to an error.
func (c Change) explain(err error) error {
	if bad, ok := errors.AsType[*badSyntax](err); ok {
		return fmt.Errorf("%s:%d:%d: %s; the file stays as it is", c.Path, bad.Line, bad.Column, bad.Reason)
	}
	if err != nil {
		return fmt.Errorf("%s: %w", c.Path, err)
	}
	return nil
}

// read reads a client's file and what is recorded about it. The text is without its byte order mark.
func (f Files) read(c Client) (change Change, text string, err error) {
	change = Change{Path: f.Path(c), mode: 0o600}
	if f.Project != "" {
		change.mode = 0o644
	}
	if change.Path == "" {
		return change, "", fmt.Errorf("%s has no such configuration here", c.Title)
	}
	if change.Path, err = f.target(change.Path); err != nil {
		return change, "", err
	}
	sum := sha256.Sum256([]byte(change.Path))
	record := filepath.Join(f.StateDir, "connect", hex.EncodeToString(sum[:8])+".json")
	recorded, err := os.ReadFile(record)
	if err == nil {
		err = json.Unmarshal(recorded, &change.edits)
	}
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return change, "", fmt.Errorf("%s, which records what was written: %w", record, err)
	}
	change.record = record
	if change.Old, err = readWhole(change.Path); err != nil {
		return change, "", err
	}
	if !utf8.Valid(change.Old) {
		return change, "", fmt.Errorf("%s is not UTF-8; the file stays as it is", change.Path)
	}
	return change, strings.TrimPrefix(string(change.Old), byteOrderMark), nil
}

// readWhole returns the content of a file that can be replaced, or nil if there is none.
func readWhole(path string) ([]byte, error) {
	info, err := os.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, nil
	case err != nil:
		return nil, err
	case !info.Mode().IsRegular():
		return nil, fmt.Errorf("%s is no regular file", path)
	case info.Mode().Perm()&0o200 == 0:
		return nil, fmt.Errorf("%s is read-only", path)
	case info.Size() > largest:
		return nil, fmt.Errorf("%s is larger than %d bytes", path, largest)
	}
	text, err := os.ReadFile(path)
	if err == nil && text == nil {
		text = []byte{}
	}
	return text, err
}

// target resolves links to the file that is edited. A workspace's link must not lead out of it.
func (f Files) target(path string) (string, error) {
	real, err := filepath.EvalSymlinks(path)
	if errors.Is(err, fs.ErrNotExist) {
		if _, err := os.Lstat(path); err == nil {
			return path, fmt.Errorf("%s is a link to a file that is not there", path)
		}
		real, err = filepath.EvalSymlinks(filepath.Dir(path))
		if errors.Is(err, fs.ErrNotExist) {
			return path, nil
		}
		real = filepath.Join(real, filepath.Base(path))
	}
	if err != nil {
		return path, err
	}
	if f.Project == "" {
		return real, nil
	}
	root, err := filepath.EvalSymlinks(f.Project)
	if err != nil {
		return path, err
	}
	if below, err := filepath.Rel(root, real); err != nil || !filepath.IsLocal(below) {
		return path, fmt.Errorf("%s is a link that leads out of the workspace", path)
	}
	return real, nil
}

// Apply writes the complete change and keeps the file's mode. It fails if the file has changed since it was read.
func (c Change) Apply() error {
	now, err := readWhole(c.Path)
	if err != nil {
		return err
	}
	if (now == nil) != (c.Old == nil) || !bytes.Equal(now, c.Old) {
		return fmt.Errorf("%s was changed in the meantime; call sagasu init again", c.Path)
	}
	if len(c.edits) > 0 { // before the edit, since a record without its edit does no harm
		if err := c.recordEdits(); err != nil {
			return err
		}
	}
	if !c.Empty() {
		if c.New == nil {
			err = os.Remove(c.Path)
		} else {
			err = replace(c.Path, c.New, c.mode)
		}
	}
	if err == nil && len(c.edits) == 0 {
		if err = os.Remove(c.record); errors.Is(err, fs.ErrNotExist) {
			err = nil
		}
	}
	return err
}

func (c Change) recordEdits() error {
	recorded, err := json.Marshal(c.edits)
	if err == nil {
		err = replace(c.record, recorded, 0o600)
	}
	if err != nil {
		return fmt.Errorf("record the edit: %w", err)
	}
	return nil
}

// replace writes a file with the mode of the old one, or else mode.
func replace(path string, text []byte, mode fs.FileMode) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	if info, err := os.Stat(path); err == nil {
		mode = info.Mode().Perm()
	}
	return store.Replace(path, text, mode)
}
