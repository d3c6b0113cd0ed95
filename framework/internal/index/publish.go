package index

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/sagasu-search/sagasu/sdk/snapshot"
)

// publish writes the part as a segment, and publishes a snapshot of it and of the unreplaced files
// of the current one. rest lists the files still to come. The caller holds the update lock and the
// builder's lock.
func (b *builder) publish(ctx context.Context, rest []candidate) error {
	x, start := b.index, time.Now()
	m, err := x.manifest()
	if err != nil {
		return err
	}
	m.Fingerprint = snapshot.Fingerprint(b.part.files)
	if base := x.base(); base != nil && !b.force {
		if err := base.Guard(func() error { return b.keep(base, &m) }); err != nil {
			return err
		}
	}
	if !b.lock.valid() { // another builder may own the directory now
		return errRemoved
	}
	m.Segments = append(m.Segments, b.part.before...)
	if len(b.part.files) > 0 || len(m.Segments) == 0 {
		info, err := b.write(ctx, m.Name)
		if err != nil {
			return err
		}
		m.Segments = append(m.Segments, info)
	}
	m.Created, m.Pending = b.begin.UTC().Round(0), len(rest)
	x.setUnindexed(rest)
	if err := x.publish(m, b.lock); err != nil {
		return err
	}
	x.setSkipped() // a part can be searched during the build
	if err := b.keepRefusals(b.force); err != nil {
		return fmt.Errorf("build index: %w", err)
	}
	b.part.writer.Discard()
	b.lastPart = b.part.bytes
	b.report.Write, b.report.Built = b.report.Write+Span(time.Since(start)), true
	return nil
}

// write writes and ends the part's writer, into the segment of a snapshot's name.
func (b *builder) write(ctx context.Context, name string) (snapshot.SegmentInfo, error) {
	dir := b.index.opts.Dir
	info, err := b.part.writer.WriteFile(ctx, dir, snapshot.SegmentFile(name))
	if err == nil {
		err = snapshot.Verify(dir, info)
	}
	if err != nil {
		return info, fmt.Errorf("build index: %w", err)
	}
	return info, nil
}

// keep adds to a manifest the segments of a snapshot without the files that were removed or are in
// the part.
func (b *builder) keep(base *snapshot.Snapshot, m *snapshot.Manifest) error {
	files := slices.Clone(b.part.files)
	dead := make(map[key]bool, len(files))
	for _, f := range files {
		dead[key{f.Group, f.Path}] = true
	}
	deleted := func(group, path string) bool {
		k := key{group, path}
		return dead[k] || b.changes.gone[k]
	}
	for f := range base.Files() {
		if !deleted(f.Group, f.Path) {
			files = append(files, f)
		}
	}
	m.Fingerprint = snapshot.Fingerprint(files)
	for _, g := range base.Segments() {
		info, left, err := g.Delete(deleted)
		if err != nil {
			return fmt.Errorf("build index: %w", err)
		}
		if left > 0 {
			m.Segments = append(m.Segments, info)
		}
	}
	return nil
}

// name returns an unused snapshot name.
func (x *Index) name() (string, error) {
	x.mu.Lock()
	used := x.newestName
	x.mu.Unlock()
	return snapshot.NextName(x.opts.Dir, x.schema.Kind, used)
}

// manifest returns a manifest with a new name.
func (x *Index) manifest() (snapshot.Manifest, error) {
	name, err := x.name()
	return snapshot.Manifest{
		Version: snapshot.FormatVersion, Name: name, Kind: x.schema.Kind, Fields: x.schema.Fields,
	}, err
}

// publish publishes and installs a snapshot whose segments are verified. The
// caller holds the update lock and the builder's lock.
func (x *Index) publish(m snapshot.Manifest, lock *fileLock) error {
	if !lock.valid() {
		return errRemoved
	}
	if err := snapshot.Publish(x.opts.Dir, m); err != nil {
		return fmt.Errorf("build index: %w", err)
	}
	snap, err := snapshot.Open(x.opts.Dir, m.Name, false)
	if err != nil {
		return fmt.Errorf("build index: %w", err)
	}
	return x.install(snap, x.stat())
}

// setUnindexed records the files that an update has yet to index.
func (x *Index) setUnindexed(todo []candidate) {
	files := make([]snapshot.File, len(todo))
	for i, c := range todo {
		files[i] = c.File
	}
	x.mu.Lock()
	x.unindexed = files
	x.mu.Unlock()
}

// report returns a report on the current snapshot.
func (x *Index) report(b *builder) Report {
	snap := x.base()
	r := b.report
	r.Snapshot, r.Skipped = snap.Name(), x.Skipped()
	r.Sections, r.DiskBytes = int(snap.Live().GetCardinality()), diskBytes(snap)
	r.Files, r.Bytes = x.known.indexed()
	for _, path := range slices.Sorted(maps.Keys(b.refused)) {
		r.Refused = append(r.Refused, b.refused[path].First)
		r.RefusedCount += b.refused[path].Count
	}
	r.Elapsed = Span(time.Since(b.begin))
	return r
}
