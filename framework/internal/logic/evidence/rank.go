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

// hit is a unit with its scores. All except score range from 0 to about 1.
type hit struct {
	snapshot.Section
	score    float64 // the sum, by which the units are ranked
	coverage float64 // share of the question that it contains
	said     float64 // share of the maximum score for the words of specifications
	path     float64 // how certainly specifications mean its file
}

// ranking contains the units of a snapshot that match a question, best first.
type ranking struct {
	snap        *snapshot.Snapshot
	lexicon     *lexicon
	question    question
	code, specs []hit
}

// rank ranks code and specifications by the question, and code also by what the matching specifications say.
func rank(ctx context.Context, snap *snapshot.Snapshot, l *lexicon, asked string) *ranking {
	r := &ranking{snap: snap, lexicon: l, question: read(snap, l, asked)}
	r.specs = r.direct(ctx, r.scope(repo.ChangeSpec, repo.MainSpec))
	r.code = r.led(ctx, r.direct(ctx, r.scope(repo.Code)), r.bridge())
	return r
}

func (r *ranking) scope(kinds ...repo.Kind) *roaring.Bitmap {
	scope := roaring.New()
	for _, k := range kinds {
		scope.Or(r.snap.Keyword(unit.KindKeyword(k)))
	}
	return scope
}

// direct ranks the units of a scope by the question itself.
func (r *ranking) direct(ctx context.Context, scope *roaring.Bitmap) []hit {
	q := &r.question
	found := lexical.Search(ctx, r.snap, scope, q.Query, params, depth)
	hits := []hit{}
	for _, h := range found.Hits {
		if s, ok := r.snap.Section(h.Section); ok {
			x := hit{Section: s, score: h.Score / q.ideal, coverage: h.Coverage}
			if q.calls(r.snap.Source(h.Section, snapshot.FieldName)) {
				x.score += namedShare * x.coverage
			}
			hits = append(hits, x)
		}
	}
	sortHits(hits)
	return hits
}

func sortHits(hits []hit) {
	slices.SortFunc(hits, func(a, b hit) int { return cmp.Or(cmp.Compare(b.score, a.score), cmp.Compare(a.ID, b.ID)) })
}

// led adds to the scores of code what its whole file and the matching specifications say.
func (r *ranking) led(ctx context.Context, hits []hit, b *bridge) []hit {
	scores := r.lexicon.wholes.scores(ctx, r.snap, &r.question)
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
		h.score += scores[r.lexicon.wholes.of[h.ID]] + saidShare*h.said + pathShare*h.path
		h.score *= sumScale
	}
	sortHits(hits)
	return hits
}

// params are the parameters of BM25F over the fields name, context, comment, own text and facts. A name says more than
// a body. A use of a constant in facts says less than the line that uses it.
var params = lexical.Params{K1: 1.2, B: []float64{.3, .3, .3, .5, .3}, Weight: []float64{3, .7, 1.5, 1, .5}}

// The weights of the terms of a question.
const (
	exactWeight   = .2
	wholeWeight   = 1.5
	endingWeight  = .15 // of a pair of characters at the end of a word
	frameWeight   = .3  // of words for asking about programs
	otherLanguage = .6  // of terms from the glossary or from the sound of a loanword
	sameLanguage  = .35 // of other words in the question's own language
	relatedShare  = .7  // factor on both for words that are only related
)

// The weights of a unit's other scores, added to its own score for the question.
const (
	namedShare = .15 // the question names it
	saidShare  = .7  // it contains the words of matching specifications
	pathShare  = 2   // matching specifications name its file
	sumScale   = .6  // factor for the sum, for which codeCurve holds
)

// How specifications lead to programs.
const (
	leadingUnits = 8   // units whose words are used
	leadingFiles = 3   // files whose paths are all used
	mateShare    = .8  // factor for a path in another unit of a matching file
	lineFloor    = .25 // minimum factor, for a line that shares nothing with the question
	mostSaid     = 24  // words
)

// depth is the maximum number of units of a scope that are ranked.
const depth = 400
