package page

import (
	"errors"

	"github.com/sagasu-search/sagasu/framework/internal/corpus"
	"github.com/sagasu-search/sagasu/framework/internal/manuals"
	"github.com/sagasu-search/sagasu/framework/internal/search"
	"github.com/sagasu-search/sagasu/framework/internal/toolset"
)

// standings are the positions of sections in a search.
type standings struct {
	run
	*search.Why
	Asked   string
	Places  []string       // candidates, if the requested name has several
	Near    []string       // similar names, if it has none
	Failed  *toolset.Error // why there is no answer, or nil
	Nothing bool           // nothing was asked for
}

// why shows the stage at which a section dropped out of a search.
func (q *request) why() error {
	asked := q.text("place")
	out, err := q.standings(asked)
	if err != nil {
		return err
	}
	out.Asked = asked
	return q.show("why", q.name("why"), out)
}

// compare shows two hits side by side.
func (q *request) compare() error {
	if err := q.r.ParseForm(); err != nil {
		return toolset.Errorf(toolset.InvalidParameter, "the form cannot be read: %w", err)
	}
	pair := q.r.Form["pair"]
	if len(pair) != 2 {
		return q.show("compare", q.name("compare.two"), &standings{Nothing: true, run: run{Query: q.text("q")}})
	}
	out, err := q.standings(pair...)
	if err != nil {
		return err
	}
	return q.show("compare", q.name("compare.two"), out)
}

// standings finds the positions of sections in the search of the request.
func (q *request) standings(places ...string) (*standings, error) {
	limit, err := q.number("n", defaultHits, 1, mostHits)
	if err != nil {
		return nil, err
	}
	out := &standings{run: run{Query: q.text("q"), Manual: q.value("manual"), Limit: limit}}
	if out.Nothing = out.Query == "" || places[0] == ""; out.Nothing {
		return out, nil
	}
	args := manuals.WhyArgs{FindArgs: toolset.Defaults[manuals.FindArgs](), Sections: places, Shown: limit}
	args.Query, args.ManualID = out.Query, corpus.ManualID(out.Manual)
	if args.FindArgs, err = toolset.Check(args.FindArgs); err != nil {
		return nil, err
	}
	out.Why, err = q.Manuals.Why(q.r.Context(), args)
	wrong, ok := errors.AsType[*toolset.Error](err)
	if !ok || wrong.Details["parameter"] != "sections" {
		return out, err
	}
	out.Failed = wrong
	out.Near, _ = wrong.Details["did_you_mean"].([]string)
	out.Places, _ = wrong.Details["candidates"].([]string)
	return out, nil
}
