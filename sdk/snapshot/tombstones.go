package snapshot

import (
	"slices"

	"github.com/RoaringBitmap/roaring/v2"
)

// Tombstones are per file, because files are what changes: the manifest lists the rows of a segment's file table that
// are deleted, and with them their sections.

// bury reads the tombstones of the segment from the manifest.
func (g *Segment) bury(info SegmentInfo, manifest string) error {
	g.info = info
	if len(info.Deleted) == 0 {
		return nil
	}
	dead, err := decodeIDs(info.Deleted, g.meta.Files)
	if err != nil {
		return (&damage{file: manifest}).errorf("tombstones", "%v", err)
	}
	g.dead, g.deleted = dead, roaring.New()
	for it := dead.Iterator(); it.HasNext(); {
		row := g.files[it.Next()]
		end := min(uint64(row.First)+uint64(row.Count), uint64(g.Len()))
		g.deleted.AddRange(uint64(row.First), max(end, uint64(row.First)))
	}
	for it := g.deleted.Iterator(); it.HasNext(); {
		id := it.Next()
		for f, lengths := range g.lengths {
			g.meta.Tokens[f] -= min(uint64(lengths[id]), g.meta.Tokens[f])
		}
	}
	return nil
}

// deadIn returns the number of deleted sections in an encoded list. It decodes only the blocks that may contain one.
func (g *Segment) deadIn(list []byte) (n int) {
	if g.deleted == nil {
		return 0
	}
	var p Postings
	if !p.open(g, list) {
		return 0
	}
	for it := g.deleted.Iterator(); it.HasNext(); {
		id := it.Next()
		if !p.NextAt(id) {
			break
		}
		if _, ok := slices.BinarySearch(p.Docs, id); ok {
			n++
		}
		it.AdvanceIfNeeded(p.Docs[0])
	}
	return n
}

// holds reports whether file i is not deleted.
func (g *Segment) holds(i int) bool { return g.dead == nil || !g.dead.Contains(uint32(i)) }

// Info returns the segment's entry in the manifest.
func (g *Segment) Info() SegmentInfo { return g.info }

// Delete returns the segment's entry for a later manifest, with the files that doomed selects
// deleted too. left is the number of remaining files.
func (g *Segment) Delete(doomed func(group, path string) bool) (info SegmentInfo, left int, err error) {
	dead := roaring.New()
	if g.dead != nil {
		dead.Or(g.dead)
	}
	for i := range g.files {
		if !g.holds(i) {
			continue
		}
		if doomed(g.groups.at(i), g.paths.at(i)) {
			dead.Add(uint32(i))
		} else {
			left++
		}
	}
	info, err = g.info.WithDeleted(dead)
	return info, left, err
}
