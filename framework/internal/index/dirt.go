package index

import (
	"maps"
	"path/filepath"
)

// dirt is where files may differ from what is known of them.
type dirt struct {
	all   bool            // anywhere
	paths map[string]bool // absolute, as stored on disk: at or below these
}

func (d *dirt) none() bool { return !d.all && len(d.paths) == 0 }

func (d *dirt) add(path string) {
	if d.paths == nil {
		d.paths = map[string]bool{}
	}
	d.paths[path] = true
}

func (d *dirt) join(other dirt) {
	d.all = d.all || other.all
	if d.paths == nil {
		d.paths = other.paths
		return
	}
	maps.Copy(d.paths, other.paths)
}

// covers tells that path is one of paths or below one of them.
func covers(paths map[string]bool, path string) bool {
	for {
		if paths[path] {
			return true
		}
		parent := filepath.Dir(path)
		if parent == path {
			return false
		}
		path = parent
	}
}

// soil makes the next look at the files include d.
func (x *Index) soil(d dirt) {
	x.mu.Lock()
	x.dirt.join(d)
	x.mu.Unlock()
}

// takeDirt is what is to be looked at now: everything when nobody tells of
// changes. What it takes must be soiled again if the look fails.
func (x *Index) takeDirt() dirt {
	x.mu.Lock()
	defer x.mu.Unlock()
	d := x.dirt
	x.dirt = dirt{}
	d.all = d.all || !x.told()
	return d
}
