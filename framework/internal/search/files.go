package search

import (
	"iter"
	"strings"
	"sync"

	"github.com/sagasu-search/sagasu/sdk/snapshot"
)

// fileName names a file of a manual.
type fileName struct{ manual, path string }

// digestBytes is how much of the hash of a file a trace keeps.
const digestBytes = 8

// files yields the files of the candidates and those of left, each once.
func (t *Trace) files(left []unscannedFile) iter.Seq[fileName] {
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
		for _, f := range left {
			if !first(f.ManualID, f.Path) {
				return
			}
		}
	}
}

// fileDigest is the first bytes of the hash of a file, and its number among the files of the snapshot.
type fileDigest struct {
	number int
	hash   [digestBytes]byte
}

// fileDigests keeps those of the newest snapshot: a corpus has thousands of files, and every trace asks for some.
type fileDigests struct {
	mu        sync.Mutex
	dir, name string // of the snapshot
	all       fileTable
}

// fileTable holds digests by manual and path: of files that are asked for one after another most are of one manual.
type fileTable struct {
	manuals map[string]map[string]fileDigest
	size    int
}

func (t *fileTable) add(manual, path string, hash [digestBytes]byte) {
	if t.manuals[manual] == nil {
		t.manuals[manual] = map[string]fileDigest{}
	}
	t.manuals[manual][path] = fileDigest{t.size, hash}
	t.size++
}

// of returns the digest of every file; read only.
func (d *fileDigests) of(snap *snapshot.Snapshot) fileTable {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.all.manuals != nil && d.dir == snap.Dir() && d.name == snap.Name() {
		return d.all
	}
	all, manual := fileTable{manuals: map[string]map[string]fileDigest{}}, ""
	for f := range snap.Files() {
		if f.Group != manual { // one copy for all files of a manual
			manual = strings.Clone(f.Group)
		}
		all.add(manual, strings.Clone(f.Path), [digestBytes]byte(f.SHA256[:]))
	}
	d.dir, d.name, d.all = snap.Dir(), snap.Name(), all
	return all
}

// digester gathers the digests of files in the order of [Trace.files] with all that was left out.
type digester struct {
	known  fileTable
	manual string                // of the last file
	paths  map[string]fileDigest // of its files
	seen   []bool                // by number
	others map[fileName]bool     // seen, and not in the snapshot
	out    []byte
}

func newDigester(known fileTable) *digester {
	return &digester{known: known, seen: make([]bool, known.size), others: map[fileName]bool{}, out: []byte{}}
}

// add appends the digest of a file that it has not seen yet, zeros where the snapshot lacks it.
func (d *digester) add(manual, path string) {
	if manual != d.manual || d.paths == nil {
		d.manual, d.paths = manual, d.known.manuals[manual]
	}
	f := fileName{manual, path}
	digest, ok := d.paths[path]
	if ok && d.seen[digest.number] || !ok && d.others[f] {
		return
	}
	if ok {
		d.seen[digest.number] = true
	} else {
		d.others[f] = true
	}
	d.out = append(d.out, digest.hash[:]...)
}

// changed returns what reports whether a file is not what it was when the trace was made. It reads what was left out
// when it is asked for a file that no candidate lies in.
func (t *Trace) changed(now fileTable) func(manual, path string) bool {
	then, all := t.digests(nil), sync.OnceValue(func() map[fileName][digestBytes]byte { return t.digests(t.refs()) })
	return func(manual, path string) bool {
		f := fileName{manual, path}
		was, known := then[f]
		if !known {
			was, known = all()[f]
		}
		return known && was != now.manuals[manual][path].hash
	}
}

// digests are those of the files of the candidates and of left, which is nothing or all that was left out.
func (t *Trace) digests(left []unscannedFile) map[fileName][digestBytes]byte {
	t.wait()
	out, i := map[fileName][digestBytes]byte{}, 0
	for f := range t.files(left) {
		if i == len(t.Digests) { // the trace could not be finished
			break
		}
		out[f] = [digestBytes]byte(t.Digests[i:])
		i += digestBytes
	}
	return out
}
