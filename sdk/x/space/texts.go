package space

import (
	"cmp"
	"context"

	"github.com/sagasu-search/sagasu/sdk"
	"github.com/sagasu-search/sagasu/sdk/embed"
	"github.com/sagasu-search/sagasu/sdk/snapshot"
	"github.com/sagasu-search/sagasu/sdk/x/vector"
)

// Texts is an [Encoder] that lets a provider embed the texts of sections.
type Texts struct {
	Provider embed.Provider
	// Of returns the texts of a section. Each gets a vector.
	Of func(snap *snapshot.Snapshot, id uint32) []string
	// Form changes whenever the texts of an unchanged section may change.
	Form string
	// AtOnce is the number of sections that are embedded, stored and published at a time; 0 means 64.
	AtOnce int
}

// ID implements [Encoder].
func (t *Texts) ID() string { return t.Provider.ID() + " " + t.Form }

// Segment implements [Encoder].
func (t *Texts) Segment(
	ctx context.Context, snap *snapshot.Snapshot, seg *snapshot.Segment, publish func(vector.Part),
) (vector.Part, error) {
	var parts []vector.Part
	atOnce := uint32(cmp.Or(t.AtOnce, 64))
	for lo := uint32(0); lo < seg.Len(); lo += atOnce {
		p, err := t.part(ctx, snap, seg.Base(), lo, min(lo+atOnce, seg.Len()))
		if err != nil {
			return vector.Part{}, err
		}
		publish(p)
		parts = append(parts, p)
		sdk.Logger(ctx).Debug("embedded sections", "done", min(lo+atOnce, seg.Len()), "of", seg.Len())
	}
	return vector.Join(parts), nil
}

// part embeds the sections [lo, hi) of a segment that begins at base.
func (t *Texts) part(ctx context.Context, snap *snapshot.Snapshot, base, lo, hi uint32) (vector.Part, error) {
	p := vector.Part{Base: lo, Set: vector.NewSet(0, 0), First: []uint32{0}}
	var texts []string
	for id := base + lo; id < base+hi; id++ {
		texts = append(texts, t.Of(snap, id)...)
		p.First = append(p.First, uint32(len(texts)))
	}
	if ctx.Err() != nil || len(texts) == 0 {
		return p, ctx.Err()
	}
	vectors, err := t.Provider.Embed(ctx, texts)
	if err != nil {
		return p, err
	}
	p.Set = vector.NewSet(len(vectors[0]), len(vectors))
	for row, v := range vectors {
		if vector.Normalise(v) {
			p.Set.Put(row, v)
		}
	}
	return p, nil
}
