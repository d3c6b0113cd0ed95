package main

import (
	"cmp"
	"context"
	"math"
	"os"
	"path/filepath"
	"slices"

	"github.com/RoaringBitmap/roaring/v2"

	"github.com/sagasu-search/sagasu/sdk/snapshot"
)

// index is the morphemes of one snapshot.
type index struct {
	of    string // the snapshot, see identity
	parts []indexed
	mean  float64 // mean length of a section
}

// indexed is a part at its place.
type indexed struct {
	*part
	file string
	base uint32
}

// identity tells a snapshot from any other.
func identity(snap *snapshot.Snapshot) string { return filepath.Join(snap.Dir(), snap.Name()) }

// build indexes a snapshot; the parts of segments that old or the directory holds are
// taken from there.
func (a *analyser) build(ctx context.Context, root *os.Root, snap *snapshot.Snapshot, old *index) (*index, error) {
	x := &index{of: identity(snap)}
	var names []string
	for _, segment := range snap.Segments() {
		name := fileName(snap.Kind(), segment.Info())
		p := old.part(name)
		if p == nil {
			p = load(ctx, root, name, segment.Len())
		}
		if p == nil {
			var err error
			if p, err = a.analyse(ctx, snap, segment); err != nil {
				return nil, err
			}
			save(ctx, root, name, p)
		}
		x.parts, names = append(x.parts, indexed{p, name, segment.Base()}), append(names, name)
	}
	retire(root, snap.Kind(), names)
	x.mean = x.meanLength()
	return x, nil
}

// part is the part that a file holds, nil when it is none of x.
func (x *index) part(file string) *part {
	if x == nil {
		return nil
	}
	for _, p := range x.parts {
		if p.file == file {
			return p.part
		}
	}
	return nil
}

func (x *index) meanLength() float64 {
	sum, n := 0.0, 0
	for _, p := range x.parts {
		for _, length := range p.Lengths {
			sum += float64(length)
		}
		n += len(p.Lengths)
	}
	return max(sum, 1) / float64(max(n, 1))
}

// Parameters of BM25, chosen on JSQuAD and JaQuAD.
const (
	k1 = 0.9
	b  = 0.4
)

// hit is a section with its score.
type hit struct {
	section uint32
	score   float64
	terms   []string
}

// search scores the sections of scope that hold a term, by BM25 (Robertson and Zaragoza
// 2009), best first.
func (x *index) search(scope *roaring.Bitmap, terms []string) []hit {
	n := 0
	for _, p := range x.parts {
		n += len(p.Lengths)
	}
	found := map[uint32]*hit{}
	for _, term := range terms {
		df := 0
		for _, p := range x.parts {
			df += len(p.Terms[term])
		}
		idf := math.Log(1 + (float64(n-df)+0.5)/(float64(df)+0.5))
		for _, p := range x.parts {
			for _, at := range p.Terms[term] {
				id, tf := p.base+at.Local, float64(at.Count)
				if !scope.Contains(id) {
					continue
				}
				h := found[id]
				if h == nil {
					h = &hit{section: id}
					found[id] = h
				}
				h.score += idf * tf / (tf + k1*(1-b+b*float64(p.Lengths[at.Local])/x.mean))
				h.terms = append(h.terms, term)
			}
		}
	}
	return ranked(found)
}

func ranked(found map[uint32]*hit) []hit {
	out := make([]hit, 0, len(found))
	for _, h := range found {
		out = append(out, *h)
	}
	slices.SortFunc(out, func(a, b hit) int {
		return cmp.Or(cmp.Compare(b.score, a.score), cmp.Compare(a.section, b.section))
	})
	return out
}
