package laterank

import (
	"context"
	"sync"
	"time"

	"github.com/hashicorp/go-hclog"

	"github.com/sagasu-search/sagasu/sdk/snapshot"
)

// learnTime bounds the learning of one corpus.
const learnTime = 30 * time.Second

// mostModels is how many are kept: of the newest snapshots.
const mostModels = 2

// modelCache learns models in the background, one after the other. The zero value is ready.
type modelCache struct {
	running sync.WaitGroup
	turn    sync.Mutex // held while learning

	mu         sync.Mutex
	closed     bool
	cancel     []context.CancelFunc
	names      []string          // oldest first
	bySnapshot map[string]*model // by name
}

// start starts learning from a snapshot, unless that was done.
func (s *modelCache) start(dir, name string, logger hclog.Logger) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if _, known := s.bySnapshot[name]; known || s.closed {
		return
	}
	if s.bySnapshot == nil {
		s.bySnapshot = make(map[string]*model)
	}
	s.bySnapshot[name], s.names = nil, append(s.names, name)
	ctx, cancel := context.WithCancel(context.Background())
	s.cancel = append(s.cancel, cancel)
	if len(s.names) > mostModels {
		s.cancel[0]()
		delete(s.bySnapshot, s.names[0])
		s.names, s.cancel = s.names[1:], s.cancel[1:]
	}
	s.running.Go(func() {
		if err := s.run(ctx, dir, name); err != nil && ctx.Err() == nil {
			logger.Warn("nothing was learned from the corpus", "snapshot", name, "error", err)
		}
	})
}

// run learns from a snapshot that it opens for itself: the caller's may be
// closed before the end.
func (s *modelCache) run(ctx context.Context, dir, name string) error {
	s.turn.Lock()
	defer s.turn.Unlock()
	ctx, cancel := context.WithTimeout(ctx, learnTime)
	defer cancel()
	snap, err := snapshot.Open(dir, name, false)
	if err != nil {
		return err
	}
	defer snap.Close() // read-only: nothing to lose
	var m *model
	if err := snap.Guard(func() (err error) { m, err = learn(ctx, snap); return err }); err != nil {
		return err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if _, wanted := s.bySnapshot[name]; wanted {
		s.bySnapshot[name] = m
	}
	return nil
}

// model returns what was learned from a snapshot, or nil.
func (s *modelCache) model(name string) *model {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.bySnapshot[name]
}

// close stops learning and waits.
func (s *modelCache) close() {
	s.mu.Lock()
	s.closed = true
	for _, cancel := range s.cancel {
		cancel()
	}
	s.mu.Unlock()
	s.running.Wait()
}
