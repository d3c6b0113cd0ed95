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

// awaitOpening waits in the background until a process has prepared for a snapshot. In the meantime
// no call waits for that.
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

// searchPrepared is like search, but prepares the strategy first if it has not prepared for the snapshot and
// cannot open it by itself. The first search waits for that within its time limit; concurrent ones do not.
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

// preparing returns a channel that is closed when the process has finished preparing for a snapshot, or nil if it was
// not preparing.
func (s *supervisor) preparing() <-chan struct{} {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.current == nil {
		return nil
	}
	return s.current.prepared
}

// prepare lets the process prepare for a snapshot. It opens the snapshot again, since the caller of the search may
// have closed it, and a process that reads remotely needs one that is open in the host.
func (p *process) prepare(ctx context.Context, dir, name string) error {
	corpus, err := snapshot.Open(dir, name, false)
	if err != nil {
		return err
	}
	return errors.Join(p.strategy.Open(ctx, corpus), corpus.Close())
}

// opened records that a process has finished preparing for a snapshot.
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
