// Expand: widens a search with weak results step by step and fuses all results again.

package search

import (
	"cmp"
	"context"
	"slices"

	"github.com/RoaringBitmap/roaring/v2"

	"github.com/sagasu-search/sagasu/sdk"
	"github.com/sagasu-search/sagasu/sdk/snapshot"
	"github.com/sagasu-search/sagasu/sdk/x/refer"
)

// anchors is how many of the best sections an expansion starts from.
const anchors = 10

// step is one way to find more. Each step searches only sections that have not matched yet, so that
// matched sections keep their raw scores.
type step func(ctx context.Context, r *run, in retrieved, best []uint32) retrieved

// expand widens a search step by step and returns all results. grown reports whether anything was
// added. If a strategy fails here, only its additions are lost.
func expand(ctx context.Context, r *run, f fused) (out retrieved, grown bool) {
	steps := []step{reword, searchAround}
	if r.query.Intent == sdk.IntentExceptions {
		steps = append(steps, searchExceptions)
	}
	var best []uint32
	for _, s := range f.ranked[:min(anchors, len(f.ranked))] {
		best = append(best, s.Section)
	}
	out = f.retrieved
	for _, next := range append(steps, searchOtherManuals) {
		if ctx.Err() != nil {
			break
		}
		out = next(ctx, r, out, best)
	}
	return out, out.matched.GetCardinality() > f.matched.GetCardinality()
}

// reword searches the scope again with an expanded vocabulary.
func reword(ctx context.Context, r *run, in retrieved, best []uint32) retrieved {
	query := expandedQuery(r.snap, r.query)
	query.MatchThreshold /= 2
	return in.with(seek(ctx, r, query, in.unmatched(r.snap.Live()), best))
}

// searchAround searches the neighbours of the best sections, the sections they refer to and those
// that refer to them. In these, any shared term is a match.
func searchAround(ctx context.Context, r *run, in retrieved, best []uint32) retrieved {
	near := neighbours(r.snap, best)
	near.Or(linked(ctx, r.snap, best))
	return in.with(seek(ctx, r, lenient(r), in.unmatched(near), best))
}

// searchExceptions searches the sections with exception words in the files of the best.
func searchExceptions(ctx context.Context, r *run, in retrieved, best []uint32) retrieved {
	files, marked := roaring.New(), roaring.New()
	for _, id := range best {
		files.Or(fileOf(r.snap, id))
	}
	for _, res := range in.results {
		if res.marksExceptions() && res.Matched != nil {
			marked.Or(res.Matched)
		}
	}
	return in.with(seek(ctx, r, lenient(r), in.unmatched(roaring.And(files, marked)), best))
}

// searchOtherManuals searches the other manuals if the request named one and too little was found
// in it. It adds them to the scope. Corrective reasons do not count here, since enough was found in
// the named manual.
func searchOtherManuals(ctx context.Context, r *run, in retrieved, best []uint32) retrieved {
	if in.scope.Manual == "" || len(tooFew(r, fuse(r, in))) == 0 {
		return in
	}
	others := roaring.AndNot(r.snap.Live(), in.scope.Sections)
	results, n := seek(ctx, r, r.query, others, best)
	out := in.with(results, n)
	if len(results) == 0 && len(out.late) == 0 {
		return out
	}
	out.scope = Scope{Lacking: r.lacking, Skipped: r.skipped}
	out.notes = out.and(notes{unexamined: unreached(r, others, results)})
	return fill(ctx, r, out)
}

// discount scales scores and coverages that were reached with words that are not the query's, or in
// manuals other than the named one.
const discount = 0.5

