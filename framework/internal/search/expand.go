package search

import (
	"cmp"
	"context"
	"iter"
	"slices"

	"github.com/RoaringBitmap/roaring/v2"

	"github.com/sagasu-search/sagasu/sdk"
	"github.com/sagasu-search/sagasu/sdk/snapshot"
	"github.com/sagasu-search/sagasu/sdk/x/refer"
)

// anchors is how many of the best sections an expansion starts from.
const anchors = 10

// expand widens a thin search step by step (contract, Expansion), each over what
// has not matched yet, so that a section keeps the raw score it has. It reports
// whether anything was added. A strategy that fails here costs only what it would
// have added.
func (s *search) expand(ctx context.Context, reasons []string, best []uint32) bool {
	s.escalation = reasons
	before := s.matched.GetCardinality()
	steps := []func(context.Context, []uint32){s.reword, s.lookAround}
	if s.query.Intent == sdk.IntentExceptions {
		steps = append(steps, s.lookForExceptions)
	}
	for _, step := range append(steps, s.lookElsewhere) {
		if ctx.Err() != nil {
			break
		}
		step(ctx, best)
	}
	return s.matched.GetCardinality() > before
}

// reword searches the scope again with an expanded vocabulary.
func (s *search) reword(ctx context.Context, _ []uint32) {
	query := widened(s.snap, s.query)
	query.MatchThreshold /= 2
	s.unite(discounted(s.seek(ctx, query, s.rest(nil))))
}

// discount is what a score or a coverage is worth that was reached with other words
// than the query's, or in other manuals than the one it names.
const discount = 0.5

// discounted leaves the results as they are: whoever gave them may keep them.
func discounted(lists []list) []list {
	for i := range lists {
		result := *lists[i].result
		result.Candidates = slices.Clone(result.Candidates)
		for k := range result.Candidates {
			c := &result.Candidates[k]
			c.Score, c.Coverage = discount*c.Score, discount*c.Coverage
		}
		lists[i].result = &result
	}
	return lists
}

// lookAround searches the neighbours of the best sections and what refers to them or
// is referred to: there, any likeness to the query will do.
func (s *search) lookAround(ctx context.Context, best []uint32) {
	near := s.neighbours(best)
	near.Or(s.linked(best))
	s.unite(discounted(s.seek(ctx, s.lenient(), s.rest(near))))
}

// lookForExceptions searches the sections with exception words in the files of the best.
func (s *search) lookForExceptions(ctx context.Context, best []uint32) {
	files, marked := roaring.New(), roaring.New()
	for _, id := range best {
		files.Or(s.fileOf(id))
	}
	for _, l := range s.lists {
		if slices.Contains(l.description.Signals, sdk.SignalExceptions) && l.result.Matched != nil {
			marked.Or(l.result.Matched)
		}
	}
	s.unite(discounted(s.seek(ctx, s.lenient(), s.rest(roaring.And(files, marked)))))
}

// lookElsewhere searches the other manuals where one was named and holds too little
// still; from then on they belong to the scope. A corrective condition is no reason
// to leave the manual: enough was found in it.
func (s *search) lookElsewhere(ctx context.Context, _ []uint32) {
	if s.manual == "" || len(s.lacks(s.fuse())) == 0 {
		return
	}
	others := roaring.AndNot(s.snap.Live(), s.scope)
	lists := s.seek(ctx, s.query, others)
	if len(lists) == 0 && !s.late {
		return
	}
	s.scope, s.manual, s.lacking = nil, "", s.allLacking
	s.unexamined.Or(s.leftOver(others, lists))
	s.unite(discounted(lists))
	s.fill(ctx)
}

// seek calls the retrieving strategies on a part of the corpus.
func (s *search) seek(ctx context.Context, query sdk.Query, scope *roaring.Bitmap) []list {
	if scope.IsEmpty() {
		return nil
	}
	return s.call(ctx, sdk.StageRetrieve, query, scope, nil)
}

// rest is what has not matched of part, nil for all, and lies in the scope.
func (s *search) rest(part *roaring.Bitmap) *roaring.Bitmap {
	if part == nil {
		part = s.snap.Live()
	}
	if s.scope != nil {
		part = roaring.And(part, s.scope)
	}
	return roaring.AndNot(part, s.matched)
}

// lenient is the widened query that matches whatever shares a term with it.
func (s *search) lenient() sdk.Query {
	query := widened(s.snap, s.query)
	query.MatchThreshold = 0
	return query
}

// unite adds lists to those of the same strategies. Their sections are new.
func (s *search) unite(lists []list) {
	for _, l := range lists {
		s.matched.Or(matchedBy(l))
		i := slices.IndexFunc(s.lists, func(x list) bool { return x.description.Name == l.description.Name })
		if i < 0 {
			s.lists = append(s.lists, l)
			continue
		}
		s.lists[i].result = united(s.lists[i].result, l.result)
	}
}

// united is both results, each left as it is.
func united(a, b *sdk.Result) *sdk.Result {
	out := *a
	out.Candidates = slices.Concat(a.Candidates, b.Candidates)
	slices.SortStableFunc(out.Candidates, func(x, y sdk.Candidate) int { return cmp.Compare(y.Score, x.Score) })
	if a.Matched != nil && b.Matched != nil {
		out.Matched = roaring.Or(a.Matched, b.Matched)
	}
	return &out
}

// neighbours are the sections before and after the given ones in their files.
func (s *search) neighbours(ids []uint32) *roaring.Bitmap {
	out := roaring.New()
	for _, id := range ids {
		sec, _ := s.snap.Section(id)
		for _, near := range [...]uint32{id - 1, id + 1} {
			if other, ok := s.snap.Section(near); ok && other.Group == sec.Group && other.Path == sec.Path {
				out.Add(near)
			}
		}
	}
	return out
}

// fileOf gives the sections of the file that a section lies in.
func (s *search) fileOf(id uint32) *roaring.Bitmap {
	sec, _ := s.snap.Section(id)
	return s.snap.Keyword(fileKey + sec.Group + "/" + sec.Path)
}

// mostReferrers bounds the sections that are read for references to the best ones.
const mostReferrers = 500

// targets yields the sections that a section's own text points to.
func (s *search) targets(id uint32) iter.Seq[uint32] {
	return refer.Targets(s.snap, id, s.passage(id))
}

// passage is what is read of a section's own text.
func (s *search) passage(id uint32) string {
	source := s.snap.Source(id, snapshot.FieldBody)
	return source[:passageEnd(source, judgedBytes)]
}

// linked are the sections that the given ones point to, and those of their files
// that point to them.
func (s *search) linked(ids []uint32) *roaring.Bitmap {
	out, files := roaring.New(), roaring.New()
	for _, id := range ids {
		files.Or(s.fileOf(id))
		for target := range s.targets(id) {
			out.Add(target)
		}
	}
	for it, n := roaring.AndNot(files, roaring.BitmapOf(ids...)).Iterator(), 0; it.HasNext() && n < mostReferrers; n++ {
		if id := it.Next(); refer.PointsTo(s.snap, id, s.passage(id), ids) {
			out.Add(id)
		}
	}
	return out
}
