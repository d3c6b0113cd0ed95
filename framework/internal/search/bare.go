package search

import (
	"context"
	"maps"
	"unicode/utf8"

	"github.com/RoaringBitmap/roaring/v2"

	"github.com/sagasu-search/sagasu/sdk"
	"github.com/sagasu-search/sagasu/sdk/snapshot"
	"github.com/sagasu-search/sagasu/sdk/text"
)

// titled returns a copy of a result without the sections that have no text of their own and match
// only by the titles of their ancestors: they add nothing to their neighbours. Filling strategies
// (tables of contents) keep such sections.
func (r *run) titled(ctx context.Context, stage sdk.Stage, res result) result {
	if stage != sdk.StageRetrieve || !res.description.Admits() {
		return res
	}
	matched := res.matched()
	empty := roaring.And(matched, r.withoutText(ctx))
	if empty.IsEmpty() {
		return res
	}
	asked := tokens(r.query.Text)
	matched = matched.Clone()
	for it := empty.Iterator(); it.HasNext(); {
		id := it.Next()
		sec, _ := r.snap.Section(id)
		own := tokens(sec.Title)
		maps.DeleteFunc(own, func(term string, _ bool) bool { return !asked[term] })
		if len(own) == 0 {
			matched.Remove(id)
		}
	}
	only := *res.Result
	only.Matched = matched
	res.Result = &only
	return res
}

// tokens returns the terms of a text that sections match by: words, and pairs of CJK characters or single
// ones.
func tokens(s string) map[string]bool {
	norm, out := text.Normalize(s), map[string]bool{}
	var tokenizer text.Tokenizer
	for tok := range tokenizer.Tokens(&norm) {
		if tok.Class != text.Unigram || utf8.RuneCountInString(norm.Norm) == 1 {
			out[tok.Term] = true
		}
	}
	return out
}

// withoutText returns the sections that have no text of their own.
func (r *run) withoutText(ctx context.Context) *roaring.Bitmap {
	return r.bare.Sections(ctx, r.snap, "", func() *roaring.Bitmap {
		out := roaring.New()
		for it := r.snap.Live().Iterator(); it.HasNext() && ctx.Err() == nil; {
			if id := it.Next(); r.snap.Normalized(id, snapshot.FieldBody) == "" {
				out.Add(id)
			}
		}
		return out
	})
}
