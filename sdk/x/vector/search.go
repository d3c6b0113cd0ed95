package vector

import (
	"context"
	"runtime"
	"sort"
	"sync"
	"sync/atomic"

	"github.com/RoaringBitmap/roaring/v2"

	"github.com/sagasu-search/sagasu/sdk/lexical"
)

// Part is a set whose row r is the vector of section Base+r.
type Part struct {
	Base uint32
	Set  *Set
}

// Result is what a search found.
type Result struct {
	// Hits are the sections with the highest products above the least, best first,
	// ties by section id.
	Hits []lexical.Hit
	// Matched holds every section with a product above the least.
	Matched *roaring.Bitmap
	// Examined counts the sections that were compared, lowest ids first.
	Examined int
	// Finished is false when the context ended first.
	Finished bool
}

// block is how many sections are compared between two looks at the context.
const block = 4096

// Search compares a query with the sections in scope, which the parts hold in
// ascending order, and keeps the best limit of those whose dot product is above
// least. The parts are compared in parallel.
func Search(ctx context.Context, parts []Part, q Query, scope *roaring.Bitmap, least float64, limit int) Result {
	ids := scope.ToArray()
	scores := make([]float32, len(ids))
	n := scoreAll(ctx, parts, q, ids, scores)
	out := Result{Matched: roaring.New(), Examined: n, Finished: n == len(ids)}
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
	return out
}

// scoreAll fills in scores, block by block in order, until all are done or the
// context ends, and gives how many it filled in.
func scoreAll(ctx context.Context, parts []Part, q Query, ids []uint32, scores []float32) int {
	blocks := (len(ids) + block - 1) / block
	var next atomic.Int64
	work := func() {
		for ctx.Err() == nil {
			lo := int(next.Add(1)-1) * block
			if lo >= len(ids) {
				return
			}
			hi := min(lo+block, len(ids))
			score(parts, q, ids[lo:hi], scores[lo:hi])
		}
	}
	var wg sync.WaitGroup
	for range min(runtime.GOMAXPROCS(0), blocks) - 1 {
		wg.Go(work)
	}
	work()
	wg.Wait()
	return min(int(next.Load())*block, len(ids))
}

// score compares ids, which ascend, with the part that each lies in.
func score(parts []Part, q Query, ids []uint32, out []float32) {
	var rows [block]uint32
	for _, p := range parts {
		end := p.Base + uint32(p.Set.Len())
		n := sort.Search(len(ids), func(i int) bool { return ids[i] >= end })
		for i, id := range ids[:n] {
			rows[i] = id - p.Base
		}
		p.Set.Score(q, rows[:n], out[:n])
		ids, out = ids[n:], out[n:]
	}
}
