package lane

import (
	"context"
	"slices"

	"github.com/sagasu-search/sagasu/framework/internal/patents/publication"
)

// CitesRequest asks what a publication cites and what cites it.
type CitesRequest struct {
	ID    string `json:"id" alias:"pub_id" required:"a number of a publication" filled:""`
	Depth int    `json:"depth" min:"1" max:"5" default:"1" doc:"How many citations are followed one after the other."`
	Limit int    `json:"limit" min:"1" max:"10000" default:"200" doc:"Most citations in each direction."`
}

// Cited is what a publication cites, what of the collection cites it, and its family.
type Cited struct {
	PubID      string     `json:"pub_id"`
	Title      string     `json:"title"`
	Priorities []string   `json:"priorities"` // numbers of applications
	Family     []string   `json:"family"`     // others of the collection with the same priorities
	Cites      []Citation `json:"cites"`
	CitedBy    []Citation `json:"cited_by"`
	Missing    int        `json:"not_in_collection"` // of Cites
	Truncated  bool       `json:"truncated"`         // there are more than the limit
}

// Citation is a publication that was met on the way through citations.
type Citation struct {
	Number string `json:"number"`           // as it is written where it was met
	PubID  string `json:"pub_id,omitempty"` // "" where the collection does not have it
	Title  string `json:"title,omitempty"`
	Depth  int    `json:"depth"`
	Via    string `json:"via"` // the publication that cites it, or that it cites
}

// Cites follows the citations of a publication in both directions.
func (e *Engine) Cites(ctx context.Context, req CitesRequest) (*Cited, error) {
	start, err := e.publication(ctx, PublicationRequest{ID: req.ID, IDType: "pub_id"}, []string{publication.Title})
	if err != nil {
		return nil, err
	}
	out := &Cited{PubID: start.PubID, Title: start.Title, Priorities: append([]string{}, start.Priorities...)}
	if out.Family, err = e.family(ctx, start); err != nil {
		return nil, err
	}
	cites := func(p *publication.Publication) ([]string, error) { return p.Citations, nil }
	citing := func(p *publication.Publication) ([]string, error) {
		return e.having(ctx, publication.CitingKeyword(p.PubID))
	}
	for _, way := range []struct {
		next func(*publication.Publication) ([]string, error)
		to   *[]Citation
	}{{cites, &out.Cites}, {citing, &out.CitedBy}} {
		more := false
		if *way.to, more, err = e.walk(ctx, start, req, way.next); err != nil {
			return nil, err
		}
		out.Truncated = out.Truncated || more
	}
	for _, c := range out.Cites {
		if c.PubID == "" {
			out.Missing++
		}
	}
	return out, nil
}

// walk follows next from a publication, the nearest first, and meets each number once.
func (e *Engine) walk(
	ctx context.Context, start *publication.Publication, req CitesRequest,
	next func(*publication.Publication) ([]string, error),
) (met []Citation, more bool, err error) {
	met = []Citation{}
	known := map[string]bool{publication.ParseNumber(start.PubID).Key(): true}
	level := []*publication.Publication{start}
	for depth := 1; depth <= req.Depth && len(level) > 0; depth++ {
		var further []*publication.Publication
		for _, from := range level {
			numbers, err := next(from)
			if err != nil {
				return met, more, err
			}
			for _, number := range numbers {
				key := publication.ParseNumber(number).Key()
				if known[key] {
					continue
				}
				if known[key] = true; len(met) == req.Limit {
					return met, true, nil
				}
				c := Citation{Number: number, Depth: depth, Via: from.PubID}
				p, err := e.cited(ctx, number)
				if err != nil {
					return met, more, err
				}
				if p != nil {
					c.PubID, c.Title = p.PubID, p.Title
					further = append(further, p)
				}
				met = append(met, c)
			}
		}
		level = further
	}
	return met, more, nil
}

// cited returns a publication by its number, of any kind where it has none of the kind that is named; nil where the
// collection does not have it.
func (e *Engine) cited(ctx context.Context, number string) (*publication.Publication, error) {
	for _, id := range []string{number, publication.ParseNumber(number).Key()} {
		found, err := e.pubs.Find(ctx, "pub_id", id)
		if err != nil {
			return nil, backend(ctx, err)
		}
		if found == "" {
			continue
		}
		pubs, err := e.read(ctx, []string{found}, publication.Title)
		if err != nil || pubs[0] != nil {
			return pubs[0], err
		}
	}
	return nil, nil
}

// family returns the other publications of the collection with the same priorities.
func (e *Engine) family(ctx context.Context, p *publication.Publication) ([]string, error) {
	family, keys := []string{}, p.PriorityKeywords()
	if len(keys) == 0 {
		return family, nil
	}
	ids, err := e.having(ctx, keys...)
	if err != nil {
		return nil, err
	}
	err = e.each(ctx, ids, func(id string, other *publication.Publication) {
		if other != nil && id != p.PubID && slices.Equal(keys, other.PriorityKeywords()) {
			family = append(family, id)
		}
	})
	return family, err
}

// having returns the publications that have all of some keywords.
func (e *Engine) having(ctx context.Context, keywords ...string) ([]string, error) {
	ids, err := e.pubs.Having(ctx, keywords...)
	return ids, backend(ctx, err)
}
