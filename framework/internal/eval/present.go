package eval

import (
	"github.com/sagasu-search/sagasu/framework/internal/search"
	"github.com/sagasu-search/sagasu/sdk/snapshot"
)

// gone warns of queries with a section that the manuals do not hold.
const gone = "a section that was judged is not in the manuals any more, and counts as not found"

// Present returns queries with their judged sections where a snapshot has them, since files may have changed after
// they were judged, and how many queries name a section that is gone. A section is known by its heading; one
// without a heading by its line.
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

// Present returns a section where a snapshot has it; as it is where the section is gone.
func (t Target) Present(snap *snapshot.Snapshot) (now Target, ok bool) {
	sec, ok := search.Meant(snap, t.ManualID, t.Path, t.StartLine, t.Heading)
	if ok && sec.Start != t.StartLine {
		t.StartLine, t.EndLine = sec.Start, sec.OwnEnd
	}
	return t, ok
}
