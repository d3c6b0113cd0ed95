package index

import "maps"

// pendingChanges says where files may have changed.
type pendingChanges struct {
	all   bool            // anywhere
	paths map[string]bool // absolute, as stored on disk: at or below these
}

func (d *pendingChanges) empty() bool { return !d.all && len(d.paths) == 0 }

func (d *pendingChanges) add(path string) {
	if d.paths == nil {
		d.paths = map[string]bool{}
	}
	d.paths[path] = true
}

func (d *pendingChanges) join(other pendingChanges) {
	d.all = d.all || other.all
	if d.paths == nil {
		d.paths = other.paths
		return
	}
	maps.Copy(d.paths, other.paths)
}

// addPending makes the next look at the files include d.
func (x *Index) addPending(d pendingChanges) {
	x.mu.Lock()
	x.pending.join(d)
	x.mu.Unlock()
}

// takePending returns and clears what to check now: everything if changes are not reported. If the
// check fails, the caller must add it again.
func (x *Index) takePending() pendingChanges {
	x.mu.Lock()
	defer x.mu.Unlock()
	d := x.pending
	x.pending = pendingChanges{}
	d.all = d.all || !x.watched()
	return d
}
