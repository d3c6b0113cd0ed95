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

// StateDir is where this workspace's traces and statistics live. It may not
// exist yet; whoever makes it closes it to others (0700).
func (w *Workspace) StateDir() string {
	return filepath.Join(w.StateHome, w.key(w.Root))
}

// IndexDir is where the index of this workspace and its manuals lives. It may
// not exist yet; whoever makes it closes it to others (0700).
func (w *Workspace) IndexDir() string {
	parts := append([]string{w.Root}, w.roots()...)
	for _, id := range slices.Sorted(maps.Keys(w.manualDirs)) {
		parts = append(parts, id, w.manualDirs[id])
	}
	return filepath.Join(w.CacheHome, w.key(parts...))
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
