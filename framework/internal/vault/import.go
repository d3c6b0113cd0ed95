package vault

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io/fs"
	pathpkg "path"

	"github.com/sagasu-search/sagasu/framework/internal/toolset"
	"github.com/sagasu-search/sagasu/framework/internal/vault/bridge"
)

// Import writes a file, which it makes with the folders above it when it is missing. What it
// overwrites is kept as an earlier version. See [bridge.Options].
func (v *Vault) Import(ctx context.Context, in bridge.Import) (*bridge.Imported, error) {
	do := action(in.Mode)
	replaced := false
	f, err := v.edit(ctx, in.Param, in.Path, do, true, func(now *file) ([]byte, error) {
		var old []byte
		switch {
		case !now.exists() && now.place.zone == daily:
			return nil, toolset.Renamed(now.place.unmade(), in.Param, "path")
		case now.exists() && do == grow:
			if err := now.wantText(); err != nil {
				return nil, err
			}
			old = bytes.Clone(now.text)
		}
		out, err := in.Build(old)
		if err == nil {
			err = now.keepsJSON(in.Param, in.Path, do, out.Text)
		}
		switch {
		case err != nil:
		case out.Note != nil:
			err = v.note(now, do == grow, out.Note)
		case now.exists():
			err = v.unnote(now)
		}
		replaced = now.exists() && do == overwrite && len(now.text) > 0 && !bytes.Equal(now.text, out.Text)
		return out.Text, err
	})
	if err != nil {
		return nil, err
	}
	return &bridge.Imported{Path: f.path(), NotePath: noteOf(f.path()).path, SHA256: digest(f.text),
		Warnings: f.warnings, Replaced: replaced}, nil
}

// notesDir holds notes on files that cannot hold them themselves.
const (
	notesDir = systemDir + "/provenance"
	noteExt  = ".json"
	// maxName is the maximum length of a name in bytes. If a file's name leaves no room for the
	// extension, its note is named by a hash.
	maxName = 255
)

// noteOf returns the place of a file's note.
func noteOf(path string) place {
	dir, name := pathpkg.Split(canonical(path))
	if len(name)+len(noteExt) > maxName {
		name = digest([]byte(name))
	}
	return placeOf(notesDir + "/" + dir + name + noteExt)
}

// note writes a file's note before the file itself, so that no copy lacks one, even if the
// process ends in between. The caller holds the file's lock.
func (v *Vault) note(f *file, grows bool, build func(json.RawMessage) (any, error)) error {
	p := noteOf(f.path())
	dir, err := enter(f.vault, p, true)
	if err != nil {
		return err
	}
	defer dir.close()
	v.sweep(dir)
	now, err := look(f.vault, dir, p)
	if err != nil {
		return err
	}
	var old json.RawMessage
	if grows && f.exists() && json.Valid(now.text) {
		old = now.text
	}
	noted, err := build(old)
	if err != nil {
		return err
	}
	var content bytes.Buffer
	encoder := json.NewEncoder(&content)
	encoder.SetEscapeHTML(false) // a heading path holds >
	encoder.SetIndent("", "  ")
	if err := encoder.Encode(noted); err != nil {
		return err
	}
	return dir.put(now.name, content.Bytes(), 0o644, !now.exists(), now.unmoved)
}

// unnote removes the note of a file that is overwritten by one that needs none. The caller holds the
// file's lock.
func (v *Vault) unnote(f *file) error {
	dir, err := enter(f.vault, noteOf(f.path()), false)
	if err == nil {
		defer dir.close()
		err = dir.root.Remove(pathpkg.Base(noteOf(f.path()).path))
	}
	if errors.Is(err, fs.ErrNotExist) || toolset.AsError(err).Code == toolset.NotFound {
		return nil
	}
	return err
}
