package lexical

import (
	"context"

	"github.com/RoaringBitmap/roaring/v2"

	"github.com/sagasu-search/sagasu/sdk/snapshot"
)

// evaluator processes the sections one window at a time. The sets of a window take a kilobyte each
// and stay in the first-level cache, and each term's postings are read once.
type evaluator struct {
	ctx        context.Context
	snap       *snapshot.Snapshot
	root       node
	leaves     []*leaf
	known      map[leafKey]*leaf
	sections   int    // number of live sections
	searchable Fields // fields that contain anything
	fields     []field
	k1         float32
	accept     roaring.IntPeekable // nil when every section is searched

	seg      *snapshot.Segment
	windowID int    // counts the windows
	lo, hi   uint32 // the window's local sections
	base0    uint32 // the window's first section
	base     set    // the sections of the window that are searched
	scores   [window]float32
	sums     [snapshot.BlockSize]float32
	spare    []set
	texts    int // texts read so far

	top     *Top
	matched *roaring.Bitmap
	ids     []uint32
	out     Result
}

// Evaluate finds exactly the sections of scope (nil for all) that match an expression, and keeps
// the best limit of them.
//
// The score of a section is Σ weight_t · x/(k1 + x) over the conditions that it matches, except
// those below a NoneOf, with x as for [Search] and weight_t the idf of the condition's rarest
// group. A part of an AllOf counts only if the whole AllOf matches.
//
// When ctx ends first, the result holds what was found in the Examined sections of lowest id.
func Evaluate(ctx context.Context, snap *snapshot.Snapshot, scope *roaring.Bitmap, x Expr, p Params, limit int) Result {
	e := newEvaluator(ctx, snap, scope, p, limit)
	e.root = e.compile(x, true)
	for _, seg := range snap.Segments() {
		e.open(seg)
		for lo := uint32(0); lo < seg.Len(); lo += window {
			if ctx.Err() != nil || !e.window(lo, min(lo+window, seg.Len())) {
				return e.result(false)
			}
		}
	}
	return e.result(true)
}

func newEvaluator(ctx context.Context, snap *snapshot.Snapshot, scope *roaring.Bitmap, p Params, limit int) *evaluator {
	e := &evaluator{
		ctx: ctx, snap: snap, known: map[leafKey]*leaf{}, sections: snap.Population(),
		k1: float32(p.K1), top: NewTop(limit), matched: roaring.New(), windowID: -1,
	}
	if in := accept(snap, scope); in != nil {
		e.accept = in.Iterator()
	}
	e.fields, e.spare = make([]field, len(p.Weight)), make([]set, len(p.Weight))
	for f := range e.fields {
		mean := snap.AvgLen(f)
		if mean > 0 {
			e.searchable = e.searchable.With(f)
		}
		e.fields[f] = field{
			weight: float32(p.Weight[f]), fixed: float32(1 - p.B[f]), perToken: float32(p.B[f] / max(mean, 1)),
		}
	}
	return e
}

func (e *evaluator) open(seg *snapshot.Segment) {
	e.seg = seg
	for f := range e.fields {
		e.fields[f].lens = seg.Lengths(f)
	}
	e.root.open(e)
}

// window evaluates the local sections [lo, hi). It returns false when time is up.
func (e *evaluator) window(lo, hi uint32) bool {
	e.lo, e.hi, e.base0, e.windowID = lo, hi, e.seg.Base()+lo, e.windowID+1
	n := e.fill()
	if n == 0 {
		return true
	}
	may := *e.root.candidates(e, &e.base)
	may.and(&e.base)
	if !may.empty() {
		held, ok := e.root.verify(e, &may)
		if !ok {
			return false
		}
		may.and(held)
		e.keep(&may)
	}
	if e.ctx.Err() != nil {
		return false
	}
	e.out.Examined += n
	return true
}

// fill sets base to the sections to search and returns their number.
func (e *evaluator) fill() (n int) {
	if e.accept == nil {
		e.base.fill(e.hi - e.lo)
		return int(e.hi - e.lo)
	}
	e.base = set{}
	for end := e.base0 + e.hi - e.lo; e.accept.HasNext() && e.accept.PeekNext() < end; n++ {
		e.base.add(e.accept.Next() - e.base0)
	}
	return n
}

// keep ranks the matched sections.
func (e *evaluator) keep(matched *set) {
	e.root.mark(e, matched)
	clear(e.scores[:e.hi-e.lo])
	for _, l := range e.leaves {
		l.score(e)
	}
	e.ids = e.ids[:0]
	for i := range matched.all() {
		e.ids = append(e.ids, e.base0+i)
		if score := float64(e.scores[i]); e.top.takes(score) {
			e.top.Offer(Hit{Section: e.base0 + i, Score: score})
		}
	}
	e.matched.AddMany(e.ids)
}

// textsBetweenChecks is the number of texts that are read between two checks of the clock.
const textsBetweenChecks = 64

// expired reports whether time is up. It is called before every text.
func (e *evaluator) expired() bool {
	e.texts++
	return e.texts%textsBetweenChecks == 0 && e.ctx.Err() != nil
}

func (e *evaluator) result(finished bool) Result {
	e.out.Hits, e.out.Matched, e.out.Finished = e.top.Sorted(), e.matched, finished
	return e.out
}
