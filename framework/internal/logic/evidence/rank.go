package evidence

import (
	"cmp"
	"context"
	"slices"

	"github.com/RoaringBitmap/roaring/v2"

	"github.com/sagasu-search/sagasu/framework/internal/logic/repo"
	"github.com/sagasu-search/sagasu/framework/internal/logic/unit"
	"github.com/sagasu-search/sagasu/sdk/lexical"
	"github.com/sagasu-search/sagasu/sdk/snapshot"
)

// hit is a unit with what speaks for it. All but score are from 0 to about 1.
type hit struct {
	snapshot.Section
	score    float64 // the sum; orders the units of a ranking
	direct   float64 // of what it can score for the question at most
	coverage float64 // the share of the question that it holds
	named    bool    // the question names it
	said     float64 // of what it can score for the words of specifications at most
	path     float64 // how surely specifications mean its file
}

// ranking is what was found, the best first.
type ranking struct {
	code, specs []hit
	question    question
}

// ranker ranks the units of a snapshot for one question.
type ranker struct {
	snap     *snapshot.Snapshot
	question question
}

// rank ranks code and specifications by the question, and code by what the
// specifications that match say.
func rank(ctx context.Context, snap *snapshot.Snapshot, l *lexicon, asked string) ranking {
	r := &ranker{snap, read(snap, l, asked)}
	specs := r.direct(ctx, r.scope(repo.ChangeSpec, repo.MainSpec))
	code := r.direct(ctx, r.scope(repo.Code))
	code = r.led(ctx, code, bridging(snap, l, &r.question, specs))
	return ranking{code, specs, r.question}
}

func (r *ranker) scope(kinds ...repo.Kind) *roaring.Bitmap {
	scope := roaring.New()
	for _, k := range kinds {
		scope.Or(r.snap.Keyword(unit.KindKeyword(k)))
	}
	return scope
}

// direct ranks the units of a scope by the question itself.
func (r *ranker) direct(ctx context.Context, scope *roaring.Bitmap) []hit {
	q := &r.question
	found := lexical.Search(ctx, r.snap, scope, q.Query, params, depth)
	hits, files := []hit{}, map[string]uint64{} // the ideas that the units of a file hold
	slots := map[uint32]uint64{}
	for _, h := range found.Hits {
		if s, ok := r.snap.Section(h.Section); ok {
			hits = append(hits, hit{Section: s, direct: h.Score / q.ideal, coverage: h.Coverage})
			files[s.Path] |= h.Slots
			slots[s.ID] = h.Slots
		}
	}
	for i := range hits {
		h := &hits[i]
		h.named = q.calls(r.snap.Source(h.ID, snapshot.FieldName))
		h.direct *= 1 + fileShare*q.covered(files[h.Path])
		if h.score = h.direct; h.named {
			h.score += namedShare * h.coverage
		}
	}
	sortHits(hits)
	return hits
}

func sortHits(hits []hit) {
	slices.SortFunc(hits, func(a, b hit) int { return cmp.Or(cmp.Compare(b.score, a.score), cmp.Compare(a.ID, b.ID)) })
}

// led adds to the ranking of code what specifications lead to: their words the more, the
// less the code says of the question itself.
func (r *ranker) led(ctx context.Context, hits []hit, b *bridge) []hit {
	missing := 1.0
	if len(hits) > 0 {
		missing -= hits[0].coverage
	}
	at := map[uint32]int{}
	for i, h := range hits {
		at[h.ID] = i
	}
	change := func(id uint32, set func(*hit)) {
		if _, known := at[id]; !known {
			s, ok := r.snap.Section(id)
			if !ok {
				return
			}
			at[id], hits = len(hits), append(hits, hit{Section: s})
		}
		set(&hits[at[id]])
	}
	scope := r.scope(repo.Code)
	if said, ideal := b.query(); ideal > 0 {
		for _, h := range lexical.Search(ctx, r.snap, scope, said, params, depth).Hits {
			change(h.Section, func(x *hit) { x.said = h.Score / ideal })
		}
	}
	for file, sure := range b.paths {
		for it := roaring.And(r.snap.Keyword(fileKeyword(file)), scope).Iterator(); it.HasNext(); {
			change(it.Next(), func(x *hit) { x.path = sure })
		}
	}
	for i := range hits {
		h := &hits[i]
		h.score += saidShare*h.said*missing + pathShare*h.path
	}
	sortHits(hits)
	return hits
}
