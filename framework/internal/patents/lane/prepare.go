package lane

import (
	"context"
	"slices"

	"github.com/sagasu-search/sagasu/framework/internal/patents/publication"
	"github.com/sagasu-search/sagasu/framework/internal/patents/rankfusion"
)

// maxCatalog bounds the publications that a desk remembers for fusions.
const maxCatalog = 500_000

// prepare puts runs as lanes of the catalog, with all that fusing them needs; gone
// counts the publications that the collection does not have. The desk is locked.
func (d *Desk) prepare(ctx context.Context, inputs []Input, runs []*Run, facets map[string][]string) (lanes []rankfusion.Lane, gone int, err error) {
	now, err := d.pubs.Fingerprint(ctx)
	if err != nil {
		return nil, 0, backend(ctx, err)
	}
	if d.catalog == nil || d.fingerprint != now || d.catalog.Len() > maxCatalog {
		d.catalog, d.fingerprint = rankfusion.NewCatalog(), now
		d.absent = map[string]bool{}
	}
	lanes = make([]rankfusion.Lane, len(runs))
	var all []uint32
	absent := map[string]bool{}
	for i, r := range runs {
		if err := d.enter(ctx, r.Docs); err != nil {
			return nil, 0, err
		}
		lanes[i] = rankfusion.Lane{Type: inputs[i].Lane, Name: inputs[i].LaneName, Weight: inputs[i].Weight, Rows: d.rows(r.Docs)}
		all = append(all, lanes[i].Rows...)
		for _, id := range r.Docs {
			if len(d.absent) > 0 && d.absent[id] {
				absent[id] = true
			}
		}
	}
	slices.Sort(all)
	return lanes, len(absent), d.look(ctx, slices.Compact(all), facets)
}

func (d *Desk) rows(ids []string) []uint32 {
	rows := make([]uint32, len(ids))
	for i, id := range ids {
		rows[i], _ = d.catalog.Row(id)
	}
	return rows
}

// enter puts publications into the catalog.
func (d *Desk) enter(ctx context.Context, ids []string) error {
	var fresh []string
	for _, id := range ids {
		if _, ok := d.catalog.Row(id); !ok {
			fresh = append(fresh, id)
		}
	}
	return d.each(ctx, fresh, nil, func(id string, p *publication.Publication) {
		if p == nil {
			p = new(publication.Publication)
			d.absent[id] = true
		}
		d.catalog.Add(id, rankfusion.Codes{FI: p.FI, FINorm: p.FINorm, FT: p.FT, IPC: p.IPC, CPC: p.CPC})
	})
}

// look reads the texts of publications that were not looked through for the
// facets' terms yet.
func (d *Desk) look(ctx context.Context, rows []uint32, facets map[string][]string) error {
	unread := d.catalog.Unread(rows, facets)
	ids := make([]string, len(unread))
	for i, row := range unread {
		ids[i] = d.catalog.ID(row)
	}
	return d.each(ctx, ids, []string{publication.Title, publication.Abst, publication.Claim}, func(id string, p *publication.Publication) {
		row, _ := d.catalog.Row(id)
		if p == nil {
			p = new(publication.Publication)
		}
		d.catalog.Look(row, facets, p.Title, p.Abst, p.Claim)
	})
}

// each reads publications a batch at a time.
func (d *Desk) each(ctx context.Context, ids, texts []string, do func(id string, p *publication.Publication)) error {
	for len(ids) > 0 {
		batch := ids[:min(len(ids), readBatch)]
		ids = ids[len(batch):]
		pubs, err := d.read(ctx, batch, texts...)
		if err != nil {
			return err
		}
		for i, p := range pubs {
			do(batch[i], p)
		}
	}
	return nil
}
