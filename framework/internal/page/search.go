package page

import (
	"cmp"
	"html/template"
	"net/http"
	"slices"

	"github.com/sagasu-search/sagasu/framework/internal/corpus"
	"github.com/sagasu-search/sagasu/framework/internal/judge"
	"github.com/sagasu-search/sagasu/framework/internal/manuals"
	"github.com/sagasu-search/sagasu/framework/internal/search"
	"github.com/sagasu-search/sagasu/framework/internal/toolset"
	"github.com/sagasu-search/sagasu/sdk"
	"github.com/sagasu-search/sagasu/sdk/lexical"
	"github.com/sagasu-search/sagasu/sdk/text"
)

// Number of hits that are shown, by default and at most.
const (
	defaultHits = 10
	mostHits    = 100
)

// results are what the page of a search shows.
type results struct {
	run
	*search.Answer
	Sure     bool // the answer is in a section that is almost certainly about the query
	Tensions []judge.Tension
	Gaps     []judge.Gap
	Plan     planned
	Skipped  []toolset.Skip
	weighing
}

// run is a stored search, as forms name it.
type run struct {
	Trace, Query, Manual string
	Limit                int
	Hits                 []hit
	Sources              []string // of contributions, in their order
}

// planned is how a query was understood.
type planned struct {
	Intent  sdk.Intent
	Terms   []sdk.Term
	Related []related // found instead of terms, or besides them
	Widened []string  // why the search was widened
}

// related are words that are not in the query, with the strategy that looked for them.
type related struct {
	Source string
	Words  []string
}

// search answers a query, or shows an empty form.
func (q *request) search() error {
	if q.text("q") == "" {
		return q.show("search", q.name("search"), (*results)(nil))
	}
	found, err := q.find()
	if err != nil {
		return err
	}
	return q.show("search", q.text("q"), found)
}

// maxTokens is so high that nothing is shortened; the page never shows an answer as a whole.
const maxTokens = 50_000

// find searches for the query of the request.
func (q *request) find() (*results, error) {
	limit, err := q.number("n", defaultHits, 1, mostHits)
	if err != nil {
		return nil, err
	}
	args := toolset.Defaults[manuals.FindArgs]()
	args.Query, args.ManualID, args.MaxTokens = q.text("q"), corpus.ManualID(q.value("manual")), maxTokens
	if args, err = toolset.Check(args); err != nil {
		return nil, err
	}
	answer, err := q.Manuals.Find(q.r.Context(), args)
	if err != nil {
		return nil, err
	}
	t, err := q.Manuals.Trace(q.r.Context(), answer.TraceID)
	if err != nil {
		return nil, err
	}
	r, err := q.runOf(t, limit)
	if err != nil {
		return nil, err
	}
	out := &results{
		run: r, Answer: answer, Sure: t.Graph.Answered(), Tensions: t.Graph.Tensions, Gaps: t.Graph.Gaps,
		Plan: plannedOf(t), Skipped: t.Skipped,
	}
	if out.Weights, err = q.weighed(t.ID); err != nil {
		return nil, err
	}
	return out, nil
}

// runOf describes the first hits of a search.
func (q *request) runOf(t *search.Trace, limit int) (run, error) {
	out := run{Trace: t.ID, Query: t.Request.Query, Manual: t.Request.ManualID, Limit: limit}
	ask := toolset.Defaults[manuals.HitsArgs]()
	ask.TraceID, ask.Kind, ask.Limit, ask.Explain = t.ID, "candidates", limit, true
	rows, err := q.Manuals.Hits(q.r.Context(), ask)
	if err != nil {
		return out, err
	}
	snippets, err := q.Manuals.Snippets(q.r.Context(), t.ID, len(rows.Items), snippetLength)
	if err != nil {
		return out, err
	}
	words := plannedOf(t).words()
	for i, row := range rows.Items {
		row.Ref.ManualID = cmp.Or(row.Ref.ManualID, rows.ManualID)
		out.Hits = append(out.Hits, newHit(i+1, row, snippets[i], words))
	}
	out.Sources = sourcesOf(t)
	draw(out.Hits, out.Sources)
	q.thumbs(&out)
	return out, nil
}

// snippetLength is the approximate number of characters of a section that are shown.
const snippetLength = 360

// plannedOf returns how the query of a search was understood, and which other words found its hits.
func plannedOf(t *search.Trace) planned {
	query := search.Plan(t.Request.Query, 0)
	out := planned{Intent: query.Intent, Terms: query.Terms, Widened: t.Escalation}
	var known []string
	for _, w := range out.words() {
		known = append(append(known, w), lexical.TokenNames(w)...)
	}
	for _, c := range t.Candidates {
		for _, x := range c.Contributions {
			if !slices.Contains(widening, x.Source) {
				continue
			}
			i := slices.IndexFunc(out.Related, func(r related) bool { return r.Source == x.Source })
			if i < 0 {
				i, out.Related = len(out.Related), append(out.Related, related{Source: x.Source})
			}
			for _, w := range x.Terms {
				r := &out.Related[i]
				if !slices.Contains(known, w) && !slices.Contains(r.Words, w) && !text.IsHiragana(w) &&
					len(r.Words) < mostRelated {
					r.Words = append(r.Words, w)
				}
			}
		}
	}
	out.Related = slices.DeleteFunc(out.Related, func(r related) bool { return len(r.Words) == 0 })
	return out
}

// widening are the strategies that look for words other than the query's; mostRelated is how many of these words are
// shown for each.
var widening = []string{"synonym", "translation"}

const mostRelated = 24

// words returns the terms that are not negative.
func (p planned) words() (out []string) {
	for _, t := range p.Terms {
		if t.Kind != sdk.TermNegative {
			out = append(out, t.Text)
		}
	}
	return out
}

// kept returns the stored search that a form names.
func (q *request) kept() (*search.Trace, error) {
	id := q.value("trace")
	if id == "" {
		return nil, toolset.Errorf(toolset.InvalidParameter, "trace is required: search first")
	}
	return q.Manuals.Trace(q.r.Context(), id)
}

// export answers a query with one self-contained file, without script, links and network.
func (q *request) export() error {
	found, err := q.find()
	if err != nil {
		return err
	}
	html, err := q.draw(view{Page: "search", Title: q.text("q"), Static: true, Body: found})
	if err != nil {
		return err
	}
	q.w.Header().Set("Content-Disposition", `attachment; filename="sagasu.html"`)
	return q.write(http.StatusOK, html)
}

// style returns the stylesheet, for a file that must contain it.
func style() (template.CSS, error) {
	css, err := assets.ReadFile("assets/page.css")
	return template.CSS(css), err
}
