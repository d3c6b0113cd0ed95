package index

import (
	"context"
	"time"

	"github.com/sagasu-search/sagasu/framework/internal/corpus"
	"github.com/sagasu-search/sagasu/framework/internal/toolset"
	"github.com/sagasu-search/sagasu/sdk/snapshot"
)

// View is a snapshot with its state, for a search.
type View struct {
	Snapshot *snapshot.Snapshot
	// Manuals are the manuals of the snapshot's files, as of the last check. Read only.
	Manuals []corpus.Manual
	// Lacking lists the files for which Snapshot is out of date, as far as the update under way
	// knows them. Read only.
	Lacking []snapshot.File
	// Skipped lists the files that are not searched, and why, as of the last check, by manual
	// and path. Read only.
	Skipped []toolset.Skip
	// Unwritten says, if the index cannot be written, why Snapshot is older than the files and
	// what to do; else it is nil.
	Unwritten *toolset.Error
	// Since is the time from which on there was something to search.
	Since time.Time
	// Release releases the snapshot.
	Release func()
}

// UntilComplete is the patience of a caller who wants every file in the [Index.View].
const UntilComplete = 24 * time.Hour

// View returns the newest snapshot, and builds the first one. The snapshot includes every edit that the system
// reported; if the system reports none, the files are walked at most once a second. View waits for a long update up
// to patience, counted from when there is something to search; after that, the view lacks the files that the update
// has yet to do. If the index cannot be written, View returns the newest existing snapshot, or fails with the error
// of [View.Unwritten] if there is none.
func (x *Index) View(ctx context.Context, patience time.Duration) (View, error) {
	begin := time.Now()
	v, err := x.view(ctx)
	if err != nil {
		return View{}, err
	}
	since := v.Since
	end, brought := since.Add(patience), false
	for {
		j, newest := x.behind(&v)
		if newest && (brought || j == nil || !time.Now().Before(end)) {
			return v, nil
		}
		v.Release()
		if err := j.await(ctx, time.Until(end)); err != nil {
			return View{}, err
		}
		if v, err = x.view(ctx); err != nil {
			return View{}, err
		}
		v.Since = since
		brought = brought || j.brought(begin) // later changes are for the next search
	}
}

// Peek returns the snapshot in use and a function to release it, or nil if there is none. It checks
// no files and builds nothing.
func (x *Index) Peek() (*snapshot.Snapshot, func()) {
	x.mu.Lock()
	defer x.mu.Unlock()
	if x.closed || x.current == nil || x.damage() != nil {
		return nil, nil
	}
	return x.current.snap, x.current.take()
}

func (x *Index) view(ctx context.Context) (View, error) {
	snap, release, err := x.acquire(ctx)
	return View{Snapshot: snap, Since: time.Now(), Release: release}, err
}

// behind fills in which files the view's snapshot lacks. It returns the update under way, or nil,
// and whether the snapshot is still the newest.
func (x *Index) behind(v *View) (*job, bool) {
	x.mu.Lock()
	defer x.mu.Unlock()
	if x.current == nil || x.current.snap != v.Snapshot {
		return nil, false
	}
	v.Manuals, v.Lacking, v.Skipped, v.Unwritten = x.listed, x.unindexed, x.skipped, x.writeErr
	return x.job, true
}

// await waits for the end of an update, or for patience to end. A nil job counts as ended.
func (j *job) await(ctx context.Context, patience time.Duration) error {
	if j == nil {
		return ctx.Err()
	}
	late := time.NewTimer(patience)
	defer late.Stop()
	select {
	case <-j.done:
	case <-late.C:
	case <-ctx.Done():
	}
	return ctx.Err()
}

// brought reports whether an update that began after a search is complete.
func (j *job) brought(search time.Time) bool {
	return j != nil && j.over() && j.err == nil && !j.began.Before(search)
}
