package lane

import (
	"context"
	"fmt"

	"github.com/sagasu-search/sagasu/framework/internal/patents/publication"
	"github.com/sagasu-search/sagasu/framework/internal/toolset"
)

// PublicationRequest asks for one publication by one of its numbers.
type PublicationRequest struct {
	Call
	ID     string    `json:"id" alias:"pub_id" required:"a number of a publication" filled:""`
	IDType string    `json:"id_type" enum:"pub_id,app_doc_id,app_id,exam_id" default:"pub_id" doc:"What id is a number of: the publication, the application (EPODOC, or as 特願), the examined document."`
	Fields TextNames `json:"fields" doc:"Of title, abst, claim and desc; all when not given."`
	Chars  Chars     `json:"per_field_chars" min:"0" doc:"Most characters by field."`
}

// Record is a publication in a reply. Texts that were not requested are absent.
type Record struct {
	Traced
	PubID string `json:"pub_id"`
	AppID string `json:"app_id"`
	Shown
	Metadata  map[string]any `json:"metadata" schema:"object" doc:"Codes, dates, names, other numbers."`
	Truncated []string       `json:"truncated" doc:"The texts that were cut."`
}

// Publication finds one publication.
func (e *Engine) Publication(ctx context.Context, req PublicationRequest) (*Record, error) {
	if req.Fields == nil {
		req.Fields = publication.Texts()
	}
	fields, err := Cutting{Fields: req.Fields, Chars: req.Chars}.check()
	if err != nil {
		return nil, err
	}
	pub, err := e.publication(ctx, req, fields)
	if err != nil {
		return nil, err
	}
	out := record(pub, fields, req.Chars)
	return out, e.relate(ctx, pub, out.Metadata)
}

// relate adds the publications of the collection that cite one, and its family; what there is not is absent.
func (e *Engine) relate(ctx context.Context, p *publication.Publication, to map[string]any) error {
	citing, err := e.having(ctx, publication.CitingKeyword(p.PubID))
	if err != nil {
		return err
	}
	family, err := e.family(ctx, p)
	for name, ids := range map[string][]string{"cited_by": citing, "family": family} {
		if len(ids) > 0 {
			to[name] = ids[:min(len(ids), maxRelated)]
		}
	}
	return err
}

// maxRelated is the maximum number of publications that a record names of a relation; sagasu rrf cites lists more.
const maxRelated = 100

func (e *Engine) publication(ctx context.Context, req PublicationRequest,
	fields []string) (*publication.Publication, error) {
	id, err := e.pubs.Find(ctx, req.IDType, req.ID)
	if err != nil {
		return nil, backend(ctx, err)
	}
	if id != "" {
		pubs, err := e.read(ctx, []string{id}, fields...)
		if err != nil {
			return nil, err
		}
		if pubs[0] != nil {
			return pubs[0], nil
		}
	}
	return nil, toolset.Errorf(toolset.InvalidRRFCall,
		"the collection has no publication with %s %q; look for it with a search", req.IDType, req.ID).
		Argument("id", req.ID, fmt.Sprintf("the %s of a publication in the collection", req.IDType))
}

func record(p *publication.Publication, fields []string, chars map[string]int) *Record {
	out := &Record{PubID: p.PubID, AppID: p.AppID, Metadata: everythingElse(p), Truncated: []string{}}
	out.Shown = show(p, fields, func(field, text string) string {
		n, bounded := chars[field]
		if !bounded {
			return text
		}
		short := cut(text, n)
		if len(short) < len(text) {
			out.Truncated = append(out.Truncated, field)
		}
		return short
	})
	return out
}

// everythingElse returns a record but for its texts; what is not known is absent.
func everythingElse(p *publication.Publication) map[string]any {
	out := map[string]any{}
	for name, codes := range map[string][]string{"fi": p.FI, "ft": p.FT, "ipc": p.IPC, "cpc": p.CPC} {
		out[name] = append([]string{}, codes...) // never null
	}
	for name, value := range map[string]string{
		"app_doc_id": p.AppDocID, "exam_id": p.ExamID, "country": p.Country, "filing_date": p.FilingDate.String(),
		"publication_date": p.PublicationDate.String(),
	} {
		if value != "" {
			out[name] = value
		}
	}
	for name, values := range map[string][]string{"fi_norm": p.FINorm, "applicants": p.Applicants,
		"inventors": p.Inventors, "citations": p.Citations, "priorities": p.Priorities} {
		if len(values) > 0 {
			out[name] = values
		}
	}
	if len(p.Metadata) > 0 {
		out["other"] = p.Metadata
	}
	return out
}
