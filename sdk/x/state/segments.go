package state

import (
	"bytes"
	"maps"
	"slices"

	"github.com/hashicorp/go-hclog"

	"github.com/sagasu-search/sagasu/sdk/snapshot"
	"github.com/sagasu-search/sagasu/sdk/x/guard"
)

// Parts are what was computed of segments, by the keys of the files that keep them.
type Parts[T any] map[string]*T

// Computation makes something of one segment, which stays true while the segment is in use.
type Computation[T any] struct {
	// Of names the computation, with all that changes its outcome.
	Of func(*snapshot.Segment) string
	// Ext is the extension of the files.
	Ext     string
	Compute func(*snapshot.Segment) (*T, error)
	Encode  func(*T) ([]byte, error)
	// Decode reads what Encode wrote. An error, or a panic at damaged data, has it computed again.
	Decode func(*snapshot.Segment, []byte) (*T, error)
}

// leastKept is how many sections a segment has at least for what is made of it to be kept: of fewer it is made anew
// sooner than it is read.
const leastKept = 1024

// Segments returns the parts of a snapshot, in the order of its segments: those that are held already, those that are
// kept in dir, "" for none, and else those that are computed. now holds all of them. Of a collection, whose snapshots
// live for one search, nothing is kept.
func (c *Computation[T]) Segments(
	dir string, logger hclog.Logger, snap *snapshot.Snapshot, held Parts[T],
) (parts []*T, now Parts[T], err error) {
	if snap.Manifest().Gathered != nil {
		dir = ""
	}
	files, err := Open(dir, snap.Kind(), logger)
	if err != nil {
		return nil, nil, err
	}
	defer files.Close()
	now = Parts[T]{}
	keeps := false
	for _, seg := range snap.Segments() {
		key := SegmentKey(c.Of(seg), seg.Info())
		part, kept := held[key], seg.Len() >= leastKept
		if part == nil && kept {
			part = Load(files, key, c.Ext, func(data []byte) (out *T, err error) {
				err = guard.Call(func() (err error) { out, err = c.Decode(seg, data); return err })
				return out, err
			})
		}
		if part == nil {
			if part, err = c.Compute(seg); err != nil {
				return nil, nil, err
			}
			if kept {
				data, err := c.Encode(part)
				if err != nil {
					return nil, nil, err
				}
				files.Keep(key, c.Ext, bytes.NewReader(data))
				keeps = true
			}
		}
		parts, now[key] = append(parts, part), part
	}
	if keeps {
		files.Retire(c.Ext, slices.Collect(maps.Keys(now)))
	}
	return parts, now, nil
}
