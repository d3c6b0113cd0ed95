package embedding

import (
	"context"
	"slices"
	"sync"
	"time"

	"github.com/sagasu-search/sagasu/sdk"
	"github.com/sagasu-search/sagasu/sdk/snapshot"
	"github.com/sagasu-search/sagasu/sdk/x/guard"
	"github.com/sagasu-search/sagasu/sdk/x/space"
	"github.com/sagasu-search/sagasu/sdk/x/state"
	"github.com/sagasu-search/sagasu/sdk/x/vector"
)

// building is the set of vectors of one snapshot, which are computed in the background.
type building struct {
	dir, name string
	cancel    context.CancelFunc
	done      chan struct{} // closed when nothing more is computed

	mu    sync.Mutex
	parts []vector.Part // searchable vectors, from the first section on
	sieve *vector.Sieve // for very many sections, once complete
	err   error         // why it ended before it was complete
	ended time.Time
	whole []space.Segment // nil before it is complete
}

func (b *building) is(snap *snapshot.Snapshot) bool {
	return b.dir == snap.Dir() && b.name == snap.Name()
}

// view returns what can be searched, and why nothing more is computed.
func (b *building) view() ([]vector.Part, *vector.Sieve, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.parts, b.sieve, b.err
}

// bound returns the first section without a vector.
func bound(parts []vector.Part) uint32 {
	if len(parts) == 0 {
		return 0
	}
	last := parts[len(parts)-1]
	return last.Base + uint32(last.Sections())
}

// publish makes the first parts of an attempt searchable, unless an earlier attempt got further.
func (b *building) publish(parts []vector.Part) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if bound(parts) >= bound(b.parts) {
		b.parts = slices.Clip(parts)
	}
}

// retryAfter is the delay before a failed building is retried.
const retryAfter = 30 * time.Second

// stale reports whether a building failed so long ago that it should be retried.
func (b *building) stale(now time.Time) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.err != nil && now.Sub(b.ended) >= retryAfter
}

// mostBuildings is the number of buildings kept: for two kinds of corpus, the current snapshot and the one before.
const mostBuildings = 4

// building returns the building of a snapshot and starts it if necessary. It ends an earlier one of the same index.
func (s *Strategy) building(ctx context.Context, snap *snapshot.Snapshot) *building {
	s.mu.Lock()
	defer s.mu.Unlock()
	at := slices.IndexFunc(s.buildings, func(b *building) bool { return b.is(snap) })
	if at >= 0 && !s.buildings[at].stale(time.Now()) {
		return s.buildings[at]
	}
	b := &building{dir: snap.Dir(), name: snap.Name(), done: make(chan struct{})}
	if at >= 0 {
		b.parts, _, _ = s.buildings[at].view()
		s.buildings = slices.Delete(s.buildings, at, at+1)
	}
	var before *building // of the same index
	for _, other := range s.buildings {
		if other.dir == b.dir && other.name < b.name { // a search on an older one ends nothing
			before = other
			other.cancel()
		}
	}
	ctx, b.cancel = context.WithCancel(context.WithoutCancel(ctx))
	s.buildings = append(s.buildings, b)
	if excess := len(s.buildings) - mostBuildings; excess > 0 {
		for _, old := range s.buildings[:excess] {
			old.cancel()
		}
		s.buildings = slices.Delete(s.buildings, 0, excess)
	}
	if s.closed {
		b.cancel()
	}
	s.running.Go(func() error {
		defer close(b.done)
		var held []space.Segment
		if before != nil {
			<-before.done
			held = before.whole
		}
		whole, err := s.build(ctx, b, held)
		parts := space.Parts(whole)
		var sieve *vector.Sieve
		if int(bound(parts)) > s.exact {
			sieve = vector.NewSieve(parts)
		}
		b.mu.Lock()
		defer b.mu.Unlock()
		if b.whole, b.err, b.ended = whole, err, time.Now(); err == nil {
			b.parts, b.sieve = parts, sieve
		} else if ctx.Err() == nil {
			sdk.Logger(ctx).Warn("vectors are missing", "error", err)
		}
		return nil
	})
	return b
}

// build computes the vectors of a snapshot. It opens the snapshot again, because the caller may close its own.
func (s *Strategy) build(ctx context.Context, b *building, held []space.Segment) (out []space.Segment, err error) {
	err = guard.Call(func() error {
		snap, err := snapshot.Open(b.dir, b.name, false)
		if err != nil {
			return err
		}
		defer snap.Close()
		files, err := state.Open(sdk.StateDir(ctx), snap.Kind(), sdk.Logger(ctx))
		if err != nil {
			return err
		}
		defer files.Close()
		provider, release, err := s.model.Sections(files.Dir())
		if err != nil {
			return err
		}
		defer release()
		texts := &space.Texts{Provider: provider, Of: s.pieces, Form: s.form(), AtOnce: s.config.Batch}
		var parts []vector.Part
		err = snap.Guard(func() (err error) {
			out, err = space.Segments(ctx, snap, files, texts, held, func(p vector.Part) {
				parts = append(parts, p)
				b.publish(parts)
			})
			return err
		})
		if err == nil {
			files.Retire(space.Ext, space.Keys(snap, texts.ID()))
		}
		return err
	})
	return out, err
}
