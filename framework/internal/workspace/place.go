package workspace

import (
	"crypto/sha256"
	"encoding/hex"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"unicode"
)

// StateDir returns where this workspace's traces and statistics live. It may not
// exist yet; whoever makes it closes it to others (0700).
func (w *Workspace) StateDir() string {
	return filepath.Join(w.StateHome, w.key(w.Root))
}

// Sources identify what is indexed: the folders of manuals, and the manuals
// that live elsewhere with their ids.
func (w *Workspace) Sources() []string {
	sources := slices.Clone(w.roots())
	for _, id := range slices.Sorted(maps.Keys(w.manualDirs)) {
		sources = append(sources, id, w.manualDirs[id])
	}
	return sources
}

// key names a folder for what the parts identify; the readable part is for
// people who look into it.
func (w *Workspace) key(parts ...string) string {
	sum := sha256.Sum256([]byte(strings.Join(parts, "\x00")))
	return readable(filepath.Base(w.Root)) + "-" + hex.EncodeToString(sum[:8])
}

// readable keeps the letters and digits of a name, at most 32 of them.
func readable(name string) string {
	kept := []rune{}
	for _, r := range name {
		if len(kept) < 32 && (r == '-' || r == '_' || unicode.IsLetter(r) || unicode.IsDigit(r)) {
			kept = append(kept, r)
		}
	}
	if len(kept) == 0 {
		return "workspace"
	}
	return string(kept)
}
