package vault

import (
	"crypto/rand"
	"errors"
	"io/fs"
	"os"
	pathpkg "path"
	"strings"
	"time"

	"github.com/sagasu-search/sagasu/framework/internal/rootfs"
)

const (
	// temporary begins the name of a file that is being written.
	temporary = ".sagasu-tmp-"
	// abandoned is the age from which on such a file is a leftover of a writer that died.
	abandoned = 10 * time.Minute
)

func isTemporary(path string) bool { return strings.HasPrefix(pathpkg.Base(path), temporary) }

// put writes a file atomically and durably: it writes a temporary file next to it, syncs and
// renames it. Just before the rename, last may cancel. With fresh, no file of that name may exist.
// After an error nothing has changed; errMoved says that another attempt may succeed.
func (f *folder) put(name string, content []byte, mode fs.FileMode, fresh bool, last func() error) error {
	temp := temporary + rand.Text()
	err := f.write(temp, content, mode, !fresh)
	if err == nil {
		err = last()
	}
	if err == nil {
		err = f.move(temp, name, fresh)
	}
	if err != nil {
		f.root.Remove(temp)
		if errors.Is(err, fs.ErrNotExist) { // see [folder.unmake]; or after a jump of the clock temp was swept
			err = errMoved
		}
		return err
	}
	return f.sync()
}

// write writes a new file. With exact its mode is that of another file, whatever the process's mask says.
func (f *folder) write(name string, content []byte, mode fs.FileMode, exact bool) error {
	file, err := f.root.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, mode)
	if err != nil {
		return err
	}
	if exact {
		_ = file.Chmod(mode) // not every file system has modes
	}
	_, err = file.Write(content)
	if err == nil {
		err = file.Sync()
	}
	return errors.Join(err, file.Close())
}

// move renames a written file. A fresh one is linked where the file system can, which never
// replaces what another program has just put there.
func (f *folder) move(temp, name string, fresh bool) error {
	if !fresh {
		return f.root.Rename(temp, name)
	}
	err := f.root.Link(temp, name)
	switch {
	case err == nil:
		f.root.Remove(temp) // a leftover is swept later
		return nil
	case errors.Is(err, fs.ErrExist):
		return errMoved
	}
	if _, err := f.root.Lstat(name); err == nil {
		return errMoved
	}
	return f.root.Rename(temp, name)
}

// sweep removes the temporary files of writers that died, once in each folder.
func (v *Vault) sweep(f *folder) {
	v.mu.Lock()
	done := v.swept[f.path]
	v.swept[f.path] = true
	v.mu.Unlock()
	if done {
		return
	}
	for _, name := range rootfs.Names(f.root) {
		info, err := f.root.Lstat(name)
		if err != nil || !isTemporary(name) || !info.Mode().IsRegular() {
			continue
		}
		if time.Since(info.ModTime()).Abs() > abandoned { // one of the future is from before the clock was set back
			f.root.Remove(name)
		}
	}
}
