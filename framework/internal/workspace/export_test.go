package workspace

import (
	"io/fs"
	"path/filepath"
	"runtime"
)

const MaxFileBytes = maxFileBytes

// UserFolders returns the user's folders of configuration and of indexes.
func UserFolders(getenv func(string) string) (config, cache string) {
	h := systemHomes(runtime.GOOS, getenv)
	return h.config, h.cache
}

func (w *Workspace) ManualDirs() map[string]string { return w.manualDirs }

func (w *Workspace) ManualRoots() []string { return w.roots() }

// FlagNames returns the flags of the workspace's own settings.
func FlagNames() (names []string) {
	for _, s := range (Schema{}).settings() {
		names = append(names, s.flag())
	}
	return names
}

// ReadGuest reads a workspace's own file.
func ReadGuest(root string, dir fs.FS) error {
	f := newFile(nil, filepath.Join(root, FileName))
	f.guest = true
	return f.read(dir)
}
