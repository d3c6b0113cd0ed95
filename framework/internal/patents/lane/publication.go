package lane

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/sagasu-search/sagasu/framework/internal/patents/publication"
	"github.com/sagasu-search/sagasu/framework/internal/toolset"
)

// PublicationRequest asks for one publication by one of its numbers.
type PublicationRequest struct {
	ID, IDType string
	Fields     []string       // all texts when nil
	Chars      map[string]int // by field; the whole text when absent
}

// Record is a publication as its caller gets it. Texts that were not asked for
// are absent.
type Record struct {
	PubID string `json:"pub_id"`
	AppID string `json:"app_id"`
	Shown
	Metadata map[string]any `json:"metadata"`
	// Truncated names the texts that were cut.
	Truncated []string `json:"truncated"`
}

// Publication finds one publication.
func (d *Desk) Publication(ctx context.Context, req PublicationRequest) (*Record, error) {
	if req.Fields == nil {
		req.Fields = publication.Texts()
	}
	fields, err := Cutting{Fields: req.Fields, Chars: req.Chars}.check()
	if err != nil {
		return nil, err
	}
	if !slices.Contains(publication.IDTypes, req.IDType) {
		return nil, wrong("id_type", req.IDType, "one of "+strings.Join(publication.IDTypes, ", "))
	}
	pub, err := d.publication(ctx, req, fields)
	if err != nil {
		return nil, err
	}
	return record(pub, fields, req.Chars), nil
}

func (d *Desk) publication(ctx context.Context, req PublicationRequest, fields []string) (*publication.Publication, error) {
	id, err := d.pubs.Find(ctx, req.IDType, req.ID)
	if err != nil {
		return nil, backend(ctx, err)
	}
	if id != "" {
		pubs, err := d.read(ctx, []string{id}, fields...)
		if err != nil || pubs[0] != nil {
			return first(pubs), err
		}
	}
	return nil, toolset.Errorf(toolset.InvalidRRFCall, "the collection has no publication with %s %q; look for it with a search", req.IDType, req.ID).
		With("parameter", "id").With("got", req.ID).With("expected", fmt.Sprintf("the %s of a publication in the collection", req.IDType))
}

func first(pubs []*publication.Publication) *publication.Publication {
	if len(pubs) == 0 {
		return nil
	}
	return pubs[0]
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

// everythingElse is a record but for its texts; what is not known is absent.
func everythingElse(p *publication.Publication) map[string]any {
	out := map[string]any{"fi": list(p.FI), "ft": list(p.FT), "ipc": list(p.IPC), "cpc": list(p.CPC)}
	for name, value := range map[string]string{
		"app_doc_id": p.AppDocID, "exam_id": p.ExamID, "country": p.Country, "filing_date": p.FilingDate.String(), "publication_date": p.PublicationDate.String(),
	} {
		if value != "" {
			out[name] = value
		}
	}
	for name, values := range map[string][]string{"fi_norm": p.FINorm, "applicants": p.Applicants, "inventors": p.Inventors} {
		if len(values) > 0 {
			out[name] = values
		}
	}
	if len(p.Metadata) > 0 {
		out["other"] = p.Metadata
	}
	return out
}

// list is never null.
func list(values []string) []string {
	if values == nil {
		return []string{}
	}
	return values
}
