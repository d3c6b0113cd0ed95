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
	// sweepEvery is how often all files are looked at although the system
	// reports changes, as it may miss some: above all of a folder that holds the
	// manuals' folder, and on file systems of other machines.
	sweepEvery = time.Minute
	// rewatchAfter is when watching is tried again after it failed.
	rewatchAfter = 10 * time.Minute
)

// watcher has the system report changes in folders. All but its events is
// guarded by the update lock; its methods do nothing on nil.
type watcher struct {
	fs *fsnotify.Watcher

	mu   sync.Mutex // guards dirs and err while several manuals are walked
	dirs map[string]bool
	last map[string]bool // what dirs was before a look at everything
	err  error           // why it is of no use any more
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
		if err != nil { // nobody hears of changes any more: the next look finds the watcher broken
			if x.lockUpdates(x.ctx) == nil {
				w.fail(err)
				x.unlockUpdates()
			}
			x.addPending(pendingChanges{all: true})
		}
		return err
	})
}

// unwatched remembers why changes are not reported. The caller holds mu and the update
// lock.
func (x *Index) unwatched(err error) {
	x.watcher, x.watchAgain = nil, time.Now().Add(rewatchAfter)
	x.watchError = "the system does not report changes, so files are checked at most once a second: " + err.Error()
	if errors.Is(err, syscall.ENOSPC) || errors.Is(err, syscall.EMFILE) {
		x.watchError += "; raise fs.inotify.max_user_watches and fs.inotify.max_user_instances"
	}
	x.log.Warn("files are not watched", "reason", x.watchError)
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

// startNew starts an update; false when an older one is still under way.
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

// watching returns the watcher in use, nil for none. The caller holds the update lock.
func (x *Index) watching() *watcher {
	x.mu.Lock()
	defer x.mu.Unlock()
	return x.watcher
}

// forget drops the watches at and below d before it is looked at again: a
// folder that was renamed is watched under its old name, below it too.
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
		w.last = joined(w.last, w.dirs)
		w.dirs = map[string]bool{}
	}
}

// joined returns a with the keys of b, as a look that failed leaves some behind.
func joined(a, b map[string]bool) map[string]bool {
	if a == nil {
		return b
	}
	maps.Copy(a, b)
	return a
}

// remove ends a watch, which may have ended by itself.
func (w *watcher) remove(dir string) {
	err := w.fs.Remove(dir)
	if err != nil && !errors.Is(err, fsnotify.ErrNonExistentWatch) && !errors.Is(err, syscall.EINVAL) {
		w.fail(err)
	}
}

// parents watches the folders that hold the manuals' and reports whether one is
// watched newly.
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

// add watches a folder. One that is gone or closed to us is reported by the walk.
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

// prune ends the watches of folders that a look at everything did not meet.
// The system knows a renamed folder under both names as one, so that all others
// are added again.
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
