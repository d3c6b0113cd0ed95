package index

import (
	"cmp"
	"context"
	"errors"
	"io/fs"
	"slices"

	"github.com/sagasu-search/sagasu/framework/corpus"
	"github.com/sagasu-search/sagasu/sdk/snapshot"
)

// State looks at the files and at the published snapshot; it builds nothing.
func (x *Index) State(ctx context.Context) (State, error) {
	if err := x.wait(ctx); err != nil {
		return State{}, err
	}
	defer x.release()
	st := State{Dir: x.opts.Dir}
	b := &builder{index: x}
	defer b.close()
	if err := b.list(ctx); err != nil {
		return st, err
	}
	if err := x.follow(); err != nil {
		if !errors.Is(err, fs.ErrNotExist) {
			st.Damage = err.Error()
		}
		st.Skipped = b.sources.skipped
		return st, nil
	}
	changed, err := b.sources.changed(ctx, x.seen)
	x.setSkipped(b.sources.skipped)
	st.Fresh = err == nil && !changed
	x.describe(&st)
	return st, err
}

// describe fills in what the current snapshot knows.
func (x *Index) describe(st *State) {
	snap := x.lease().snap
	m := snap.Manifest()
	st.Snapshot, st.Created, st.Fingerprint = m.Name, m.Created, m.Fingerprint
	st.Sections, st.DiskBytes = int(snap.Live().GetCardinality()), diskBytes(snap)
	st.Files, _ = x.seen.indexed()
	st.Skipped = x.Skipped()
}

// Skipped lists the files that are not searched, and why, as of the last check.
func (x *Index) Skipped() []corpus.Skip {
	x.mu.Lock()
	defer x.mu.Unlock()
	return slices.Clone(x.skipped)
}

// setSkipped joins the files that walking skipped with those that reading
// skipped. The caller holds the turn.
func (x *Index) setSkipped(walked []corpus.Skip) {
	all := slices.Clone(walked)
	for _, m := range x.seen {
		if m.file.Skipped != "" {
			all = append(all, corpus.Skip{Manual: m.file.Group, Path: m.file.Path, Reason: m.file.Skipped})
		}
	}
	slices.SortFunc(all, func(a, b corpus.Skip) int {
		return cmp.Or(cmp.Compare(a.Manual, b.Manual), cmp.Compare(a.Path, b.Path))
	})
	x.mu.Lock()
	x.skipped = all
	x.mu.Unlock()
}

// indexed counts the files that have sections and their bytes.
func (m memory) indexed() (files int, bytes int64) {
	for _, k := range m {
		if k.file.Skipped == "" {
			files, bytes = files+1, bytes+k.file.Size
		}
	}
	return files, bytes
}

// diskBytes is the size of a snapshot's segments.
func diskBytes(snap *snapshot.Snapshot) int64 {
	var n int64
	for _, g := range snap.Manifest().Segments {
		n += g.Bytes
		if g.Tombstones != nil {
			n += g.Tombstones.Bytes
		}
	}
	return n
}
