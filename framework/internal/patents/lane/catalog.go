package lane

import (
	"context"
	"slices"
	"strconv"

	"github.com/sagasu-search/sagasu/framework/internal/patents/publication"
	"github.com/sagasu-search/sagasu/framework/internal/patents/rankfusion"
)

// maxCatalog is the maximum number of publications that an engine remembers for fusions.
const maxCatalog = 500_000

// prepare puts runs as lanes of the catalog, with all that fusing them needs; gone
// counts the publications that the collection does not have. e.mu is locked.
func (e *Engine) prepare(ctx context.Context, inputs []Input, runs []*Run,
	params rankfusion.Params) (lanes []rankfusion.Lane, gone int, err error) {
	now, err := e.pubs.Fingerprint(ctx)
	if err != nil {
		return nil, 0, backend(ctx, err)
	}
	if e.catalog == nil || e.fingerprint != now || e.catalog.Len() > maxCatalog {
		e.catalog, e.fingerprint = rankfusion.NewCatalog(), now
		e.absent = map[uint32]bool{}
	}
	lanes = make([]rankfusion.Lane, len(runs))
	var all []uint32
	for i, r := range runs {
		if err := e.enter(ctx, r.Docs); err != nil {
			return nil, 0, err
		}
		lanes[i] = rankfusion.Lane{Type: inputs[i].Lane, Name: inputs[i].LaneName, Weight: inputs[i].Weight,
			Rows: e.rows(r.Docs)}
	}
	lanes = params.Cut(lanes)
	for _, l := range lanes {
		all = append(all, l.Rows...)
	}
	slices.Sort(all)
	all = slices.Compact(all)
	for _, row := range all {
		if e.absent[row] {
			gone++
		}
	}
	return lanes, gone, e.look(ctx, all, params.FacetTerms)
}

func (e *Engine) rows(ids []string) []uint32 {
	rows := make([]uint32, len(ids))
	for i, id := range ids {
		rows[i], _ = e.catalog.Row(id)
	}
	return rows
}

// enter puts publications into the catalog.
func (e *Engine) enter(ctx context.Context, ids []string) error {
	var fresh []string
	for _, id := range ids {
		if _, ok := e.catalog.Row(id); !ok {
			fresh = append(fresh, id)
		}
	}
	return e.each(ctx, fresh, func(id string, p *publication.Publication) {
		if p == nil {
			e.absent[e.catalog.Add(id, rankfusion.Codes{})] = true
			return
		}
		year := ""
		if p.PublicationDate.Year > 0 {
			year = strconv.Itoa(p.PublicationDate.Year)
		}
		e.catalog.Add(id, rankfusion.Codes{FI: p.FI, FINorm: p.FINorm, FT: p.FT, IPC: p.IPC, CPC: p.CPC,
			Applicants: p.Applicants, Year: year, Country: p.Country})
	})
}

// look reads the texts of publications that were not looked through for the
// facets' terms yet.
func (e *Engine) look(ctx context.Context, rows []uint32, facets map[string][]string) error {
	unread := e.catalog.Unread(rows, facets)
	ids := make([]string, len(unread))
	for i, row := range unread {
		ids[i] = e.catalog.ID(row)
	}
	finder, held := rankfusion.NewFinder(facets), make([][]bool, len(ids))
	names := []string{publication.Title, publication.Abst, publication.Claim}
	err := e.pubs.Texts(ctx, ids, names, func(i int, texts []string) { held[i] = finder.Held(texts...) })
	if err != nil {
		return backend(ctx, err)
	}
	for i, row := range unread {
		e.catalog.Note(row, finder, held[i])
	}
	return nil
}

// each reads publications without their texts, a batch at a time.
func (e *Engine) each(ctx context.Context, ids []string, do func(id string, p *publication.Publication)) error {
	for batch := range slices.Chunk(ids, readBatch) {
		pubs, err := e.read(ctx, batch)
		if err != nil {
			return err
		}
		for i, p := range pubs {
			do(batch[i], p)
		}
	}
	return nil
}
