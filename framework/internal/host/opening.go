package host

import (
	"context"
	"errors"
	"time"

	"github.com/sagasu-search/sagasu/sdk"
	"github.com/sagasu-search/sagasu/sdk/snapshot"
	"github.com/sagasu-search/sagasu/sdk/x/guard"
	"github.com/sagasu-search/sagasu/sdk/x/wire"
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
	p.opening, p.prepared = name, make(chan struct{})
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

// searchPrepared is search. The first on a snapshot that the strategy has not prepared for, and that it cannot
// open by itself, waits for that within its time; those that come meanwhile do not.
func (s *supervisor) searchPrepared(ctx context.Context, req *sdk.Request) (*sdk.Result, error) {
	if patience := s.host.options.Patience; patience > 0 {
		waiting, cancel := context.WithTimeout(ctx, patience)
		defer cancel()
		if err := s.open(waiting, req.Corpus); err != nil && waiting.Err() == nil {
			return nil, err
		}
	}
	until := time.Now().Add(s.callTimeout())
	before := s.preparing()
	res, err := s.search(ctx, req)
	if !errors.Is(err, wire.ErrOpening) {
		return res, err
	}
	begun := s.preparing()
	if begun == nil || begun == before {
		return nil, err
	}
	waiting, cancel := context.WithDeadline(ctx, until)
	defer cancel()
	select {
	case <-begun:
		return s.search(waiting, req)
	case <-waiting.Done():
		return nil, err
	}
}

// preparing is closed when the process is done with preparing for a snapshot; nil where there was nothing to prepare.
func (s *supervisor) preparing() <-chan struct{} {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.current == nil {
		return nil
	}
	return s.current.prepared
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
		close(p.prepared)
	}
}

// opening reports whether a process is known to be preparing for a snapshot.
func (s *supervisor) opening(p *process, name string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return p.opening == name
}
