package search

import (
	"sync"

	"github.com/sagasu-search/sagasu/sdk/snapshot"
)

// fileName names a file of a manual.
type fileName struct{ manual, path string }

// digest is the start of a file's SHA-256, or zero if unknown.
type digest [8]byte

// digestOf returns the digest of a section's file.
func digestOf(snap *snapshot.Snapshot, id uint32) digest {
	f, _ := snap.FileOf(id)
	return digest(f.SHA256[:])
}

// changed returns a function that reports whether a file has changed since the trace was made. It unpacks the
// unscanned files only for a file without candidates.
func (t *Trace) changed(now *snapshot.Snapshot) func(manual, path string) bool {
	candidates := make(map[fileName]digest)
	for _, c := range t.Candidates {
		candidates[fileName{c.ManualID, c.Path}] = c.Digest
	}
	unscanned := sync.OnceValue(func() map[fileName]digest {
		out := make(map[fileName]digest)
		for _, f := range t.refs() {
			out[fileName{f.ManualID, f.Path}] = f.Digest
		}
		return out
	})
	return func(manual, path string) bool {
		was, known := candidates[fileName{manual, path}]
		if !known {
			was, known = unscanned()[fileName{manual, path}]
		}
		if !known {
			return false
		}
		sections := SectionsOf(now, manual, path)
		return sections.IsEmpty() || was != digestOf(now, sections.Minimum())
	}
}
