package index

import (
	"context"
	"time"

	"github.com/sagasu-search/sagasu/framework/internal/corpus"
	"github.com/sagasu-search/sagasu/framework/internal/toolset"
	"github.com/sagasu-search/sagasu/sdk/snapshot"
)

// View is what a search gets to see.
type View struct {
	Snapshot *snapshot.Snapshot
	// Manuals are those of the snapshot's files, as of the last look. Read only.
	Manuals []corpus.Manual
	// Lacking lists the files that Snapshot does not show as they are, as far as
	// the update under way knows them. Read only.
	Lacking []snapshot.File
	// Skipped lists the files that are not searched, and why, as of the last look, by manual
	// and path. Read only.
	Skipped []toolset.Skip
	// Unwritten is why Snapshot is older than the files, where the index cannot be written, and
	// what to do; else nil.
	Unwritten *toolset.Error
	// Since is when there was something to search.
	Since time.Time
	// Release lets the snapshot go.
	Release func()
}

// View returns the newest snapshot, and builds the first. An edit that the system reported
// is in it; where it reports none, the files are walked at most once a second. When an
// update is long it waits for it, up to patience from when there is something to search;
// after that the view lacks what the update has still to do. Where the index cannot be written,
// the view is the newest that there is; without any, View fails with what [View.Unwritten] says.
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
		brought = brought || j.brought(begin) // what changed since is the next search's
	}
}

// Peek returns the snapshot in use and what releases it, or nil where there is none. It looks at no
// files and builds nothing.
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

// behind fills in what the view's snapshot lacks. It returns the update under
// way, or nil, and whether the snapshot is still the newest.
func (x *Index) behind(v *View) (*job, bool) {
	x.mu.Lock()
	defer x.mu.Unlock()
	if x.current == nil || x.current.snap != v.Snapshot {
		return nil, false
	}
	v.Manuals, v.Lacking, v.Skipped, v.Unwritten = x.listed, x.unindexed, x.skipped, x.writeErr
	return x.job, true
}

// await waits for the end of an update, or for patience to end. A nil job is over.
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
