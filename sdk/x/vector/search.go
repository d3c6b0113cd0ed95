package vector

import (
	"context"
	"encoding/binary"
	"errors"
	"math"
	"runtime"
	"slices"
	"sort"
	"sync/atomic"

	"github.com/RoaringBitmap/roaring/v2"

	"github.com/sagasu-search/sagasu/sdk/lexical"
	"github.com/sagasu-search/sagasu/sdk/x/guard"
)

// Query is a vector to compare with. Its components have more steps than those of a [Set], so that only the set's
// rounding matters.
//
// Its layout lets one multiplication do the work of two. With the codes c₀ and c₁ of a row in the lower and the upper
// half of a word, and the query's q₁ and q₀ in the same way, the upper half of the product is c₀q₀ + c₁q₁. The lower
// half, c₀q₁, is small enough to be separated even after many are summed.
type Query struct {
	words []uint64 // four for eight components; those at i and i+4 are in the upper and lower half
	sum   int64    // of the components, to subtract the codes' zero
	scale float64
}

// NewQuery quantises a finite vector.
func NewQuery(v []float32) Query {
	var most float64
	for _, x := range v {
		most = max(most, math.Abs(float64(x)))
	}
	steps := float64(stepsFor(len(v)))
	codes := make([]int64, stride(len(v)))
	q := Query{scale: most / steps}
	for i, x := range v {
		if most > 0 {
			codes[i] = int64(math.RoundToEven(float64(x) / most * steps))
			q.sum += codes[i]
		}
	}
	for ; len(codes) > 0; codes = codes[8:] {
		for i := range 4 {
			q.words = append(q.words, uint64(codes[i+4]+codes[i]<<32))
		}
	}
	return q
}

// stepsFor returns the maximum number of steps for which no sum of dim products overflows 32 bits.
func stepsFor(dim int) int {
	return min(math.MaxInt16, math.MaxInt32/(math.MaxUint8*max(dim, 1)))
}

// Score writes the dot product of the query with each of rows, which must be below Len, to out. It does not allocate.
// The query must have the set's dimension.
func (s *Set) Score(q Query, rows []uint32, out []float32) {
	for i, r := range rows {
		out[i] = 0
		if scale := s.scales[r]; scale != 0 {
			out[i] = float32(float64(q.dot(s.row(int(r)))) * q.scale * float64(scale))
		}
	}
}

// dot returns the product of the query's codes and a row's.
func (q *Query) dot(row []byte) int64 {
	const halves = 0x000000FF_000000FF
	var s0, s1, s2, s3 uint64
	for words := q.words; len(row) >= 8 && len(words) >= 4; row, words = row[8:], words[4:] {
		c, w := binary.LittleEndian.Uint64(row), (*[4]uint64)(words)
		s0 += (c & halves) * w[0]
		s1 += (c >> 8 & halves) * w[1]
		s2 += (c >> 16 & halves) * w[2]
		s3 += (c >> 24 & halves) * w[3]
	}
	sum := int64(s0 + s1 + s2 + s3)
	return (sum-int64(int32(sum)))>>32 - zero*q.sum
}

// block is the number of sections that are compared between two checks of the context.
const block = 4096

// Search compares a query with the sections in scope. The parts are in ascending order and are compared in parallel.
// The score of a section is its dot product, or 0 if no part contains it. A section matches if its score is above
// least.
func Search(
	ctx context.Context, parts []Part, q Query, scope *roaring.Bitmap, least float64, limit int,
) (lexical.Result, error) {
	ids := scope.ToArray()
	scores := make([]float32, len(ids))
	n, err := inBlocks(ctx, len(ids), func(lo, hi int) { score(parts, q, ids[lo:hi], scores[lo:hi]) })
	if err != nil {
		return lexical.Result{}, err
	}
	out := lexical.Result{Matched: roaring.New(), Examined: n, Finished: n == len(ids)}
	top := lexical.NewTop(limit)
	matched := ids[:0] // read before it is overwritten
	for i, s := range scores[:n] {
		if float64(s) > least {
			top.Offer(lexical.Hit{Section: ids[i], Score: float64(s)})
			matched = append(matched, ids[i])
		}
	}
	out.Matched.AddMany(matched)
	out.Hits = top.Sorted()
	return out, nil
}

// inBlocks calls f for blocks of n sections in parallel, until all are done or the context ends. It returns the number
// of sections that are done without a gap, from the first on.
func inBlocks(ctx context.Context, n int, f func(lo, hi int)) (done int, err error) {
	var next atomic.Int64
	err = errors.Join(guard.Each(min(runtime.GOMAXPROCS(0), (n+block-1)/block), func(int) error {
		for ctx.Err() == nil {
			lo := int(next.Add(1)-1) * block
			if lo >= n {
				break
			}
			f(lo, min(lo+block, n))
		}
		return nil
	})...)
	return min(int(next.Load())*block, n), err
}

// score compares ids, which ascend, with their parts. The most similar vector of a section counts; a section without
// one scores 0.
func score(parts []Part, q Query, ids []uint32, out []float32) {
	rows := make([]uint32, 0, len(ids))
	scores := make([]float32, len(ids))
	for _, p := range parts {
		end := p.Base + uint32(p.Sections())
		n := sort.Search(len(ids), func(i int) bool { return ids[i] >= end })
		skipped := sort.Search(n, func(i int) bool { return ids[i] >= p.Base })
		rows = rows[:0]
		for _, id := range ids[skipped:n] {
			for from, to := p.rows(id - p.Base); from < to; from++ {
				rows = append(rows, from)
			}
		}
		scores = slices.Grow(scores[:0], len(rows))[:len(rows)]
		p.Set.Score(q, rows, scores)
		at := 0
		for i, id := range ids[skipped:n] {
			from, to := p.rows(id - p.Base)
			if of := scores[at : at+int(to-from)]; len(of) > 0 {
				out[skipped+i] = slices.Max(of)
			}
			at += int(to - from)
		}
		ids, out = ids[n:], out[n:]
	}
}
