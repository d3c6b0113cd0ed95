package space

import (
	"context"
	"fmt"
	"slices"

	"github.com/sagasu-search/sagasu/sdk/embed"
	"github.com/sagasu-search/sagasu/sdk/snapshot"
	"github.com/sagasu-search/sagasu/sdk/x/state"
	"github.com/sagasu-search/sagasu/sdk/x/vector"
)

// Ext is the extension of vector files.
const Ext = ".vectors"

// Encoder computes the vectors of one space, which are comparable.
type Encoder interface {
	// ID is equal for comparable vectors.
	ID() string
	// Segment returns the vectors of all sections of a segment, with base 0. It may first publish consecutive parts of
	// them, starting with the first section.
	Segment(
		ctx context.Context, snap *snapshot.Snapshot, seg *snapshot.Segment, publish func(vector.Part),
	) (vector.Part, error)
}

// Segment contains the vectors of a segment, with the key of their file.
type Segment struct {
	Key string
	vector.Part
}

// Parts returns the vectors of segments in order, for searching.
func Parts(segments []Segment) (parts []vector.Part) {
	for _, s := range segments {
		parts = append(parts, s.Part)
	}
	return parts
}

// Segments returns the vectors of a snapshot: those in held, those stored in files, and otherwise those that e
// computes, which are then stored. publish gets the parts as they become available, in order. Errors are those of e;
// segments that were complete before are kept.
func Segments(
	ctx context.Context, snap *snapshot.Snapshot, files *state.Store, e Encoder, held []Segment,
	publish func(vector.Part),
) (out []Segment, err error) {
	keys, dim, mixed := Keys(snap, e.ID()), 0, false
	look := func(p vector.Part) { // a service may replace its model by another one
		if n := p.Set.Dim(); p.Set.Len() > 0 {
			dim, mixed = n, mixed || dim > 0 && n != dim
		}
		publish(p)
	}
	for i, seg := range snap.Segments() {
		s := Segment{Key: keys[i]}
		if at := slices.IndexFunc(held, func(h Segment) bool { return h.Key == s.Key }); at >= 0 {
			s.Part = held[at].Part
		} else if kept := state.Load(files, s.Key, Ext, vector.DecodePart); kept != nil {
			s.Part = *kept
		}
		if s.Set == nil || s.Sections() != int(seg.Len()) {
			s.Part, err = e.Segment(ctx, snap, seg, func(p vector.Part) {
				p.Base += seg.Base()
				look(p)
			})
			if err == nil && mixed {
				err = errMixed
			}
			if err != nil {
				return nil, err
			}
			files.Keep(s.Key, Ext, s.Part)
			s.Base = seg.Base()
		} else {
			s.Base = seg.Base()
			look(s.Part)
		}
		out = append(out, s)
	}
	if mixed {
		return nil, errMixed
	}
	return out, nil
}

// errMixed means that vectors were computed by several models.
var errMixed = fmt.Errorf("vectors differ in their number of numbers: %w", embed.ErrAnswer)

// Keys returns the keys for the vectors of a snapshot's segments in a space.
func Keys(snap *snapshot.Snapshot, id string) (keys []string) {
	for _, info := range snap.Manifest().Segments {
		keys = append(keys, state.SegmentKey(id, info))
	}
	return keys
}
