package vault

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	pathpkg "path"

	"github.com/sagasu-search/sagasu/framework/internal/rootfs"
)

// Import is text from elsewhere on its way into a file of the vault.
type Import struct {
	// Param is the argument that gave Path.
	Param, Path string
	Mode        string // ModeOverwrite or ModeAppend, of a file that exists
	// Build makes the file's content. old is what it holds, nil when it is new;
	// grows tells that old must stay as it is.
	Build func(old []byte, grows bool) (Imported, error)
}

// Imported is the new content of a file, and what to note of it beside.
type Imported struct {
	Content []byte
	// Note, if not nil, goes into the file's note in the reserved folder: it gets
	// what the note holds, nil when there is none or a file is overwritten.
	Note func(old json.RawMessage) (any, error)
}

// Import writes a file, which it makes with the folders above it when it is
// missing. What it overwrites is kept as an earlier version. It gives the path as
// stored and the hash of the new content.
func (v *Vault) Import(ctx context.Context, in Import) (path, sum string, err error) {
	do, err := modeOf(in.Mode)
	if err != nil {
		return "", "", err
	}
	// A new file may be made in either mode, where only its making is allowed too.
	may := do
	if p, bad := rootfs.Clean(in.Param, in.Path); bad == nil && do == overwrite && placeOf(p).zone == daily {
		may = create
	}
	f, err := v.edit(ctx, in.Param, in.Path, may, true, func(now *file) ([]byte, error) {
		var old []byte
		if now.exists() {
			if err := now.place.permit(do); err != nil {
				return nil, named(err, in.Param)
			}
			old = append([]byte{}, now.text...)
			if do == grow {
				if err := now.wantText(); err != nil {
					return nil, err
				}
			}
		}
		out, err := in.Build(old, now.place.zone == daily)
		if err == nil && out.Note != nil {
			err = v.note(now, do, out.Note)
		}
		return out.Content, err
	})
	if err != nil {
		return "", "", err
	}
	return f.path(), digest(f.text), nil
}

// notesDir holds what is noted of files that cannot hold it themselves.
const (
	notesDir = systemDir + "/provenance"
	noteExt  = ".json"
	// maxName is how many bytes a name may have; a note of a file whose name leaves no room
	// for the extension is named by its hash.
	maxName = 255
)

// NotePath is the path of the note of a file.
func NotePath(path string) string { return noteOf(path).path }

// noteOf is the place of a file's note.
func noteOf(path string) place {
	dir, name := pathpkg.Split(canonical(path))
	if len(name)+len(noteExt) > maxName {
		sum := sha256.Sum256([]byte(name))
		name = hex.EncodeToString(sum[:])
	}
	return internal(notesDir + "/" + dir + name + noteExt)
}

// note writes a file's note before the file itself: one that is never written
// leaves a note of nothing, and no copy lacks one. The caller holds the file's lock.
func (v *Vault) note(f *file, do action, build func(json.RawMessage) (any, error)) error {
	vault, err := v.open()
	if err != nil {
		return unopened(err)
	}
	defer vault.Close()
	p := noteOf(f.path())
	dir, err := enter(vault.Dir(), p, true)
	if err != nil {
		return err
	}
	defer dir.close()
	v.sweepOnce(dir)
	now, err := look(dir, p)
	if err != nil {
		return err
	}
	var old json.RawMessage
	if do == grow && f.exists() && json.Valid(now.text) {
		old = now.text
	}
	noted, err := build(old)
	if err != nil {
		return err
	}
	content, err := json.MarshalIndent(noted, "", "  ")
	if err != nil {
		return err
	}
	return dir.put(now.name, append(content, '\n'), 0o644, !now.exists(), now.unmoved)
}
