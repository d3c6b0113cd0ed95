package index

import "maps"

// pendingChanges says where files may have changed.
type pendingChanges struct {
	all   bool            // anywhere
	paths map[string]bool // absolute, as stored on disk: at or below these
}

func (d *pendingChanges) empty() bool { return !d.all && len(d.paths) == 0 }

// joined adds the keys of b to a, or to a new set if a is nil, and returns the result.
func joined(a, b map[string]bool) map[string]bool {
	if a == nil {
		a = make(map[string]bool, len(b))
	}
	maps.Copy(a, b)
	return a
}

// addPending makes the next look at the files include d.
func (x *Index) addPending(d pendingChanges) {
	x.mu.Lock()
	defer x.mu.Unlock()
	x.pending.all = x.pending.all || d.all
	x.pending.paths = joined(x.pending.paths, d.paths)
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
