package vault

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	pathpkg "path"
	"path/filepath"
	"strings"

	"github.com/sagasu-search/sagasu/framework/internal/corpus"
	"github.com/sagasu-search/sagasu/framework/internal/rootfs"
	"github.com/sagasu-search/sagasu/framework/internal/toolset"
)

// Written is the result of a write.
type Written struct {
	WrittenPath  string   `json:"written_path"`
	WrittenBytes int      `json:"written_bytes"` // of the content that was given
	SHA256       string   `json:"sha256" doc:"Of the file's new content; ready for expected_sha256."`
	Warnings     []string `json:"warnings,omitempty" schema:"-"`
}

// Counters implements [toolset.Counter].
func (w *Written) Counters() []any { return []any{"written", w.WrittenPath, "bytes", w.WrittenBytes} }

// file is a file as it is, under its lock.
type file struct {
	place  place
	vault  *os.Root
	folder *folder
	name   string // as stored
	info   fs.FileInfo
	text   []byte
	// warnings tell the caller what a write did beside what was asked for.
	warnings []string
}

func (f *file) exists() bool { return f.info != nil }

func (f *file) warn(format string, args ...any) {
	f.warnings = append(f.warnings, fmt.Sprintf(format, args...))
}

// path returns the file's path as stored.
func (f *file) path() string { return pathpkg.Join(f.folder.path, f.name) }

// change returns the new content of a file from the present one.
type change func(now *file) ([]byte, error)

// maxTries is the maximum number of attempts of a write, which is repeated if a program that ignores our locks
// changes the file in the meantime, or one with another clock mistakes the file being written for a leftover.
const maxTries = 20

// edit writes a file: under its lock it reads the file, calls build for the new content, keeps
// the old content and puts the new one in its place. With make, missing folders and the vault
// are made. Every write of the vault goes through it.
func (v *Vault) edit(ctx context.Context, param, path string, do action, make bool, build change) (*file, error) {
	p, err := target(param, path, do)
	if err != nil {
		return nil, err
	}
	root, err := v.openFor(p.path, make)
	if err != nil {
		return nil, err
	}
	defer root.Close()
	unlock, err := lockFile(ctx, root.Dir(), p.key())
	if err != nil {
		return nil, cmp.Or(ctx.Err(), unwritten(p.path, err))
	}
	defer unlock()
	for try := 1; ; try++ {
		f, err := v.editOnce(ctx, root.Dir(), p, do, make, build)
		if errors.Is(err, errMoved) && try < maxTries {
			continue
		}
		if err != nil {
			if toolset.AsError(err).Details["parameter"] == param {
				err = namesakes(ctx, root, p.path, err)
			}
			return nil, cmp.Or(ctx.Err(), unwritten(p.path, err))
		}
		return f, nil
	}
}

// target checks where a write may go.
func target(param, path string, do action) (place, error) {
	cleaned, bad := rootfs.Clean(param, path)
	if bad != nil {
		return place{}, bad
	}
	p := placeOf(cleaned)
	if err := p.permit(do); err != nil {
		return p, toolset.Renamed(err, param, "path")
	}
	return p, nil
}

func (v *Vault) editOnce(ctx context.Context, vault *os.Root, p place, do action, make bool, build change,
) (f *file, err error) {
	dir, err := enter(vault, p, make)
	if err != nil {
		return nil, err
	}
	defer func() {
		if err != nil {
			dir.unmake(vault)
		}
		dir.close()
	}()
	v.sweep(dir)
	f, err = look(vault, dir, p)
	if err != nil {
		return nil, err
	}
	content, err := build(f)
	if err != nil {
		return nil, err
	}
	if corpus.IsJSON(f.name) && !validJSON(content) {
		f.warn("not_json: %s does not hold one JSON value", f.path())
	}
	if err := errors.Join(ctx.Err(), tooLarge(p.path, len(content))); err != nil {
		return nil, err
	}
	if f.exists() && bytes.Equal(content, f.text) {
		return f, nil
	}
	if f.exists() && f.info.Mode().Perm()&0o222 == 0 {
		return nil, protected(p.path, f.path())
	}
	undo, err := v.keep(ctx, f, do, content)
	if err != nil {
		return nil, err
	}
	mode := fs.FileMode(0o644)
	if f.exists() {
		mode = f.info.Mode().Perm()
	} else if other := twin(vault, f.path()); other != "" {
		f.warn("case: %s, which is there already, differs only by case; many systems take both for one", other)
	}
	if err := dir.put(f.name, content, mode, !f.exists(), f.unmoved); err != nil {
		if f.unmoved() == nil { // else the old content is in the history alone
			undo()
		}
		return nil, err
	}
	f.text = content
	if made := dir.made; len(made) > 0 && made[0] == filepath.Base(v.Dir()) {
		f.warn("nested: paths count from the vault's folder, so that a folder was made in it for %s; was %s meant?",
			f.path(), strings.TrimPrefix(f.path(), made[0]+"/"))
	}
	if v.options.Changed != nil {
		v.options.Changed(filepath.Join(v.Dir(), filepath.FromSlash(f.path())))
	}
	return f, nil
}

