package index

import (
	"context"
	"errors"
	"io/fs"
	"time"

	"github.com/sagasu-search/sagasu/sdk/snapshot"
)

// update brings the current snapshot up to date. The caller holds the turn.
func (x *Index) update(ctx context.Context, force bool, progress func(Progress)) (Report, error) {
	b := &builder{index: x, progress: progress, begin: time.Now()}
	fresh, err := x.check(ctx, b)
	if err == nil && (!fresh || force) {
		err = x.rebuild(ctx, b, force)
	}
	b.close()
	if err != nil {
		return Report{}, err
	}
	x.settle(b.sources.skipped)
	return x.report(b), nil
}

// check adopts the published snapshot and tells whether it shows the files as
// they are.
func (x *Index) check(ctx context.Context, b *builder) (fresh bool, err error) {
	if err := b.list(ctx); err != nil {
		return false, err
	}
	if err := x.follow(); err != nil {
		return false, nil // rebuild repairs it
	}
	changed, err := b.sources.changed(ctx, x.seen)
	return !changed, err
}

// rebuild builds and publishes while it holds the builder's lock, unless
// another process published what is wanted in the meantime.
func (x *Index) rebuild(ctx context.Context, b *builder, force bool) error {
	b.tell(Progress{Phase: PhaseWalk})
	unlock, err := x.lockBuilder(ctx)
	if err != nil {
		return err
	}
	defer unlock()
	fresh, err := x.check(ctx, b) // again, as waiting may have taken long
	if err != nil || fresh && !force {
		return err
	}
	x.repair()
	snap, err := b.build(ctx)
	if err != nil {
		return err
	}
	x.adopt(snap)
	if err := snapshot.Retire(x.opts.Dir, x.opts.Kind); err != nil {
		x.log.Debug("old snapshots stay until the next build", "error", err)
	}
	return nil
}

// follow opens and checks the published snapshot if it is not the current one.
// After an error there is no current snapshot.
func (x *Index) follow() error {
	name, err := snapshot.Current(x.opts.Dir, x.opts.Kind)
	if l := x.lease(); err == nil && l != nil && l.snap.Name() == name {
		if err = l.snap.Err(); err == nil {
			return nil
		}
	}
	var snap *snapshot.Snapshot
	if err == nil {
		snap, err = x.openPublished(name)
	}
	x.adopt(snap)
	return err
}

// openPublished opens a snapshot by name; when it was retired since the name
// was read, it opens its successor.
func (x *Index) openPublished(name string) (*snapshot.Snapshot, error) {
	snap, err := snapshot.Open(x.opts.Dir, name, true)
	if !errors.Is(err, fs.ErrNotExist) {
		return snap, err
	}
	next, currentErr := snapshot.Current(x.opts.Dir, x.opts.Kind)
	if currentErr != nil || next == name {
		return nil, err
	}
	return snapshot.Open(x.opts.Dir, next, true)
}

// repair sets the published snapshot aside if it is damaged. The caller holds
// the builder's lock.
func (x *Index) repair() {
	err := x.follow()
	bad, ok := errors.AsType[*snapshot.CorruptError](err)
	if !ok {
		return
	}
	x.log.Warn("the index is damaged and is built anew", "file", bad.File, "part", bad.Part, "reason", bad.Reason)
	name, _ := snapshot.Current(x.opts.Dir, x.opts.Kind)
	if err := snapshot.SetAside(x.opts.Dir, x.opts.Kind, name, bad.File); err != nil {
		x.log.Warn("a damaged file could not be set aside", "file", bad.File, "error", err)
	}
}

// report tells what the current snapshot holds.
func (x *Index) report(b *builder) Report {
	snap := x.lease().snap
	r := b.report
	r.Snapshot, r.Skipped = snap.Name(), x.Skipped()
	r.Sections, r.DiskBytes = int(snap.Live().GetCardinality()), diskBytes(snap)
	r.Files, r.Bytes = x.seen.indexed()
	r.Elapsed = time.Since(b.begin)
	return r
}
