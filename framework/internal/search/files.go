package search

import (
	"iter"

	"github.com/sagasu-search/sagasu/sdk/snapshot"
)

// fileName names a file of a manual.
type fileName struct{ manual, path string }

// digestBytes is how much of the hash of a file a trace keeps.
const digestBytes = 8

// files yields the files that the trace names sections of, each once.
func (t *Trace) files() iter.Seq[fileName] {
	return func(yield func(fileName) bool) {
		seen := map[fileName]bool{}
		first := func(manual, path string) bool {
			f := fileName{manual, path}
			if seen[f] {
				return true
			}
			seen[f] = true
			return yield(f)
		}
		for _, c := range t.Candidates {
			if !first(c.ManualID, c.Path) {
				return
			}
		}
		left, _ := t.Unscanned.files() // checked where they come from a file
		for _, f := range left {
			if !first(f.ManualID, f.Path) {
				return
			}
		}
	}
}

// digests returns the first bytes of the hash of each file, zeros where the file is not in snap.
func (t *Trace) digests(snap *snapshot.Snapshot) []byte {
	out, hashes := []byte{}, hashesOf(snap)
	for f := range t.files() {
		hash := hashes[f]
		out = append(out, hash[:]...)
	}
	return out
}

// hashesOf returns the first bytes of the hash of every file.
func hashesOf(snap *snapshot.Snapshot) map[fileName][digestBytes]byte {
	out := map[fileName][digestBytes]byte{}
	for f := range snap.Files() {
		out[fileName{f.Group, f.Path}] = [digestBytes]byte(f.SHA256[:])
	}
	return out
}

// changed returns what reports whether a file is not what it was when the trace was made.
func (t *Trace) changed(snap *snapshot.Snapshot) func(manual, path string) bool {
	t.wait()
	now, then, i := hashesOf(snap), map[fileName][digestBytes]byte{}, 0
	for f := range t.files() {
		if i == len(t.Digests) { // the trace could not be finished
			break
		}
		then[f] = [digestBytes]byte(t.Digests[i:])
		i += digestBytes
	}
	return func(manual, path string) bool {
		was, known := then[fileName{manual, path}]
		return known && was != now[fileName{manual, path}]
	}
}
