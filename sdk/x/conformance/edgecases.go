package conformance

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/sagasu-search/sagasu/sdk"
	"github.com/sagasu-search/sagasu/sdk/x/border"
)

// probe sends an unusual request and then an ordinary one.
func (e *Suite) probe(ctx context.Context, t trial) error {
	s, err := e.strategy(ctx)
	if err != nil {
		return err
	}
	res, refused, err := e.search(ctx, s, t.req)
	if err == nil && refused == nil {
		err = e.newError(border.CheckResult(e.described, t.req, res))
	}
	if err != nil {
		_ = e.stop() // the next check starts another instance
		return fmt.Errorf("%s: %w", t.what, err)
	}
	after := e.run(ctx, s, trial{"an ordinary query", e.request(e.small, ordinary[0], nil, 10)})
	if _, gone := after.err.(failed); gone {
		_ = e.stop()
		return fmt.Errorf("%s: it was survived, but then %s got %w", t.what, after.what, after.err)
	}
	return nil
}

// queries sends texts that users may paste as queries.
func (e *Suite) queries(ctx context.Context) error {
	for _, q := range edgeQueries() {
		if err := e.probe(ctx, trial{q.what, e.request(e.small, q, nil, 10)}); err != nil {
			return err
		}
	}
	return nil
}

// rareRequests are valid but rare requests, with a description of what they change.
var rareRequests = []struct {
	what   string
	change func(*sdk.Request)
}{
	{"no terms", func(r *sdk.Request) { r.Query.Terms, r.Query.Text = nil, "" }},
	{"only a query as given", func(r *sdk.Request) { r.Query = sdk.Query{Raw: r.Query.Raw} }},
	{"empty terms", func(r *sdk.Request) { r.Query.Terms = []sdk.Term{{}, {Kind: sdk.TermMust}} }},
	{"a phrase", func(r *sdk.Request) { kind(r, sdk.TermMust, true) }},
	{"nothing but negative terms", func(r *sdk.Request) { kind(r, sdk.TermNegative, false) }},
	{"a term of a new kind", func(r *sdk.Request) { kind(r, "new", false) }},
	{"a new intent", func(r *sdk.Request) { r.Query.Intent = "new" }},
	{"an unreachable threshold", func(r *sdk.Request) { r.Query.MatchThreshold = 1 }},
	{"a limit over four thousand", func(r *sdk.Request) { r.Limit = 1 << 12 }},
	{"an empty pool", func(r *sdk.Request) { r.Pool = []sdk.Candidate{} }},
	{"a full pool", func(r *sdk.Request) { r.Pool = pool(r.Corpus, nil, 1<<12) }},
	{"foreign parameters", func(r *sdk.Request) { r.Params = json.RawMessage(`{"foreign":[null]}`) }},
	{"parameters that are none", func(r *sdk.Request) { r.Params = json.RawMessage("\x00{") }},
}

// rare sends the rare requests.
func (e *Suite) rare(ctx context.Context) error {
	for _, r := range rareRequests {
		req := e.request(e.small, ordinary[0], nil, 10)
		r.change(req)
		if err := e.probe(ctx, trial{r.what, req}); err != nil {
			return err
		}
	}
	return nil
}

// kind sets the kind of all terms of a request.
func kind(r *sdk.Request, k sdk.TermKind, phrase bool) {
	for i := range r.Query.Terms {
		r.Query.Terms[i].Kind, r.Query.Terms[i].Phrase = k, phrase
	}
}

// kinds searches corpora of every kind, with and without sections.
func (e *Suite) kinds(ctx context.Context) error {
	kinds := e.described.Corpora
	if len(kinds) == 0 {
		kinds = known
	}
	s, err := e.strategy(ctx)
	if err != nil {
		return err
	}
	for _, k := range kinds {
		for times, what := range []string{"without sections", "with sections"} {
			corpus, err := e.publish(k, times)
			if err != nil {
				return err
			}
			if err := e.open(ctx, s, corpus); err != nil {
				return err
			}
			name := fmt.Sprintf("%s in a %s corpus %s", ordinary[0].what, k, what)
			o := e.run(ctx, s, trial{name, e.request(corpus, ordinary[0], nil, 10)})
			if e.newError(o.err) != nil {
				return fmt.Errorf("%s: %w", o.what, o.err)
			}
		}
	}
	return nil
}

// large sends a query of 5 MiB with few terms.
func (e *Suite) large(ctx context.Context) error {
	req := e.request(e.small, ordinary[0], nil, 10)
	req.Query.Raw += " " + strings.Repeat("x", 5<<20)
	return e.probe(ctx, trial{"a query of 5 MiB", req})
}
