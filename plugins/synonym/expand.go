package synonym

import (
	"context"
	"slices"

	"github.com/RoaringBitmap/roaring/v2"

	"github.com/sagasu-search/sagasu/sdk/lexical"
	"github.com/sagasu-search/sagasu/sdk/snapshot"
	"github.com/sagasu-search/sagasu/sdk/text"
	"github.com/sagasu-search/sagasu/sdk/x/dict"
)

// weights are the token weights of the base strategy.
var weights = lexical.DefaultWeights()

// expansion is a term of the query with those of its alternatives that occur in a section.
type expansion struct {
	term     string
	names    []string // the term's tokens, as named in coverage
	slots    uint64   // slots of the bag that the alternatives also cover
	idf      float64  // of an own slot, if the term has none
	variants []variant
	holders  *roaring.Bitmap // sections that contain an alternative
}

// variant is an alternative of a term.
type variant struct {
	text    string
	key     string // for an English one: its units, each between NULs; otherwise ""
	holders *roaring.Bitmap
}

func newVariant(term string, holders *roaring.Bitmap) variant {
	v := variant{text: term, holders: holders}
	if latin(term) {
		v.key = "\x00" + join(units(term))
	}
	return v
}

// expand looks up the alternatives and adds their tokens to the bag.
func (s *Strategy) expand(
	ctx context.Context, snap *snapshot.Snapshot, bag *lexical.Bag, matches []match, weight float64,
) []expansion {
	var out []expansion
	own := bag.Terms
	for _, m := range matches {
		e := expansion{term: m.term, names: lexical.TokenNames(m.term), holders: roaring.New()}
		for _, alternative := range m.alternatives {
			held := s.cache.Sections(ctx, snap, alternative, func() *roaring.Bitmap {
				return holding(ctx, snap, alternative)
			})
			if !held.IsEmpty() {
				e.variants = append(e.variants, newVariant(alternative, held))
				e.holders.Or(held)
			}
		}
		if len(e.variants) == 0 {
			continue
		}
		for i, name := range bag.Names {
			if slices.Contains(e.names, name) {
				e.slots |= 1 << i
			}
		}
		if e.slots == 0 {
			e.idf = lexical.IDF(snap.Population(), int(e.holders.GetCardinality()))
		}
		e.score(snap, bag, own, weight)
		out = append(out, e)
	}
	return out
}

// score adds the tokens of the alternatives to the bag. Each alternative weighs at most the given share of the term's
// own weight there.
func (e *expansion) score(snap *snapshot.Snapshot, bag *lexical.Bag, own []lexical.Term, weight float64) {
	mine := mass(snap, tokens(snap, e.term))
	for _, v := range e.variants {
		alternative := tokens(snap, v.text)
		scale := weight
		if all := mass(snap, alternative); mine > 0 && all > mine {
			scale *= mine / all
		}
		for _, t := range alternative {
			if !slices.ContainsFunc(own, func(o lexical.Term) bool { return o.Text == t.Text }) {
				bag.Terms = append(bag.Terms, lexical.Term{Text: t.Text, Weight: t.Weight * scale, Slot: -1})
			}
		}
	}
}

// holding returns the sections that contain an alternative as a word. An English one may be inflected.
func holding(ctx context.Context, snap *snapshot.Snapshot, term string) *roaring.Bitmap {
	cut := units(term)
	switch {
	case latin(term) && len(cut) == 1:
		one := lexical.Query{Terms: []lexical.Term{{Text: cut[0].term, Weight: 1, Slot: -1}}}
		return lexical.Search(ctx, snap, nil, one, lexical.DefaultParams(false), 0).Matched
	case latin(term):
		return lexical.Containing(ctx, snap, term)
	}
	out := lexical.Containing(ctx, snap, term)
	for _, id := range out.ToArray() {
		if !dict.In(snap, id, term) {
			out.Remove(id)
		}
	}
	return out
}

// latin reports whether a term has no CJK character.
func latin(term string) bool { return !text.HasCJK(term) }
