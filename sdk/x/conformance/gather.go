package conformance

import (
	"context"
	"fmt"

	"github.com/sagasu-search/sagasu/sdk"
	"github.com/sagasu-search/sagasu/sdk/text"
	"github.com/sagasu-search/sagasu/sdk/x/border"
)

// gathers calls a gatherer with terms, without terms, and with limit 1, and continues from the result. The gatherer may
// refuse, since its collection may not exist here.
func (e *Suite) gathers(ctx context.Context) error {
	if err := broken(rulesGather)(e, ctx); err != nil || e.described.Stage != sdk.StageGather {
		return err
	}
	for _, q := range append(ordinary[:len(ordinary):len(ordinary)], question{"no query", ""}) {
		for _, limit := range []int{1, sdk.MaxGathered} {
			query := plan(q.raw)
			req := &sdk.GatherRequest{Kind: e.kind, Query: query, Terms: gatherTerms(query.Text), Limit: limit}
			if _, err := e.gather(ctx, fmt.Sprintf("%s, limit %d", q.what, limit), req); err != nil {
				return err
			}
		}
	}
	first, err := e.gather(ctx, "the first section", &sdk.GatherRequest{Kind: e.kind, Limit: 1})
	if err != nil || first == nil || len(first.Sections) == 0 {
		return err
	}
	return e.gathersFurther(ctx, first)
}

// gathersFurther requests what follows the first section, and only the sections of its file.
func (e *Suite) gathersFurther(ctx context.Context, first *sdk.Gathered) error {
	key, sec := first.Sections[0].Key, first.Sections[0].Section
	if first.Cursor != "" {
		found, err := e.gather(ctx, "what stands behind the first section", &sdk.GatherRequest{
			Kind: e.kind, Limit: 1, Cursor: first.Cursor, Generation: first.Generation,
		})
		if err != nil {
			return err
		}
		if found != nil && len(found.Sections) > 0 && found.Sections[0].Key == key {
			return fmt.Errorf("behind the cursor of section %.50q stands the same section", key)
		}
	}
	found, err := e.gather(ctx, "the file of the first section", &sdk.GatherRequest{
		Kind: e.kind, Limit: sdk.MaxGathered, Filter: sdk.GatherFilter{Groups: []string{sec.Group}, Path: sec.Path},
	})
	if err == nil && found != nil && len(found.Sections) == 0 {
		err = fmt.Errorf("there are no sections of %.50q in %.50q, whose section %.50q it gathered",
			sec.Path, sec.Group, key)
	}
	return err
}

// gather makes a request. It returns nil if the request is refused.
func (e *Suite) gather(ctx context.Context, what string, req *sdk.GatherRequest) (found *sdk.Gathered, err error) {
	s, err := e.strategy(ctx)
	if err != nil {
		return nil, err
	}
	refused, err := e.ask(ctx, func(ctx context.Context) (err error) { found, err = s.Gather(ctx, req); return err })
	switch {
	case err == nil && refused == nil:
		e.gathered = true
		err = border.CheckGathered(req, found)
	case err == nil:
		e.refusal, found = refused, nil
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", what, err)
	}
	return found, nil
}

// Refusal returns why a gatherer refused every request, or nil.
func (e *Suite) Refusal() error {
	if e.gathered {
		return nil
	}
	return e.refusal
}

// gatherTerms returns the terms of the dictionary in a text.
func gatherTerms(s string) (out []sdk.GatherTerm) {
	var z text.Tokenizer
	norm, seen := text.Normalize(s), map[string]bool{}
	for tok := range z.Tokens(&norm) {
		if !seen[tok.Term] {
			seen[tok.Term] = true
			out = append(out, sdk.GatherTerm{Text: tok.Term, Weight: 1, Slot: len(out)})
		}
	}
	return out
}
