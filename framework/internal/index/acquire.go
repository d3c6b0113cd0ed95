package index

import (
	"context"
	"sync"
	"time"

	"github.com/sagasu-search/sagasu/sdk/snapshot"
	"github.com/sagasu-search/sagasu/sdk/x/guard"
)

// maxUpdateWait is how long a search waits for an update if there is an older snapshot to search.
const maxUpdateWait = 500 * time.Millisecond

// acquire returns the newest snapshot and a function to release it. The snapshot includes every
// edit that the system reported; if the system reports none, the files are walked at most once a
// second. After a change, acquire waits for the update, unless the index is live and the update
// takes long: then it returns the newest existing snapshot, and Pending in the manifest is the
// number of files still to come. If there is no snapshot, acquire waits for the first, which may be
// partial if the index is live.
func (x *Index) acquire(ctx context.Context) (*snapshot.Snapshot, func(), error) {
	if err := ctx.Err(); err != nil {
		return nil, nil, err
	}
	begin := time.Now()
	var last *job
	for {
		o, err := x.offer(begin, last)
		if err != nil || o.snap != nil {
			return o.snap, o.release, err
		}
		if err := o.wait(ctx, x.opts.Live); err != nil && (remedy(err) == "" || !x.usable()) {
			if x.ctx.Err() != nil {
				err = ErrClosed
			}
			return nil, nil, err
		}
		last = o.job
	}
}

// offer is what acquire can get now: a snapshot, or an update to wait for.
type offer struct {
	snap    *snapshot.Snapshot
	release func()
	job     *job
	stale   bool // there is an older snapshot
	parts   bool // the update has published a part
}

// offer returns what is available for a search that started at begin and has waited for the update
// last, which may be nil.
func (x *Index) offer(begin time.Time, last *job) (offer, error) {
	x.mu.Lock()
	defer x.mu.Unlock()
	if x.closed {
		return offer{}, ErrClosed
	}
	damage := x.damage()
	usable := x.current != nil && damage == nil
	done := last != nil && last.over() && !last.began.Before(begin)
	if done && x.current != nil && !usable {
		return offer{}, damage
	}
	if usable && (done || x.fresh() || x.opts.Live && x.job != nil && x.job.long()) {
		return offer{snap: x.current.snap, release: x.current.take()}, nil
	}
	j := x.start()
	return offer{job: j, stale: usable, parts: closed(j.parts)}, nil
}

// usable reports whether there is a snapshot that can be searched.
func (x *Index) usable() bool {
	x.mu.Lock()
	defer x.mu.Unlock()
	return x.current != nil && x.damage() == nil
}

// damage returns the corruption of the current snapshot, or nil. The caller holds mu.
func (x *Index) damage() error {
	if x.current == nil {
		return nil
	}
	return x.current.snap.Check()
}

// fresh reports whether no change since the current snapshot is known. The caller holds mu.
func (x *Index) fresh() bool {
	return x.pending.empty() && x.current.complete() && !x.superseded() &&
		(x.watched() || time.Since(x.checked) < checkEvery)
}

// watched reports whether the system reports changes. The caller holds mu.
func (x *Index) watched() bool { return x.watcher != nil && !x.noFolders }

// job is one update in the background.
type job struct {
	began time.Time
	part  func()        // called when a part of a long update is published
	parts chan struct{} // closed by it
	done  chan struct{}
	err   error // when done
}

// start starts an update unless one is under way. The caller holds mu, and the
// index is not closed.
func (x *Index) start() *job {
	if x.job != nil {
		return x.job
	}
	j := &job{began: time.Now(), parts: make(chan struct{}), done: make(chan struct{})}
	j.part = sync.OnceFunc(func() { close(j.parts) })
	x.job = j
	x.work.Go(func() error {
		defer close(j.done)
		j.err = guard.Call(func() error { _, err := x.exclusive(x.ctx, false, x.opts.Progress); return err })
		x.mu.Lock()
		defer x.mu.Unlock()
		x.job = nil
		return nil
	})
	return j
}

func (j *job) over() bool { return closed(j.done) }

// long reports whether searches no longer wait for the update.
func (j *job) long() bool { return closed(j.parts) || time.Since(j.began) >= maxUpdateWait }

// wait waits until the update ends or, if the index is live and there is something else to search,
// takes long.
func (o *offer) wait(ctx context.Context, live bool) error {
	parts, late := o.job.parts, (<-chan time.Time)(nil)
	switch {
	case live && o.stale:
		timer := time.NewTimer(maxUpdateWait - time.Since(o.job.began))
		defer timer.Stop()
		late = timer.C
	case !live, o.parts: // its part has since been damaged and cannot be used
		parts = nil
	}
	select {
	case <-o.job.done:
		return o.job.err
	case <-parts:
	case <-late:
	case <-ctx.Done():
		return ctx.Err()
	}
	return nil
}

func closed(c <-chan struct{}) bool {
	select {
	case <-c:
		return true
	default:
		return false
	}
}
