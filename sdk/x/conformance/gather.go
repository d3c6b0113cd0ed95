package conformance

import (
	"context"
	"fmt"

	"github.com/sagasu-search/sagasu/sdk"
	"github.com/sagasu-search/sagasu/sdk/text"
	"github.com/sagasu-search/sagasu/sdk/x/border"
)

// gathers calls a gatherer with terms, without terms, and with limit 1. The gatherer may refuse, since its
// collection may not exist here.
func (e *Suite) gathers(ctx context.Context) error {
	if err := broken(rulesGather)(e, ctx); err != nil || e.described.Stage != sdk.StageGather {
		return err
	}
	s, err := e.strategy(ctx)
	if err != nil {
		return err
	}
	for _, q := range append(ordinary[:len(ordinary):len(ordinary)], question{"no query", ""}) {
		for _, limit := range []int{1, sdk.MaxGathered} {
			query := plan(q.raw)
			req := &sdk.GatherRequest{Kind: e.kind, Query: query, Terms: gatherTerms(query.Text), Limit: limit}
			var found *sdk.Gathered
			refused, err := e.ask(ctx, func(ctx context.Context) (err error) {
				found, err = s.Gather(ctx, req)
				return err
			})
			if err == nil && refused == nil {
				err = border.CheckGathered(req, found)
			}
			if err != nil {
				return fmt.Errorf("%s, limit %d: %w", q.what, limit, err)
			}
		}
	}
	return nil
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
