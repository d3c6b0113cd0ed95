// Retrieve: calls the strategies on the scope in parallel.

package search

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"unicode/utf8"

	"github.com/RoaringBitmap/roaring/v2"

	"github.com/sagasu-search/sagasu/framework/internal/toolset"
	"github.com/sagasu-search/sagasu/sdk"
	"github.com/sagasu-search/sagasu/sdk/snapshot"
	"github.com/sagasu-search/sagasu/sdk/text"
)

// retrieved holds the results of the strategies in a scope.
type retrieved struct {
	notes
	scope   Scope
	results []result        // one per strategy and wording
	matched *roaring.Bitmap // sections that may become candidates, including those of filling strategies
}

// retrieve calls the retrieving strategies, and the filling ones when too few sections matched.
// before holds notes from earlier.
func retrieve(ctx context.Context, r *run, scope Scope, before notes) retrieved {
	out := retrieved{notes: before, scope: scope, matched: roaring.New()}
	found, said := make([][]result, len(r.wordings)), make([]notes, len(r.wordings))
	panics := r.each(len(r.wordings), func(i int) {
		found[i], said[i] = call(ctx, r, sdk.StageRetrieve, sdk.Request{Query: r.wordings[i], Scope: scope.Sections})
	})
	for i, results := range found {
		if panics[i] != nil {
			failed := notes{lacks: []string{statusStrategy}}
			said[i] = failed.failure(ctx, r.logger, string(sdk.StageRetrieve), panics[i])
		}
		for _, res := range results {
			res.wording = i
			out.results = append(out.results, res)
			out.matched.Or(res.matched())
		}
		out.notes = out.and(said[i])
	}
	all := cmp.Or(scope.Sections, r.snap.Live())
	out.notes = out.and(notes{unexamined: unreached(r, all, out.results)})
	return fill(ctx, r, out)
}

// fill calls the filling strategies when too few sections matched.
func fill(ctx context.Context, r *run, in retrieved) retrieved {
	if int(in.matched.GetCardinality()) >= r.settings.CandidateLow {
		return in
	}
	req := sdk.Request{Query: r.query, Scope: in.scope.Sections, Pool: in.pool()}
	return in.with(call(ctx, r, sdk.StageFill, req))
}

// with adds further results to those of the same strategies.
func (in retrieved) with(results []result, n notes) retrieved {
	in.notes, in.matched, in.results = in.notes.and(n), in.matched.Clone(), slices.Clone(in.results)
	for _, res := range results {
		in.matched.Or(res.matched())
		i := slices.IndexFunc(in.results, func(x result) bool { return x.description.Name == res.description.Name })
		if i < 0 {
			in.results = append(in.results, res)
			continue
		}
		in.results[i].Result = merged(in.results[i].Result, res.Result)
	}
	return in
}

// pool returns the found sections that may become candidates, each once.
func (in retrieved) pool() []sdk.Candidate {
	var out []sdk.Candidate
	seen := roaring.New()
	for _, res := range in.results {
		for _, c := range res.Candidates {
			if in.matched.Contains(c.Section) && seen.CheckedAdd(c.Section) {
				out = append(out, c)
			}
		}
	}
	return out
}

// unexamined returns the sections in all that an admitting strategy had not examined when time ran out.
func unexamined(all *roaring.Bitmap, results []result) *roaring.Bitmap {
	reached := int(all.GetCardinality())
	for _, res := range results {
		if res.timedOut && res.description.Admits() {
			reached = min(reached, res.Examined)
		}
	}
	return allButFirst(reached, all)
}

// allButFirst returns all without its first n sections.
func allButFirst(n int, all *roaring.Bitmap) *roaring.Bitmap {
	left := roaring.New()
	if uint64(n) >= all.GetCardinality() {
		return left
	}
	for i, it := 0, all.Iterator(); it.HasNext(); i++ {
		if id := it.Next(); i >= n {
			left.Add(id)
		}
	}
	return left
}

// unreached returns the sections in all that too few strategies examined: the admitting strategies that examined a
// section must have more than half of the weight of all admitting strategies. All strategies start with the same
// section.
func unreached(r *run, all *roaring.Bitmap, results []result) *roaring.Bitmap {
	type progress struct {
		sections int
		weight   float64
	}
	sections, total := int(all.GetCardinality()), r.unready
	made := []progress{{0, r.unready}}
	for _, res := range results {
		if !res.description.Admits() {
			continue
		}
		p := progress{sections, r.settings.fullWeight(res.description)}
		if !res.Finished {
			p.sections = res.Examined
		}
		made, total = append(made, p), total+p.weight
	}
	slices.SortFunc(made, func(a, b progress) int { return b.sections - a.sections })
	reached := 0.0
	for _, p := range made {
		if reached += p.weight; 2*reached > total {
			return allButFirst(p.sections, all)
		}
	}
	return roaring.New() // no strategy admits candidates
}

// err returns an error if strategies failed and no admitting one returned a result, or if there is
// no result at all: an empty answer would be misleading. Running out of time is not such a failure.
func (in retrieved) err() error {
	admits := func(res result) bool { return res.description.Admits() }
	if len(in.late) > 0 || len(in.results) > 0 && (!in.failed || slices.ContainsFunc(in.results, admits)) {
		return nil
	}
	return toolset.Errorf(toolset.NotAvailable, "no search strategy could run; sagasu doctor and the log say why").
		With("warnings", in.allWarnings())
}

// withoutBare returns a copy of a result without the sections that have no text of their own and match
// only by the titles of their ancestors: they add nothing to their neighbours. Filling strategies
// (tables of contents) keep such sections.
func (r *run) withoutBare(ctx context.Context, stage sdk.Stage, res result) result {
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
	for tok := range text.Tokens(&norm) {
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
