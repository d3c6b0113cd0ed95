package eval

import (
	"github.com/sagasu-search/sagasu/framework/internal/search"
	"github.com/sagasu-search/sagasu/sdk/snapshot"
)

// gone is the warning for queries with a section that the manuals do not have.
const gone = "a section that was judged is not in the manuals any more, and counts as not found"

// Present returns queries with the current places of their judged sections in a snapshot, since files may have changed
// after they were judged, and the number of queries with a section that is gone. A section is identified by its
// heading, or by its line if it has none.
func Present(snap *snapshot.Snapshot, queries []Query) (out []Query, lost int) {
	for _, q := range queries {
		relevant, all := make([]Target, len(q.Relevant)), true
		for i, t := range q.Relevant {
			var ok bool
			relevant[i], ok = t.Present(snap)
			all = all && ok
		}
		if q.Relevant = relevant; !all {
			lost++
		}
		out = append(out, q)
	}
	return out, lost
}

// Present returns a section at its current place in a snapshot, or unchanged if it is gone.
func (t Target) Present(snap *snapshot.Snapshot) (now Target, ok bool) {
	sec, ok := search.Meant(snap, t.ManualID, t.Path, t.StartLine, t.Heading)
	if ok && sec.Start != t.StartLine {
		t.StartLine, t.EndLine = sec.Start, sec.OwnEnd
	}
	return t, ok
}
