package main

import (
	"bytes"
	"cmp"
	"context"
	"math"
	"path/filepath"
	"slices"

	"github.com/RoaringBitmap/roaring/v2"

	"github.com/sagasu-search/sagasu/sdk/snapshot"
	"github.com/sagasu-search/sagasu/sdk/x/state"
)

// index contains the morphemes of one snapshot.
type index struct {
	of    string // the snapshot, see identity
	parts []indexed
	mean  float64 // mean length of a section
}

// indexed is a part with its place in the snapshot.
type indexed struct {
	*part
	key  string // of its file
	base uint32
}

// identity identifies a snapshot.
func identity(snap *snapshot.Snapshot) string { return filepath.Join(snap.Dir(), snap.Name()) }

// extension is the extension of a part's file.
const extension = ".morphemes"

// build indexes a snapshot. It takes parts of segments from old or the directory if they are there.
func (a *analyser) build(ctx context.Context, files *state.Store, snap *snapshot.Snapshot, old *index) (*index, error) {
	x := &index{of: identity(snap)}
	var keys []string
	for _, segment := range snap.Segments() {
		key := state.SegmentKey(version, segment.Info())
		p := old.part(key)
		if p == nil {
			p = state.Load(files, key, extension, func(data []byte) (*part, error) {
				return decode(data, segment.Len())
			})
		}
		if p == nil {
			var err error
			if p, err = a.analyse(ctx, snap, segment); err != nil {
				return nil, err
			}
			files.Keep(key, extension, bytes.NewReader(p.encode()))
		}
		x.parts, keys = append(x.parts, indexed{p, key, segment.Base()}), append(keys, key)
	}
	files.Retire(extension, keys)
	x.mean = x.meanLength()
	return x, nil
}

// part returns the part of a key, or nil.
func (x *index) part(key string) *part {
	if x == nil {
		return nil
	}
	for _, p := range x.parts {
		if p.key == key {
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
}

// search scores the sections of scope that contain a term by BM25 (Robertson and Zaragoza 2009) and returns at most
// limit of them, best first.
func (x *index) search(scope *roaring.Bitmap, terms []string, limit int) []hit {
	weights := make([]float64, len(terms))
	for i, term := range terms {
		weights[i] = x.idf(term)
	}
	var found []hit
	for _, p := range x.parts {
		for local, score := range p.score(terms, weights, x.mean) {
			if id := p.base + uint32(local); score > 0 && scope.Contains(id) {
				found = append(found, hit{id, score})
			}
		}
	}
	slices.SortFunc(found, func(a, b hit) int {
		return cmp.Or(cmp.Compare(b.score, a.score), cmp.Compare(a.section, b.section))
	})
	return found[:min(len(found), limit)]
}

// idf returns the inverse document frequency of a term for BM25, above 0.
func (x *index) idf(term string) float64 {
	n, df := 0, 0
	for _, p := range x.parts {
		n, df = n+len(p.Lengths), df+len(p.Terms[term])
	}
	return math.Log(1 + (float64(n-df)+0.5)/(float64(df)+0.5))
}

// score returns the scores of all sections of the part.
func (p *part) score(terms []string, weights []float64, mean float64) []float64 {
	out := make([]float64, len(p.Lengths))
	for i, term := range terms {
		for _, at := range p.Terms[term] {
			tf := float64(at.Count)
			out[at.Local] += weights[i] * tf / (tf + k1*(1-b+b*float64(p.Lengths[at.Local])/mean))
		}
	}
	return out
}

func (x *index) held(section uint32, terms []string) []string {
	var out []string
	for _, p := range x.parts {
		if section < p.base || section-p.base >= uint32(len(p.Lengths)) {
			continue
		}
		for _, term := range terms {
			byLocal := func(at posting, local uint32) int { return cmp.Compare(at.Local, local) }
			if _, ok := slices.BinarySearchFunc(p.Terms[term], section-p.base, byLocal); ok {
				out = append(out, term)
			}
		}
	}
	return out
}
