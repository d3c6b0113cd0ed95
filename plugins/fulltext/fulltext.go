package fulltext

import (
	"context"

	"github.com/sagasu-search/sagasu/sdk"
	"github.com/sagasu-search/sagasu/sdk/lexical"
	"github.com/sagasu-search/sagasu/sdk/snapshot"
	"github.com/sagasu-search/sagasu/sdk/x/patentquery"
)

// SignalFulltext marks a publication that matches the query.
const SignalFulltext = "fulltext"

// Strategy implements [sdk.Strategy]. The query is [sdk.Query.Raw]; the other parameters of a request are
// [patentquery.Params].
type Strategy struct{}

// New returns the strategy.
func New() *Strategy { return new(Strategy) }

// Describe implements [sdk.Strategy]. The strategy is a lane of publication searches and is not used for manuals.
func (*Strategy) Describe() sdk.Description {
	return sdk.Description{
		Name:    "fulltext",
		Version: "1",
		Stage:   sdk.StageRetrieve,
		Signals: []string{SignalFulltext},
		Weight:  1,
		Corpora: []snapshot.Kind{snapshot.KindPublication},
	}
}

// Search implements [sdk.Strategy]. Matched is the exact set of the publications that match the query.
func (*Strategy) Search(ctx context.Context, req *sdk.Request) (*sdk.Result, error) {
	params, err := patentquery.ParseParams(req.Params)
	if err != nil {
		return nil, err
	}
	query, err := patentquery.Parse(req.Query.Raw)
	if err != nil {
		return nil, err
	}
	c, err := newCompiler(req.Corpus, params)
	if err != nil {
		return nil, err
	}
	found := lexical.Evaluate(ctx, req.Corpus, req.Scope, c.expr(query), c.ranking, req.Limit)
	out := &sdk.Result{Matched: found.Matched, Examined: found.Examined, Finished: found.Finished}
	signals := []string{SignalFulltext}
	for _, h := range found.Hits {
		out.Candidates = append(out.Candidates, sdk.Candidate{Section: h.Section, Score: h.Score, Signals: signals})
	}
	if found.Finished && found.Matched.IsEmpty() {
		out.Warnings = c.blame(ctx, req.Scope, query)
	}
	return out, nil
}

// Entry returns the strategy's entry, for programs that compile it in.
func Entry() sdk.Entry {
	return sdk.Entry{Name: "fulltext", New: func() sdk.Strategy { return New() }}
}