// twin returns the first part of a path beside which a name stands that differs only by case, with that name, "" for
// none.
func twin(vault *os.Root, path string) string {
	at := "."
	for name := range strings.SplitSeq(path, "/") {
		dir, err := vault.OpenRoot(at)
		if err != nil {
			return ""
		}
		names := rootfs.Names(dir)
		dir.Close()
		for _, have := range names {
			if have != name && rootfs.Key(have) == rootfs.Key(name) {
				return pathpkg.Join(at, have)
			}
		}
		at = pathpkg.Join(at, name)
	}
	return ""
}

// maxFile is the size of the largest file that a write makes, in bytes.
const maxFile = 1 << 30

func tooLarge(path string, size int) error {
	if size <= maxFile {
		return nil
	}
	return toolset.Errorf(toolset.InvalidParameter,
		"%s would grow to %d bytes, and %d is the most; split it", path, size, maxFile).
		Argument("path", path, "a smaller file")
}

// look finds and reads the file of p in its folder; it may not exist.
func look(vault *os.Root, dir *folder, p place) (*file, error) {
	last := strings.Count(p.path, "/")
	name, info, err := dir.find(p.spellings(last, pathpkg.Base(p.path)))
	f := &file{place: p, vault: vault, folder: dir, name: name, info: info}
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return f, nil
	case err != nil:
		return nil, err
	case info.Mode()&(fs.ModeSymlink|fs.ModeIrregular) != 0:
		return nil, linked(p.path, f.path())
	case !info.Mode().IsRegular():
		return nil, notFile(p.path, f.path())
	}
	f.text, err = f.read()
	return f, err
}

func (f *file) read() ([]byte, error) {
	file, err := f.folder.root.Open(f.name)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	opened, err := file.Stat()
	if err != nil {
		return nil, err
	}
	if !os.SameFile(opened, f.info) {
		return nil, errMoved
	}
	f.info = opened
	return io.ReadAll(file)
}

// unmoved fails with errMoved unless the file is still the one that was read.
func (f *file) unmoved() error {
	now, err := f.folder.root.Lstat(f.name)
	if errors.Is(err, fs.ErrNotExist) && !f.exists() {
		return nil
	}
	if err != nil || !f.exists() || !os.SameFile(now, f.info) || now.Size() != f.info.Size() ||
		!now.ModTime().Equal(f.info.ModTime()) {
		return errMoved
	}
	return nil
}

// expect fails unless the file has the SHA-256 that the caller expects, in hexadecimal digits;
// "" expects nothing.
func (f *file) expect(sum string) error {
	now := digest(f.text)
	if raw, err := hex.DecodeString(sum); sum != "" && (err != nil || len(raw) != sha256.Size) {
		return toolset.Invalid("expected_sha256", sum,
			fmt.Sprintf("a SHA-256 in %d hexadecimal digits", 2*sha256.Size)).
			With("current_sha256", now).With("nearest", now)
	}
	if sum != "" && !strings.EqualFold(sum, now) {
		return toolset.Errorf(toolset.Conflict,
			"%s is not what expected_sha256 says: somebody has changed it; read it again", f.path()).
			Argument("expected_sha256", sum, now).With("current_sha256", now)
	}
	return nil
}

// wantText fails for a file that is not text.
func (f *file) wantText() error {
	if reason := corpus.NotText(f.text); reason != "" {
		return toolset.Errorf(toolset.NotAvailable, "%s cannot be changed as text: %s; convert it to UTF-8 first, "+
			"or write another file: overwriting it replaces all that it holds", f.path(), reason).
			With("parameter", "path").With("got", f.place.path).With("reason", reason)
	}
	return nil
}

func digest(content []byte) string {
	sum := sha256.Sum256(content)
	return hex.EncodeToString(sum[:])
}
