package state

import (
	"bytes"
	"maps"
	"slices"

	"github.com/hashicorp/go-hclog"

	"github.com/sagasu-search/sagasu/sdk/snapshot"
	"github.com/sagasu-search/sagasu/sdk/x/guard"
)

// Parts are values computed from segments, by the keys of their files.
type Parts[T any] map[string]*T

// Computation computes a value from a segment, which stays valid while the segment is in use.
type Computation[T any] struct {
	// Of identifies the computation. It includes everything that affects the result.
	Of func(*snapshot.Segment) string
	// Ext is the extension of the files.
	Ext     string
	Compute func(*snapshot.Segment) (*T, error)
	Encode  func(*T) ([]byte, error)
	// Decode decodes the result of Encode. If it fails, or panics because of damaged data, the value is computed again.
	Decode func(*snapshot.Segment, []byte) (*T, error)
}

// leastKept is the minimum number of sections in a segment whose value is stored. For fewer, computing takes about as
// long as writing and reading.
const leastKept = 64

// Segments returns the values for a snapshot's segments, in order: those in held, those stored in dir (unless it is
// ""), and otherwise computed ones. now contains all of them. For a collection nothing is stored, because its snapshots
// exist only during one search.
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
