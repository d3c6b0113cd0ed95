package lane

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/sagasu-search/sagasu/framework/internal/patents/publication"
)

// Bounds of snippets (docs/reference/tools/peek_snippets.md).
const (
	MaxPeek     = 1000
	defaultPeek = 30
	maxChars    = 1_000_000
)

// defaultChars returns how wide each text is cut when the caller does not say.
func defaultChars() map[string]int {
	return map[string]int{publication.Title: 160, publication.Abst: 480, publication.Claim: 320, publication.Desc: 800}
}

// Cutting says which texts of a publication are shown and how much of each.
type Cutting struct {
	Fields      TextNames `json:"fields" doc:"Of title, abst, claim and desc; the first three when not given."`
	Chars       Chars     `json:"per_field_chars" min:"0" doc:"Most characters by field; title 160, abst 480, claim 320, desc 800 when not given."`
	Context     bool      `json:"context" default:"true" doc:"With a run: up to three keywords of its queries in their context, of those that the texts shown do not hold."`
	BudgetBytes *Bytes    `json:"budget_bytes" doc:"Most bytes of the answer as JSON: texts shrink first, then rows drop and next_offset names the next."`
}

// PeekRequest asks for the best of a run.
type PeekRequest struct {
	Call
	RunID  string `json:"run_id" alias:"run_id_lane" required:"the run_id of a search or a fusion" filled:""`
	Offset int    `json:"offset" min:"0" default:"0"`
	Limit  int    `json:"limit" min:"1" max:"1000" default:"30"`
	Cutting
}

// SnippetsRequest asks for publications by id, in this order.
type SnippetsRequest struct {
	Call
	PubIDs []string `json:"pub_ids" alias:"ids" required:"a list of one or more pub_ids" minItems:"1" maxItems:"1000"`
	RunID  string   `json:"run_id" alias:"run_id_lane" filled:"" doc:"Adds rank and score in this run."`
	Cutting
}

// Snippet is a shortened publication. Texts that were not requested are absent. Gone says that the
// collection no longer has it.
type Snippet struct {
	Rank  int    `json:"rank,omitempty"` // from 1; absent outside a run
	PubID string `json:"pub_id"`
	AppID string `json:"app_id,omitempty"`
	Shown
	Score    *float64  `json:"score,omitempty"`
	Keywords []Context `json:"keywords,omitempty"` // of the search that the texts above do not show
	Metadata metadata  `json:"metadata" schema:"object"`
	Gone     bool      `json:"gone,omitempty" schema:"-"`
}

// metadata are the figures of a publication that a snippet carries; IPC and CPC
// stand in where there is no FI.
type metadata struct {
	FI              []string `json:"fi,omitempty"`
	FT              []string `json:"ft,omitempty"`
	IPC             []string `json:"ipc,omitempty"`
	CPC             []string `json:"cpc,omitempty"`
	PublicationDate string   `json:"publication_date,omitempty"`
}

// Snippets answer a PeekRequest or a SnippetsRequest.
type Snippets struct {
	Traced
	RunID    string    `json:"run_id,omitempty"`
	Snippets []Snippet `json:"snippets"`
	Returned int       `json:"returned"`
	Total    int       `json:"total" optional:""` // of the run, or asked for

	Truncated  bool     `json:"truncated" doc:"The budget cost rows or characters."`
	NextOffset *int     `json:"next_offset"`       // of the first row that is not here
	Missing    []string `json:"missing,omitempty"` // ids that the collection does not have
}

// Counters implements [toolset.Counter].
func (s *Snippets) Counters() []any {
	return []any{"items", s.Returned, "total", s.Total, "truncated", s.Truncated}
}

// Peek shows the best of a run.
func (e *Engine) Peek(ctx context.Context, req PeekRequest) (*Snippets, error) {
	fields, err := req.check()
	if err != nil {
		return nil, err
	}
	r, err := e.runs.get(ctx, "run_id", req.RunID)
	if err != nil {
		return nil, err
	}
	start := min(req.Offset, len(r.Docs))
	end := min(start+req.Limit, len(r.Docs))
	p := page{frame: Snippets{Traced: Traced{req.TraceID}, RunID: r.ID, Total: len(r.Docs)}, cutting: req.Cutting,
		fields: fields}
	pubs, err := e.readShown(ctx, &p, r, r.Docs[start:end])
	if err != nil {
		return nil, err
	}
	for i, pub := range pubs {
		at := start + i
		p.rows = append(p.rows, row{pub, at, describe(pub, r.Docs[at], at+1, &r.Scores[at])})
	}
	return p.fit()
}

