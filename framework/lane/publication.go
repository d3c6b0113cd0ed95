package lane

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/sagasu-search/sagasu/framework/fault"
)

// idTypes are the kinds of number that a publication goes by.
var idTypes = []string{"pub_id", "app_doc_id", "app_id", "exam_id"}

// IDTypes are the kinds of number that a publication goes by, pub_id first.
func IDTypes() []string { return slices.Clone(idTypes) }

// PublicationRequest asks for one publication by one of its numbers.
type PublicationRequest struct {
	ID, IDType string
	Fields     []string       // all texts when nil
	Chars      map[string]int // by field; the whole text when absent
}

// Record is a publication as its caller gets it. Texts that were not asked for
// are absent.
type Record struct {
	PubID    string         `json:"pub_id"`
	AppID    string         `json:"app_id"`
	Title    *string        `json:"title,omitempty"`
	Abst     *string        `json:"abst,omitempty"`
	Claim    *string        `json:"claim,omitempty"`
	Desc     *string        `json:"desc,omitempty"`
	Metadata map[string]any `json:"metadata"`
	// Truncated names the texts that were cut.
	Truncated []string `json:"truncated"`
}

// Publication finds one publication.
func (d *Desk) Publication(ctx context.Context, req PublicationRequest) (*Record, error) {
	if req.Fields == nil {
		req.Fields = Texts()
	}
	fields, err := Cutting{Fields: req.Fields, Chars: req.Chars}.check()
	if err != nil {
		return nil, err
	}
	if !slices.Contains(idTypes, req.IDType) {
		return nil, wrong("id_type", req.IDType, "one of "+strings.Join(idTypes, ", "))
	}
	pub, err := d.publication(ctx, req, fields)
	if err != nil {
		return nil, err
	}
	return pub.record(fields, req.Chars), nil
}

func (d *Desk) publication(ctx context.Context, req PublicationRequest, fields []string) (*Publication, error) {
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
	return nil, fault.New(fault.InvalidRRFCall, "the collection has no publication with %s %q; look for it with a search", req.IDType, req.ID).
		With("parameter", "id").With("got", req.ID).With("expected", fmt.Sprintf("the %s of a publication in the collection", req.IDType))
}

func first(pubs []*Publication) *Publication {
	if len(pubs) == 0 {
		return nil
	}
	return pubs[0]
}

func (p *Publication) record(fields []string, chars map[string]int) *Record {
	out := &Record{PubID: p.PubID, AppID: p.AppID, Metadata: p.metadata(), Truncated: []string{}}
	for _, f := range fields {
		text := p.text(f)
		if n, ok := chars[f]; ok {
			short := cut(text, n)
			if len(short) < len(text) {
				out.Truncated = append(out.Truncated, f)
			}
			text = short
		}
		switch f {
		case Title:
			out.Title = &text
		case Abst:
			out.Abst = &text
		case Claim:
			out.Claim = &text
		case Desc:
			out.Desc = &text
		}
	}
	return out
}

// metadata is everything but the texts; what is not known is absent.
func (p *Publication) metadata() map[string]any {
	out := map[string]any{"fi": list(p.FI), "ft": list(p.FT), "ipc": list(p.IPC), "cpc": list(p.CPC)}
	for name, value := range map[string]string{
		"app_doc_id": p.AppDocID, "exam_id": p.ExamID, "country": p.Country, "filing_date": p.FilingDate, "publication_date": p.PublicationDate,
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
	if len(p.Other) > 0 {
		out["other"] = p.Other
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
