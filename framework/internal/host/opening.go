package host

import (
	"context"
	"errors"

	"github.com/sagasu-search/sagasu/sdk/snapshot"
	"github.com/sagasu-search/sagasu/sdk/x/guard"
)

// awaitOpening waits, in the background, until a process has prepared for a
// snapshot. Meanwhile nobody else waits for that.
func (s *supervisor) awaitOpening(p *process, corpus *snapshot.Snapshot) {
	s.mu.Lock()
	defer s.mu.Unlock()
	dir, name := corpus.Dir(), corpus.Name()
	if s.current != p || p.opening == name {
		return
	}
	p.opening = name
	p.users++
	s.host.background(func() {
		defer s.release(p)
		err := guard.Call(func() error { return p.prepare(s.host.ctx, dir, name) })
		s.opened(p, name)
		if err != nil && s.host.ctx.Err() == nil {
			s.failed(p, err, harmless)
		}
	})
}

// prepare lets the process prepare for a snapshot, which it opens anew: whoever wanted it
// searched has let go of his own, and a process that reads remotely is shown the host's.
func (p *process) prepare(ctx context.Context, dir, name string) error {
	corpus, err := snapshot.Open(dir, name, false)
	if err != nil {
		return err
	}
	return errors.Join(p.strategy.Open(ctx, corpus), corpus.Close())
}

// opened notes that a process is done with preparing for a snapshot.
func (s *supervisor) opened(p *process, name string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if p.opening == name {
		p.opening = ""
	}
}

// opening reports whether a process is known to be preparing for a snapshot.
func (s *supervisor) opening(p *process, name string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return p.opening == name
}
