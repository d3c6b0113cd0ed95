package lane

import "context"

// Publication is a record of a collection.
type Publication struct {
	PubID    string `json:"pub_id"`
	AppDocID string `json:"app_doc_id,omitempty"`
	AppID    string `json:"app_id,omitempty"`
	ExamID   string `json:"exam_id,omitempty"`

	Title string `json:"title"`
	Abst  string `json:"abst"`
	Claim string `json:"claim"`
	Desc  string `json:"desc"`

	FI     []string `json:"fi,omitempty"`
	FINorm []string `json:"fi_norm,omitempty"`
	FT     []string `json:"ft,omitempty"`
	IPC    []string `json:"ipc,omitempty"`
	CPC    []string `json:"cpc,omitempty"`

	Country         string         `json:"country,omitempty"`
	FilingDate      string         `json:"filing_date,omitempty"` // YYYY-MM-DD
	PublicationDate string         `json:"publication_date,omitempty"`
	Applicants      []string       `json:"applicants,omitempty"`
	Inventors       []string       `json:"inventors,omitempty"`
	Other           map[string]any `json:"other,omitempty"` // fields of the source that have no place of their own
}

// Texts of a publication by name (contract, Publications).
const (
	Title = "title"
	Abst  = "abst"
	Claim = "claim"
	Desc  = "desc"
)

// Texts are all names of texts, in their order.
func Texts() []string { return []string{Title, Abst, Claim, Desc} }

func (p *Publication) text(name string) string {
	switch name {
	case Title:
		return p.Title
	case Abst:
		return p.Abst
	case Claim:
		return p.Claim
	}
	return p.Desc
}

// Publications is a collection as the desk reads it. Its content is fixed as long
// as its fingerprint is.
type Publications interface {
	// Fingerprint names the content.
	Fingerprint(ctx context.Context) (string, error)
	// Read gives the records of ids, in their order and nil where there is none.
	// Only the named texts need be filled; everything else is.
	Read(ctx context.Context, ids []string, texts ...string) ([]*Publication, error)
	// Find gives the publication that has an id of another type: app_doc_id,
	// app_id or exam_id, or pub_id in another writing; "" when there is none.
	Find(ctx context.Context, idType, id string) (pubID string, err error)
}
