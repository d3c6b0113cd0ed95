package host

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"time"

	"github.com/gofrs/flock"
)

const (
	// tempPrefix starts the name of a host's temporary directory. Short, since
	// the path of a socket is limited.
	tempPrefix = "sagasu"
	// tempLock is held in it as long as its host lives, so that another host can
	// tell, also across process namespaces, what a dead one left behind.
	tempLock = "host.lock"
	// tempAge is how old a directory must be to count as left behind: a new one
	// is not locked yet.
	tempAge = time.Minute
)

var tempName = regexp.MustCompile(`^` + tempPrefix + `[0-9]+$`)

// tempDir holds a directory per process: its socket and what it writes.
type tempDir struct {
	path string
	lock *flock.Flock
}

func newTempDir() (*tempDir, error) {
	path, err := os.MkdirTemp("", tempPrefix) // 0700
	if err != nil {
		return nil, err
	}
	t := &tempDir{path: path, lock: flock.New(filepath.Join(path, tempLock))}
	// Where files cannot be locked nobody can, and nothing is ever swept.
	_, _ = t.lock.TryLock()
	return t, nil
}

// processDir makes a directory for one process.
func (t *tempDir) processDir() (string, error) { return os.MkdirTemp(t.path, "") }

// close removes the directory with all that is in it.
func (t *tempDir) close() {
	_ = t.lock.Close() // some systems do not remove an open file
	removeAll(t.path)  // what is left of it, the next host sweeps
}

// removeAll removes a directory that a strategy wrote to, also where it made some that cannot be
// listed. No process of it may run any more.
func removeAll(path string) {
	if os.RemoveAll(path) == nil {
		return
	}
	_ = filepath.WalkDir(path, func(p string, e fs.DirEntry, err error) error {
		if err == nil && e.IsDir() {
			_ = os.Chmod(p, 0o700) // before it is listed
		}
		return nil
	})
	_ = os.RemoveAll(path)
}

// sweep removes the temporary directories of this user's hosts that were
// killed at least age ago.
func sweep(age time.Duration) {
	parent := os.TempDir()
	entries, _ := os.ReadDir(parent) // a parent that cannot be listed is not swept
	for _, e := range entries {
		if !e.IsDir() || !tempName.MatchString(e.Name()) {
			continue
		}
		info, err := e.Info()
		if err == nil && ownedByUser(info) && time.Since(info.ModTime()) >= age {
			sweepDir(filepath.Join(parent, e.Name()))
		}
	}
}

// sweepDir removes one directory unless its host lives.
func sweepDir(path string) {
	info, err := os.Lstat(filepath.Join(path, tempLock))
	if err != nil {
		_ = os.Remove(path) // its host died before it locked; only if it is empty
		return
	}
	if info.Mode().Type() != fs.FileMode(0) {
		return // none that a host made
	}
	lock := flock.New(filepath.Join(path, tempLock))
	defer func() { _ = lock.Close() }()
	if free, err := lock.TryLock(); err == nil && free {
		t := tempDir{path, lock}
		t.close()
	}
}
