package index

import (
	"errors"
	"io/fs"
	"maps"
	"path/filepath"
	"sync"
	"syscall"
	"time"

	"github.com/fsnotify/fsnotify"

	"github.com/sagasu-search/sagasu/framework/internal/corpus"
	"github.com/sagasu-search/sagasu/sdk/x/guard"
)

const (
	// debounce is how long changes are collected before an update starts.
	debounce = 50 * time.Millisecond
	// sweepEvery is how often all files are checked although the system reports changes, since
	// it may miss some, above all in parents of the manuals' folder and on network file
	// systems.
	sweepEvery = time.Minute
	// rewatchAfter is when watching is tried again after it failed.
	rewatchAfter = 10 * time.Minute
)

// watcher receives the system's reports of changes in folders. The update lock guards everything
// except its events. Its methods do nothing on nil.
type watcher struct {
	fs *fsnotify.Watcher

	mu   sync.Mutex // guards dirs and err while several manuals are walked
	dirs map[string]bool
	last map[string]bool // dirs before a full check
	err  error           // why it no longer works
}

// watch starts to watch if that is wanted and has not failed lately. The
// caller holds the update lock.
func (x *Index) watch() {
	x.mu.Lock()
	defer x.mu.Unlock()
	if !x.opts.Live || x.watcher != nil || x.closed || time.Now().Before(x.watchAgain) {
		return
	}
	events, err := fsnotify.NewWatcher()
	if err != nil {
		x.unwatched(err)
		return
	}
	w := &watcher{fs: events, dirs: map[string]bool{}}
	x.watcher, x.pending.all = w, true
	x.work.Go(func() error {
		err := guard.Call(func() error { x.listen(w); return nil })
		if err != nil { // changes are no longer received: the next check finds the watcher broken
			if x.lockUpdates(x.ctx) == nil {
				w.fail(err)
				x.unlockUpdates()
			}
			x.addPending(pendingChanges{all: true})
		}
		return err
	})
}

// unwatched ends watching and logs why. The caller holds mu and the update lock.
func (x *Index) unwatched(err error) {
	x.watcher, x.watchAgain = nil, time.Now().Add(rewatchAfter)
	reason := "the system does not report changes, so files are checked at most once a second: " + err.Error()
	if errors.Is(err, syscall.ENOSPC) || errors.Is(err, syscall.EMFILE) {
		reason += "; raise fs.inotify.max_user_watches and fs.inotify.max_user_instances"
	}
	x.log.Warn("files are not watched", "reason", reason)
}

// listen collects what the system reports, and starts updates. It ends with the
// index or the watcher.
func (x *Index) listen(w *watcher) {
	defer w.fs.Close()
	sweep := time.NewTicker(sweepEvery)
	defer sweep.Stop()
	var due <-chan time.Time
	for {
		select {
		case <-x.ctx.Done():
			return
		case e, ok := <-w.fs.Events:
			if !ok {
				return
			}
			reach := x.opts.Source.Reach(e.Name)
			if e.Op == fsnotify.Write && reach == corpus.ReachesNothing {
				continue
			}
			x.addPending(pendingChanges{all: reach == corpus.ReachesAll, paths: map[string]bool{e.Name: true}})
		case _, ok := <-w.fs.Errors: // events were dropped
			if !ok {
				return
			}
			x.addPending(pendingChanges{all: true})
		case <-sweep.C:
			x.addPending(pendingChanges{all: true})
		case <-due:
			if due = nil; x.startNew() {
				continue
			}
		}
		if due == nil {
			due = time.After(debounce)
		}
	}
}

// startNew starts an update. It returns false if an older one is still running.
func (x *Index) startNew() bool {
	x.mu.Lock()
	defer x.mu.Unlock()
	if x.closed || x.pending.empty() {
		return true
	}
	if x.job != nil {
		return false
	}
	x.start()
	return true
}

// watching returns the watcher in use, or nil. The caller holds the update lock.
func (x *Index) watching() *watcher {
	x.mu.Lock()
	defer x.mu.Unlock()
	return x.watcher
}

// forget drops the watches at and below d before d is checked again, since a renamed folder and its
// subfolders are still watched under their old names.
func (w *watcher) forget(d pendingChanges) {
	if w == nil {
		return
	}
	gone := newArea(maps.Keys(d.paths))
	for dir := range w.dirs {
		if gone.covers(dir) {
			delete(w.dirs, dir)
			w.remove(dir)
		}
	}
	if d.all {
		w.last = joined(w.last, w.dirs) // a failed check may have left some
		w.dirs = map[string]bool{}
	}
}

// remove ends a watch, which may have ended by itself.
func (w *watcher) remove(dir string) {
	err := w.fs.Remove(dir)
	if err != nil && !errors.Is(err, fsnotify.ErrNonExistentWatch) && !errors.Is(err, syscall.EINVAL) {
		w.fail(err)
	}
}

// parents watches the parent folders of the manuals and reports whether it added a watch.
func (w *watcher) parents(manuals []corpus.Manual) (added bool) {
	if w == nil {
		return false
	}
	for _, m := range manuals {
		if dir := filepath.Dir(m.Dir); !w.dirs[dir] {
			w.add(dir)
			added = true
		}
	}
	return added
}

// enter watches the folders of a manual as they are walked into.
func (w *watcher) enter(m corpus.Manual) func(dir string) {
	if w == nil {
		return nil
	}
	return func(dir string) { w.add(filepath.Join(m.Dir, filepath.FromSlash(dir))) }
}

// add watches a folder. The walk reports folders that are gone or unreadable.
func (w *watcher) add(dir string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.err != nil {
		return
	}
	err := w.fs.Add(dir)
	switch {
	case err == nil:
		w.dirs[dir] = true
	case errors.Is(err, fs.ErrNotExist), errors.Is(err, fs.ErrPermission), errors.Is(err, syscall.ENOTDIR):
	default:
		w.fail(err)
	}
}

func (w *watcher) fail(err error) {
	if w.err == nil {
		w.err = err
	}
}

// prune ends the watches of folders that a full check did not find. Since the system treats both
// names of a renamed folder as one watch, it adds all remaining folders again.
func (w *watcher) prune() {
	stale := false
	for dir := range w.last {
		if !w.dirs[dir] {
			w.remove(dir)
			stale = true
		}
	}
	w.last = nil
	if !stale {
		return
	}
	for dir := range w.dirs {
		w.add(dir)
	}
}

// finishWatch prunes the watches after a scan of d and drops a watcher that failed.
func (x *Index) finishWatch(w *watcher, d pendingChanges) {
	x.mu.Lock()
	x.noFolders = len(x.manuals) == 0
	x.mu.Unlock()
	if w == nil {
		return
	}
	if d.all {
		w.prune()
	}
	if w.err == nil {
		return
	}
	w.fs.Close()
	x.mu.Lock()
	x.unwatched(w.err)
	x.mu.Unlock()
}