// seek calls the retrieving strategies on a part of the corpus, at a discount. They also see the best sections found so
// far, because some strategies hold back where others already answer, but seek does not return these sections. It
// copies results, since strategies may keep them.
func seek(ctx context.Context, r *run, query sdk.Query, part *roaring.Bitmap, best []uint32) ([]result, notes) {
	if part.IsEmpty() {
		return nil, notes{}
	}
	scope := roaring.BitmapOf(best...)
	scope.Or(part)
	results, n := call(ctx, r, sdk.StageRetrieve, sdk.Request{Query: query, Scope: scope})
	if n.unexamined != nil {
		n.unexamined = roaring.And(n.unexamined, part)
	}
	for i := range results {
		lower := *results[i].Result
		lower.Candidates = slices.DeleteFunc(slices.Clone(lower.Candidates), func(c sdk.Candidate) bool {
			return !part.Contains(c.Section)
		})
		for k := range lower.Candidates {
			c := &lower.Candidates[k]
			c.Score, c.Coverage = discount*c.Score, discount*c.Coverage
		}
		if lower.Matched != nil {
			lower.Matched = roaring.And(lower.Matched, part)
		}
		if !lower.Finished {
			lower.Examined = int(roaring.AndNot(part, allButFirst(lower.Examined, scope)).GetCardinality())
		}
		results[i].Result = &lower
	}
	return results, n
}

// unmatched returns the sections of part that are in the scope and have not matched.
func (in retrieved) unmatched(part *roaring.Bitmap) *roaring.Bitmap {
	if in.scope.Sections != nil {
		part = roaring.And(part, in.scope.Sections)
	}
	return roaring.AndNot(part, in.matched)
}

// lenient returns the widened query with a threshold that every section with one of its terms reaches.
func lenient(r *run) sdk.Query {
	query := expandedQuery(r.snap, r.query)
	query.MatchThreshold = 0
	return query
}

// merged returns a new result with both results of a strategy, each section once, as in the first that has it. The
// confidence is that of the first with candidates.
func merged(a, b *sdk.Result) *sdk.Result {
	out, known := *a, roaring.New()
	if len(a.Candidates) == 0 {
		out.Confidence = b.Confidence
	}
	out.Candidates = slices.DeleteFunc(slices.Concat(a.Candidates, b.Candidates), func(c sdk.Candidate) bool {
		return !known.CheckedAdd(c.Section)
	})
	slices.SortStableFunc(out.Candidates, func(x, y sdk.Candidate) int { return cmp.Compare(y.Score, x.Score) })
	if a.Matched != nil && b.Matched != nil {
		out.Matched = roaring.Or(a.Matched, b.Matched)
	}
	return &out
}

// neighbours returns the sections before and after the given ones in their files.
func neighbours(snap *snapshot.Snapshot, ids []uint32) *roaring.Bitmap {
	out := roaring.New()
	for _, id := range ids {
		sec, _ := snap.Section(id)
		for _, near := range [...]uint32{id - 1, id + 1} {
			if other, ok := snap.Section(near); ok && other.Group == sec.Group && other.Path == sec.Path {
				out.Add(near)
			}
		}
	}
	return out
}

// fileOf returns the sections in the file of a section.
func fileOf(snap *snapshot.Snapshot, id uint32) *roaring.Bitmap {
	sec, _ := snap.Section(id)
	return SectionsOf(snap, sec.Group, sec.Path)
}

// maxReferrers is the maximum number of sections that are read for references to the best ones.
const maxReferrers = 500

// referringText returns the part of a section's own text that is read for references.
func referringText(snap *snapshot.Snapshot, id uint32) string {
	source := snap.Source(id, snapshot.FieldBody)
	return source[:lineEnd(source, judgedBytes)]
}

// linked returns the sections that the given ones point to, and the sections of their files that
// point to them. When ctx ends, it returns those found so far.
func linked(ctx context.Context, snap *snapshot.Snapshot, ids []uint32) *roaring.Bitmap {
	out, files := roaring.New(), roaring.New()
	for _, id := range ids {
		files.Or(fileOf(snap, id))
		for target := range refer.Targets(ctx, snap, id, referringText(snap, id)) {
			out.Add(target)
		}
	}
	for it, n := roaring.AndNot(files, roaring.BitmapOf(ids...)).Iterator(), 0; it.HasNext() && n < maxReferrers; n++ {
		if id := it.Next(); refer.PointsTo(ctx, snap, id, referringText(snap, id), ids) {
			out.Add(id)
		}
	}
	return out
}
