package page

import (
	"errors"

	"github.com/sagasu-search/sagasu/framework/internal/corpus"
	"github.com/sagasu-search/sagasu/framework/internal/manuals"
	"github.com/sagasu-search/sagasu/framework/internal/search"
	"github.com/sagasu-search/sagasu/framework/internal/toolset"
)

// standings say where sections stand in a search.
type standings struct {
	run
	*search.Why
	Asked   string
	Places  []string       // that were meant, where the name asked for has several
	Near    []string       // that may have been meant, where there is none
	Failed  *toolset.Error // why there is no answer, nil where there is one
	Nothing bool           // nothing was asked for
}

// why says at which stage a section fell out of a search.
func (q *request) why() error {
	asked := q.text("place")
	out, err := q.standings(asked)
	if err != nil {
		return err
	}
	out.Asked = asked
	return q.show("why", q.name("why"), out)
}

// compare sets two hits side by side.
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

// standings asks where sections stand in the search of the request.
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
