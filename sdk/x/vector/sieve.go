package vector

import (
	"context"
	"math"
	"math/bits"
	"sort"

	"github.com/RoaringBitmap/roaring/v2"
)

// Sieve narrows a search of very many sections to those whose vectors have nearly the same signs as the query's, after
// subtracting the mean of all vectors. It compares one bit per component, many times faster than [Set.Score]. It is
// safe for concurrent use.
type Sieve struct {
	parts []Part
	mean  []float32
	signs [][]uint64 // for the rows of each part, see words
}

// NewSieve reads the vectors of the parts, which must have one dimension unless they are empty.
func NewSieve(parts []Part) *Sieve {
	s := &Sieve{parts: parts}
	rows := 0
	for _, p := range parts {
		if s.mean == nil && p.Set.Len() > 0 {
			s.mean = make([]float32, p.Set.Dim())
		}
		for row := range p.Set.Len() {
			p.Set.AddTo(s.mean, row, 1)
		}
		rows += p.Set.Len()
	}
	for i := range s.mean {
		s.mean[i] /= float32(rows)
	}
	for _, p := range parts {
		signs := make([]uint64, 0, p.Set.Len()*s.words())
		v := make([]float32, len(s.mean))
		for row := range p.Set.Len() {
			clear(v)
			p.Set.AddTo(v, row, 1)
			signs = s.appendSigns(signs, v)
		}
		s.signs = append(s.signs, signs)
	}
	return s
}

// words returns the length of a row of signs.
func (s *Sieve) words() int { return (len(s.mean) + 63) / 64 }

// appendSigns appends a bit for each component, set if it is above the mean.
func (s *Sieve) appendSigns(to []uint64, v []float32) []uint64 {
	for i, x := range v {
		if i%64 == 0 {
			to = append(to, 0)
		}
		if x > s.mean[i] {
			to[len(to)-1] |= 1 << (i % 64)
		}
	}
	return to
}

// Narrow returns at least keep sections of scope, or all that have vectors: those whose signs differ from the query's
// in the fewest components. If ctx ends, it returns some of them.
func (s *Sieve) Narrow(ctx context.Context, query []float32, scope *roaring.Bitmap, keep int) (*roaring.Bitmap, error) {
	ids, signs := scope.ToArray(), s.appendSigns(nil, query)
	differ := make([]uint16, len(ids))
	n, err := inBlocks(ctx, len(ids), func(lo, hi int) { s.compare(signs, ids[lo:hi], differ[lo:hi]) })
	if err != nil {
		return nil, err
	}
	counts := make([]int, len(s.mean)+1)
	for _, d := range differ[:n] {
		if int(d) < len(counts) {
			counts[d]++
		}
	}
	most := 0
	for left := keep; most < len(counts)-1; most++ {
		if left -= counts[most]; left <= 0 {
			break
		}
	}
	kept := ids[:0] // read before it is overwritten
	for i, d := range differ[:n] {
		if int(d) <= most {
			kept = append(kept, ids[i])
		}
	}
	out := roaring.New()
	out.AddMany(kept)
	return out, nil
}

// compare sets the number of components in which the signs of ids, which ascend, differ from a query's. The nearest
// vector of a section counts; a section without one gets a number above any other.
func (s *Sieve) compare(query []uint64, ids []uint32, out []uint16) {
	for i, p := range s.parts {
		end := p.Base + uint32(p.Sections())
		n := sort.Search(len(ids), func(i int) bool { return ids[i] >= end })
		for j, id := range ids[:n] {
			out[j] = math.MaxUint16
			if id < p.Base {
				continue
			}
			for from, to := p.rows(id - p.Base); from < to; from++ {
				differ := 0
				for k, word := range s.signs[i][int(from)*len(query):][:len(query)] {
					differ += bits.OnesCount64(word ^ query[k])
				}
				out[j] = min(out[j], uint16(differ))
			}
		}
		ids, out = ids[n:], out[n:]
	}
	for j := range out {
		out[j] = math.MaxUint16
	}
}
