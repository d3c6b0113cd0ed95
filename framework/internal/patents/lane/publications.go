package lane

import (
	"context"

	"github.com/sagasu-search/sagasu/framework/internal/patents/publication"
)

// Publications is a collection as the desk reads it. Its content is fixed as long
// as its fingerprint is.
type Publications interface {
	// Fingerprint names the content.
	Fingerprint(ctx context.Context) (string, error)
	// Read gives the records of ids, in their order and nil where there is none.
	// Only the named texts need be filled; everything else is.
	Read(ctx context.Context, ids []string, texts ...string) ([]*publication.Publication, error)
	// Find gives the publication that has an id of another type: app_doc_id,
	// app_id or exam_id, or pub_id in another writing; "" when there is none.
	Find(ctx context.Context, idType, id string) (pubID string, err error)
}

// Shown are the texts of a publication as an answer has them; those that were not asked
// for are absent.
type Shown struct {
	Title *string `json:"title,omitempty"`
	Abst  *string `json:"abst,omitempty"`
	Claim *string `json:"claim,omitempty"`
	Desc  *string `json:"desc,omitempty"`
}

// show cuts the texts of a publication.
func show(p *publication.Publication, fields []string, cut func(field, text string) string) (s Shown) {
	for _, f := range fields {
		text := cut(f, *p.Text(f))
		switch f {
		case publication.Title:
			s.Title = &text
		case publication.Abst:
			s.Abst = &text
		case publication.Claim:
			s.Claim = &text
		case publication.Desc:
			s.Desc = &text
		}
	}
	return s
}