// Snippets shows publications by id.
func (e *Engine) Snippets(ctx context.Context, req SnippetsRequest) (*Snippets, error) {
	fields, err := req.check()
	if err != nil {
		return nil, err
	}
	if n := len(req.PubIDs); n == 0 || n > MaxPeek {
		return nil, wrong("pub_ids", fmt.Sprintf("%d pub_ids", n), fmt.Sprintf("a list of 1 to %d pub_ids", MaxPeek))
	}
	r := new(Run)
	if req.RunID != "" {
		if r, err = e.runs.get(ctx, "run_id", req.RunID); err != nil {
			return nil, err
		}
	}
	p := page{frame: Snippets{Traced: Traced{req.TraceID}, RunID: r.ID, Total: len(req.PubIDs)}, cutting: req.Cutting,
		fields: fields}
	pubs, err := e.readShown(ctx, &p, r, req.PubIDs)
	if err != nil {
		return nil, err
	}
	for i, pub := range pubs {
		if pub == nil {
			p.frame.Missing = append(p.frame.Missing, req.PubIDs[i])
			continue
		}
		rank, score := r.place(pub.PubID)
		p.rows = append(p.rows, row{pub, i, describe(pub, pub.PubID, rank, score)})
	}
	return p.fit()
}

// readShown reads publications for a page, and what finds the keywords of the page's run in them.
func (e *Engine) readShown(
	ctx context.Context, p *page, r *Run, ids []string,
) (_ []*publication.Publication, err error) {
	texts := p.fields
	if p.cutting.Context && r.ID != "" {
		if p.finders, err = e.finders(ctx, r); err != nil {
			return nil, err
		}
		texts = publication.Texts()
	}
	return e.read(ctx, ids, texts...)
}

// place returns the rank of a publication and its score; 0 and nil outside the run.
func (r *Run) place(id string) (rank int, score *float64) {
	if i := slices.Index(r.Docs, id); i >= 0 {
		return i + 1, &r.Scores[i]
	}
	return 0, nil
}

// describe returns a snippet without its texts.
func describe(p *publication.Publication, id string, rank int, score *float64) Snippet {
	s := Snippet{Rank: rank, PubID: id, Score: score, Gone: p == nil}
	if p == nil {
		return s
	}
	s.AppID, s.Metadata = p.AppID, metadata{FI: p.FI, FT: p.FT, PublicationDate: p.PublicationDate.String()}
	if len(p.FI) == 0 {
		s.Metadata.IPC, s.Metadata.CPC = p.IPC, p.CPC
	}
	return s
}

// check returns the fields that are shown and refuses what cannot be honoured.
func (c Cutting) check() (fields []string, err error) {
	fields = c.Fields
	if fields == nil {
		fields = []string{publication.Title, publication.Abst, publication.Claim}
		if _, ok := c.Chars[publication.Desc]; ok {
			fields = append(fields, publication.Desc)
		}
	}
	for i, f := range fields {
		if !slices.Contains(publication.Texts(), f) {
			return nil, wrong(fmt.Sprintf("fields.%d", i), f, "one of "+strings.Join(publication.Texts(), ", "))
		}
	}
	for _, f := range slices.Sorted(maps.Keys(c.Chars)) {
		name := "per_field_chars." + f
		if !slices.Contains(fields, f) {
			return nil, wrong(name, c.Chars[f], "for one of the fields: "+strings.Join(fields, ", "))
		}
		if n := c.Chars[f]; n > maxChars {
			return nil, wrong(name, n, fmt.Sprintf("an integer from 0 to %d", maxChars))
		}
	}
	return fields, nil
}

// Shown holds the texts of a publication in an answer. Texts that were not requested are absent.
type Shown struct {
	Title *string `json:"title,omitempty"`
	Abst  *string `json:"abst,omitempty"`
	Claim *string `json:"claim,omitempty"`
	Desc  *string `json:"desc,omitempty"`
}

// show cuts the texts of a publication.
func show(p *publication.Publication, fields []string, cut func(field, text string) string) (s Shown) {
	shown := map[string]**string{publication.Title: &s.Title, publication.Abst: &s.Abst,
		publication.Claim: &s.Claim, publication.Desc: &s.Desc}
	for _, f := range fields {
		text := cut(f, *p.Text(f))
		*shown[f] = &text
	}
	return s
}
