package fulltext

import (
	"context"

	"github.com/sagasu-search/sagasu/sdk"
	"github.com/sagasu-search/sagasu/sdk/lexical"
	"github.com/sagasu-search/sagasu/sdk/snapshot"
	"github.com/sagasu-search/sagasu/sdk/x/patentquery"
)

// SignalFulltext marks a publication that holds what the query asks for.
const SignalFulltext = "fulltext"

// Strategy implements [sdk.Strategy]. The query is [sdk.Query.Raw], the rest of what a
// caller asks are [patentquery.Params].
type Strategy struct{}

var _ sdk.Strategy = (*Strategy)(nil)

// New returns the strategy.
func New() *Strategy { return new(Strategy) }

// Describe implements [sdk.Strategy]. It is a lane of publication searches and takes no
// part in those of manuals.
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

// Search implements [sdk.Strategy]. Matched is the exact set of the publications that hold
// what the query asks for.
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
	out := &sdk.Result{
		Candidates: candidates(found.Hits), Matched: found.Matched, Examined: found.Examined, Finished: found.Finished,
	}
	if found.Finished && found.Matched.IsEmpty() {
		out.Warnings = c.blame(ctx, req.Scope, query)
	}
	return out, nil
}

func candidates(hits []lexical.Hit) []sdk.Candidate {
	out, signals := make([]sdk.Candidate, len(hits)), []string{SignalFulltext}
	for i, h := range hits {
		out[i] = sdk.Candidate{Section: h.Section, Score: h.Score, Signals: signals}
	}
	return out
}

// Entry is the strategy as a program compiles it in.
func Entry() sdk.Entry {
	return sdk.Entry{Name: "fulltext", New: func() sdk.Strategy { return New() }}
}
