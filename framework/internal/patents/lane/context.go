package lane

import (
	"context"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/sagasu-search/sagasu/framework/internal/patents/publication"
	"github.com/sagasu-search/sagasu/sdk/text"
	"github.com/sagasu-search/sagasu/sdk/x/patentquery"
)

const (
	// contextWidth is how much is shown on each side of a keyword, in characters.
	contextWidth = 40
	// mostContexts is the maximum number of keywords that are shown of a publication.
	mostContexts = 3
)

// Context is a keyword of the search with what stands around it.
type Context struct {
	Field string `json:"field"`
	Text  string `json:"text"` // the keyword stands between « and »
}

// finder finds what a search asks for in a text: a term, or a proximity as a whole.
type finder struct {
	field patentquery.Field // Any for all
	find  func(*text.Text) (start, end int, ok bool)
}

// finders are those of what a run was asked, by its queries and facet terms.
func (e *Engine) finders(ctx context.Context, r *Run) (out []finder, err error) {
	runs := []*Run{r}
	var facets []string
	if r.Fusion != nil {
		runs = nil
		for _, in := range r.Fusion.Inputs {
			lane, err := e.runs.get(ctx, "run_id", in.RunID)
			if err != nil {
				return nil, err
			}
			runs = append(runs, lane)
		}
		for _, terms := range r.Fusion.Params.FacetTerms {
			facets = append(facets, terms...)
		}
	}
	seen := map[string]bool{}
	for _, r := range runs {
		node, err := patentquery.Parse(r.Request.Query)
		if err != nil {
			continue // a semantic lane has no query
		}
		for _, n := range patentquery.Conditions(node) {
			if key := n.String(); !seen[key] {
				seen[key] = true
				out = append(out, finderOf(n))
			}
		}
	}
	slices.Sort(facets)
	for _, term := range facets {
		if t := (patentquery.Term{Text: term, Quoted: true}); !seen[t.String()] {
			seen[t.String()] = true
			out = append(out, finderOf(t))
		}
	}
	return out, nil
}

func finderOf(n patentquery.Node) finder {
	if near, ok := n.(patentquery.Near); ok {
		return finder{near.Field, patentquery.NewProximity(near).Find}
	}
	t := n.(patentquery.Term)
	p := patentquery.NewPattern(t)
	return finder{t.Field, func(in *text.Text) (start, end int, ok bool) {
		for start, end := range p.All(in) {
			return start, end, true
		}
		return 0, 0, false
	}}
}

// contexts shows keywords of a publication that the texts shown of it do not hold.
func contexts(p *publication.Publication, finders []finder, shown Shown) (out []Context) {
	all := map[string]*text.Text{}
	visible := ""
	for _, s := range []*string{shown.Title, shown.Abst, shown.Claim, shown.Desc} {
		if s != nil {
			visible += "\n" + *s
		}
	}
	there := text.Normalize(visible)
	for _, f := range finders {
		if _, _, ok := f.find(&there); ok || len(out) == mostContexts {
			continue
		}
		for _, field := range publication.Texts() {
			if f.field != patentquery.Any && string(f.field) != field {
				continue
			}
			if all[field] == nil {
				t := text.Normalize(*p.Text(field))
				all[field] = &t
			}
			if start, end, ok := f.find(all[field]); ok {
				start, end = all[field].Source(start, end)
				if c := (Context{field, around(*p.Text(field), start, end)}); !slices.Contains(out, c) {
					out = append(out, c)
				}
				break
			}
		}
	}
	return out
}

// around cuts a keyword out of a text with what stands on both sides of it, on one line.
func around(s string, start, end int) string {
	from, to := start, end
	for range contextWidth {
		_, n := utf8.DecodeLastRuneInString(s[:from])
		from -= n
		_, n = utf8.DecodeRuneInString(s[to:])
		to += n
	}
	out := s[from:start] + "«" + s[start:end] + "»" + s[end:to]
	if from > 0 {
		out = "…" + out
	}
	if to < len(s) {
		out += "…"
	}
	return strings.Join(strings.Fields(out), " ")
}
