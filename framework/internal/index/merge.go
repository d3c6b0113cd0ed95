package index

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"github.com/RoaringBitmap/roaring/v2"

	"github.com/sagasu-search/sagasu/sdk/snapshot"
	"github.com/sagasu-search/sagasu/sdk/x/guard"
)

const (
	// maxSegments is the number of segments of a snapshot from which on small ones are merged.
	maxSegments = 8
	// wornShare is the inverse of the share of deleted sections from which on a segment is
	// rewritten.
	wornShare = 4
	// maxMerged is the maximum size in bytes of segments that are merged at once, since the
	// result is held in memory.
	maxMerged = 160 << 20
)

// mergeFile returns the name of the file for a merged segment, which no snapshot uses.
func mergeFile(kind snapshot.Kind) string { return "merge-" + string(kind) + ".seg" }

// mergeable returns the segments to merge into one, or none: those with many deleted sections and,
// if there are too many segments, the smallest ones of similar size, so that no section is copied
// often.
func mergeable(segments []*snapshot.Segment) []*snapshot.Segment {
	sorted := slices.SortedFunc(slices.Values(segments), func(a, b *snapshot.Segment) int {
		return cmp.Compare(a.Info().Bytes, b.Info().Bytes)
	})
	picked, sum, held, small := []*snapshot.Segment{}, int64(0), int64(0), len(segments) > maxSegments
	for i, g := range sorted {
		small = small && (i < 2 || g.Info().Bytes <= 2*sum)
		sum += g.Info().Bytes
		if (small || worn(g)) && held+g.Info().Bytes <= maxMerged {
			picked, held = append(picked, g), held+g.Info().Bytes
		}
	}
	if len(picked) == 1 && !worn(picked[0]) {
		return nil
	}
	return slices.DeleteFunc(slices.Clone(segments), func(g *snapshot.Segment) bool { // a file may continue
		return !slices.Contains(picked, g)
	})
}

func worn(g *snapshot.Segment) bool {
	return g.Deleted() != nil && g.Deleted().GetCardinality()*wornShare >= uint64(max(g.Len(), 1))
}

// mergeLater starts merging in the background if there is something to merge.
func (x *Index) mergeLater() {
	x.mu.Lock()
	defer x.mu.Unlock()
	if x.closed || x.merging || x.current == nil || len(mergeable(x.current.snap.Segments())) == 0 {
		return
	}
	x.merging = true
	x.work.Go(func() error {
		err := guard.Call(func() error { return x.mergeAll(x.ctx) })
		if err != nil && x.ctx.Err() == nil {
			x.log.Warn("segments could not be merged", "error", err)
			guard.LogStack(x.log, err)
		}
		x.mu.Lock()
		defer x.mu.Unlock()
		x.merging = false
		return nil
	})
}

// mergeAll merges until there is nothing left to merge, unless another process is merging.
func (x *Index) mergeAll(ctx context.Context) (err error) {
	unlock, ok := tryLock(x.opts.Dir, mergeLock)
	if !ok {
		return nil
	}
	defer func() { err = errors.Join(err, unlock()) }()
	for more := true; more && err == nil; {
		more, err = x.merge(ctx)
	}
	return err
}

// merge merges once. Searches and updates go on until the result is published.
func (x *Index) merge(ctx context.Context) (more bool, err error) {
	snap, release := x.held()
	if snap == nil {
		return false, nil
	}
	defer release()
	err = snap.Guard(func() error { more, err = x.mergeIn(ctx, snap); return err })
	return more, err
}

// mergeIn merges segments of a snapshot.
func (x *Index) mergeIn(ctx context.Context, snap *snapshot.Snapshot) (more bool, err error) {
	picked := mergeable(snap.Segments())
	if len(picked) == 0 {
		return false, nil
	}
	dir, file := x.opts.Dir, mergeFile(x.schema.Kind)
	w := snapshot.NewWriter(x.schema)
	defer w.Discard()
	if err := w.Merge(ctx, picked...); err != nil {
		return false, err
	}
	info, err := w.WriteFile(ctx, dir, file)
	if err == nil {
		err = snapshot.Verify(dir, info)
	}
	if err == nil && snap.Err() == nil {
		more, err = x.replace(ctx, picked, w.Files(), info)
	}
	if rest := os.Remove(filepath.Join(dir, file)); !errors.Is(rest, os.ErrNotExist) {
		err = errors.Join(err, rest)
	}
	return more, err
}

// held returns the current snapshot and a function that ends its use.
func (x *Index) held() (*snapshot.Snapshot, func()) {
	x.mu.Lock()
	defer x.mu.Unlock()
	if x.current == nil {
		return nil, nil
	}
	return x.current.snap, x.current.take()
}

// replace publishes a snapshot in which a merged segment replaces those it was made from. Files
// that were deleted in the meantime are deleted in it too.
func (x *Index) replace(
	ctx context.Context, merged []*snapshot.Segment, files []snapshot.File, info snapshot.SegmentInfo,
) (bool, error) {
	if err := x.lockUpdates(ctx); err != nil {
		return false, err
	}
	defer x.unlockUpdates()
	lock, _, err := x.lockBuilder(ctx)
	if err != nil {
		return false, err
	}
	defer x.unlock(lock)
	if err := x.follow(); err != nil {
		return false, nil // the next update repairs it
	}
	m, err := x.manifest()
	if err != nil {
		return false, err
	}
	base := x.base()
	if err := base.Guard(func() error {
		info, m.Segments, err = substitute(base, merged, files, info)
		return err
	}); err != nil || len(m.Segments) == len(base.Segments()) {
		return false, err // as many segments: everything was rebuilt
	}
	info.File = snapshot.SegmentFile(m.Name)
	from, to := filepath.Join(x.opts.Dir, mergeFile(x.schema.Kind)), filepath.Join(x.opts.Dir, info.File)
	if err := os.Rename(from, to); err != nil {
		return false, fmt.Errorf("merge segments: %w", err)
	}
	m.Segments = append(m.Segments, info)
	old := base.Manifest()
	m.Created, m.Pending, m.Fingerprint = old.Created, old.Pending, old.Fingerprint
	defer x.retire()
	return true, x.publish(m, lock)
}

// substitute returns the merged segment without the files that base has deleted since, and the
// segments of base that it does not replace.
func substitute(
	base *snapshot.Snapshot, merged []*snapshot.Segment, files []snapshot.File, info snapshot.SegmentInfo,
) (snapshot.SegmentInfo, []snapshot.SegmentInfo, error) {
	var others []snapshot.SegmentInfo
	alive := map[key]bool{}
	for _, g := range base.Segments() {
		same := func(o *snapshot.Segment) bool { return o.Info().File == g.Info().File && o.Info().CRC == g.Info().CRC }
		if !slices.ContainsFunc(merged, same) {
			others = append(others, g.Info())
			continue
		}
		for f := range g.Files() {
			alive[key{f.Group, f.Path}] = true
		}
	}
	dead := roaring.New() // rows of files
	for i, f := range files {
		if !alive[key{f.Group, f.Path}] {
			dead.Add(uint32(i))
		}
	}
	info, err := info.WithDeleted(dead)
	if err != nil {
		return info, nil, fmt.Errorf("merge segments: %w", err)
	}
	return info, others, nil
}
