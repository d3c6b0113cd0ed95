package collection

import (
	"context"
	"maps"
	"slices"

	"github.com/sagasu-search/sagasu/sdk"
	"github.com/sagasu-search/sagasu/sdk/lexical"
	"github.com/sagasu-search/sagasu/sdk/snapshot"
	"github.com/sagasu-search/sagasu/sdk/text"
)

// expansion returns further terms that strategies would look for, such as translations of the query's.
func (c *Collection) expansion(ctx context.Context, q *sdk.Query) (out []sdk.GatherTerm) {
	all, _ := c.Strategies.Strategies(ctx) // the search reports those that fail
	all = slices.DeleteFunc(all, func(d sdk.Description) bool { return !d.Expands })
	if len(all) == 0 {
		return nil
	}
	sample, err := c.represented(ctx, "")
	if err != nil {
		c.Logger.Warn("queries are not expanded", "error", err)
		return nil
	}
	defer sample.release()
	for _, d := range all {
		req := &sdk.Request{Query: *q, Corpus: sample.snap, Limit: 1, Expand: true}
		found, err := c.Strategies.Search(ctx, d.Name, req)
		if err != nil {
			c.Logger.Warn("a query is not expanded", "strategy", d.Name, "error", err)
			continue
		}
		out = append(out, found.Expansion...)
	}
	return out
}

// find gathers what a search asks for.
func (c *Collection) find(ctx context.Context, ask Ask) (*sdk.Gathered, error) {
	all := lexical.GatherTerms(&ask.Query)
	for _, t := range c.expansion(ctx, &ask.Query) {
		if !slices.ContainsFunc(all, func(own sdk.GatherTerm) bool { return own.Text == t.Text }) {
			all = append(all, t)
		}
	}
	usual, err := c.grammar(ctx, all)
	if err != nil {
		return nil, err
	}
	req := &sdk.GatherRequest{
		Kind: c.Kind, Query: ask.Query, Limit: sdk.MaxGathered, Cursor: ask.Cursor, Generation: ask.Generation,
		Stored: c.Stored,
		Terms: slices.DeleteFunc(slices.Clone(all), func(t sdk.GatherTerm) bool {
			return isGrammar(t.Text, usual.DocFreqs[t.Text], usual.Sections)
		}),
	}
	if len(req.Terms) == 0 {
		req.Terms = all // the query has only grammar words
	}
	if ask.Group != "" {
		req.Filter.Groups = []string{ask.Group}
	}
	if len(all) == 0 { // no terms would ask for everything
		return &sdk.Gathered{Exact: true}, nil
	}
	found, err := c.gather(ctx, req)
	if err != nil {
		return nil, err
	}
	for _, t := range all {
		if df, ok := usual.DocFreqs[t.Text]; ok {
			found.Statistics.DocFreqs[t.Text] = max(df, found.Statistics.DocFreqs[t.Text])
		}
	}
	return found, nil
}

// commonKana is the share of sections from which on a hiragana term counts as grammar.
const commonKana = 0.05

// isGrammar reports whether a term in df of n sections is too common to carry meaning.
func isGrammar(term string, df, n int) bool {
	return text.IsHiragana(term) && float64(df) > commonKana*float64(n)
}

// grammar returns the number of sections for each term that may be a grammar word. It asks the engine once per term.
func (c *Collection) grammar(ctx context.Context, terms []sdk.GatherTerm) (snapshot.Statistics, error) {
	c.mu.Lock()
	usual := c.usual
	c.mu.Unlock()
	unknown := slices.DeleteFunc(slices.Clone(terms), func(t sdk.GatherTerm) bool {
		_, known := usual.DocFreqs[t.Text]
		return known || !text.IsHiragana(t.Text)
	})
	if len(unknown) == 0 {
		return usual, nil
	}
	found, err := c.gather(ctx, &sdk.GatherRequest{Kind: c.Kind, Terms: unknown, Limit: 1})
	if err != nil {
		return usual, err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	next := snapshot.Statistics{Sections: found.Statistics.Sections, DocFreqs: map[string]int{}}
	if c.of == found.Generation {
		maps.Copy(next.DocFreqs, c.usual.DocFreqs)
	}
	for _, t := range unknown {
		next.DocFreqs[t.Text] = found.Statistics.DocFreqs[t.Text]
	}
	c.usual, c.of = next, found.Generation
	return next, nil
}
