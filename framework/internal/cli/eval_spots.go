package cli

import (
	"github.com/sagasu-search/sagasu/framework/internal/eval"
	"github.com/sagasu-search/sagasu/sdk/snapshot"
)

// spot is where a section starts; line 0 stands for a JSON file, whose hits
// are on any of its lines.
type spot struct {
	manual, path string
	line         int
}

// spots finds sections by where they start.
type spots map[spot]uint32

func spotsOf(snap *snapshot.Snapshot) spots {
	out := make(spots)
	for it := snap.Live().Iterator(); it.HasNext(); {
		sec, ok := snap.Section(it.Next())
		if !ok {
			continue
		}
		p := spot{sec.Group, sec.Path, sec.Start}
		if sec.Node == snapshot.NodeJSON {
			p.line = 0
		}
		out[p] = sec.ID
	}
	return out
}

// text is a section's title and own text.
func (b *bench) text(t eval.Target) string {
	id, ok := b.spots[spot{t.ManualID, t.Path, t.StartLine}]
	if !ok {
		id, ok = b.spots[spot{t.ManualID, t.Path, 0}]
	}
	if !ok {
		return ""
	}
	return t.Heading + "\n" + b.view.Snapshot.Source(id, snapshot.FieldBody)
}
