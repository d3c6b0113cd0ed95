package host

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"time"

	"github.com/gofrs/flock"

	"github.com/sagasu-search/sagasu/sdk/x/lazyregexp"
)

const (
	// tempPrefix starts the name of a host's temporary directory. Short, since
	// the path of a socket is limited.
	tempPrefix = "sagasu"
	// tempLock is the name of a file that the host keeps locked while it lives, so that other
	// hosts can recognise the directories of dead ones, even across process namespaces.
	tempLock = "host.lock"
	// longestSocket is the longest path of a socket below the system's temporary directory: host, process, socket.
	longestSocket = tempPrefix + "4294967295/99999/plugin4294967295"
	// tempAge is the minimum age of an abandoned directory: a new one may not be locked yet.
	tempAge = time.Minute
)

var tempName = lazyregexp.New(`^` + tempPrefix + `[0-9]+$`)

// ErrLongTemp means that processes could not listen on sockets in the system's temporary directory.
var ErrLongTemp = errors.New("the path of the temporary directory is too long for sockets: set TMPDIR to a shorter one")

// tempDir contains a directory per process, for its socket and temporary files.
type tempDir struct {
	path string
	lock *flock.Flock
	made int // directories of processes
}

func newTempDir() (*tempDir, error) {
	if len(filepath.Join(os.TempDir(), longestSocket)) > maxSocketPath { // random digits lengthen some
		return nil, fmt.Errorf("%w (%s)", ErrLongTemp, os.TempDir())
	}
	path, err := os.MkdirTemp("", tempPrefix) // 0700
	if err != nil {
		return nil, err
	}
	t := &tempDir{path: path, lock: flock.New(filepath.Join(path, tempLock))}
	// If files cannot be locked, no host can lock them, and nothing is swept.
	_, _ = t.lock.TryLock()
	return t, nil
}

// processDir makes a directory for one process, with a short name that is never used again.
func (t *tempDir) processDir() (string, error) {
	t.made++
	dir := filepath.Join(t.path, strconv.Itoa(t.made))
	return dir, os.Mkdir(dir, 0o700)
}

// close removes the directory with everything in it.
func (t *tempDir) close() {
	_ = t.lock.Close() // some systems do not remove an open file
	removeAll(t.path)  // the next host sweeps the rest
}

// removeAll removes a directory that a strategy wrote to, even if it contains directories without
// read permission. None of the strategy's processes may be running.
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

// sweep removes the temporary directories of this user's killed hosts that are at least age old.
func sweep(age time.Duration) {
	parent := os.TempDir()
	entries, _ := os.ReadDir(parent) // a parent that cannot be listed is not swept
	for _, e := range entries {
		if !e.IsDir() || !tempName().MatchString(e.Name()) {
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
		_ = os.Remove(path) // its host died before locking it; removed only if empty
		return
	}
	if info.Mode().Type() != fs.FileMode(0) {
		return // not made by a host
	}
	lock := flock.New(filepath.Join(path, tempLock))
	defer func() { _ = lock.Close() }()
	if free, err := lock.TryLock(); err == nil && free {
		t := tempDir{path: path, lock: lock}
		t.close()
	}
}
