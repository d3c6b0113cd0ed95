package host

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"github.com/sagasu-search/sagasu/sdk/x/guard"
	"github.com/sagasu-search/sagasu/sdk/x/wire"
)

// group runs bundled strategies without grants in one process. If that fails twice within [patience], each gets
// its own process, since it is not known which strategy is to blame.
type group struct {
	host  *Host
	entry *Entry // of the process

	mu      sync.Mutex
	apart   bool
	failed  time.Time // when a process last did
	current *shared   // nil before the first start and while nobody uses it
}

// patience is how long a failure of a shared process is remembered. A single failure may be the machine's fault.
const patience = 10 * time.Minute

// shared is a process of a group.
type shared struct {
	group   *group
	lastUse atomic.Int64 // in Unix nanoseconds
	answer  atomic.Int64 // the last of any member, in Unix nanoseconds

	ready chan struct{} // closed when process or err is set
	whole *process
	err   error

	// Guarded by the group.
	users  int // members that hold it
	failed bool
}

// groupName is the name of the process in the log.
const groupName = "bundled"

// newGroup returns the group of the entries that may share a process, or nil if there are fewer than two.
func newGroup(h *Host) *group {
	var members []string
	for i := range h.options.Entries {
		if e := &h.options.Entries[i]; e.Shared {
			members = append(members, e.Name)
		}
	}
	if len(members) < 2 {
		return nil
	}
	return &group{host: h, entry: &Entry{Name: groupName, members: members}}
}

// errApart means that strategies no longer share a process.
var errApart = errors.New("each strategy has a process of its own")

// launch makes the first calls of the strategy of e in the shared process. It starts the process if necessary.
func (g *group) launch(caller context.Context, e *Entry) (*process, error) {
	ctx, cancel := context.WithTimeout(caller, g.host.options.StartTimeout)
	defer cancel()
	s := g.enter()
	if s == nil {
		return nil, errApart
	}
	select {
	case <-s.ready:
	case <-ctx.Done():
		s.leave()
		return nil, g.host.interrupted(caller, ctx.Err())
	}
	if s.err != nil {
		s.leave()
		return nil, errApart
	}
	p := &process{
		runner: s.whole.runner, client: s.whole.client, connection: s.whole.connection, temp: s.whole.temp,
		strategy: s.whole.strategy.Member(e.Name), indexes: s.whole.indexes, shared: s,
	}
	err := guard.Call(func() error { return p.begin(ctx, e) })
	if err == nil {
		return p, nil
	}
	late := ctx.Err() != nil || errors.Is(err, context.DeadlineExceeded)
	if late {
		err = g.host.interrupted(caller, err)
	}
	if late || errors.Is(err, wire.ErrGone) {
		s.fail(err)
		err = fmt.Errorf("%w: %w", errApart, err)
	}
	p.close()
	return nil, err
}

// enter returns the process for one more member, or nil if strategies no longer share one.
func (g *group) enter() *shared {
	g.mu.Lock()
	defer g.mu.Unlock()
	if s := g.current; s != nil && s.outdated() {
		g.current = nil // its members leave it one by one
	}
	switch {
	case g.apart:
		return nil
	case g.current == nil:
		s := &shared{group: g, ready: make(chan struct{})}
		g.current = s
		g.host.background(func() {
			s.whole, s.err = g.host.launchTo(g.host.ctx, g.entry, connected)
			close(s.ready)
			if s.err != nil {
				s.fail(s.err)
			}
		})
	}
	g.current.users++
	return g.current
}

// outdated reports whether a process has ended or cannot access the directories that it must read.
func (s *shared) outdated() bool {
	select {
	case <-s.ready:
		return s.err == nil && (s.whole.runner.ended() || s.whole.misplaced(s.group.host.options.indexDirs()))
	default:
		return false
	}
}

// fail ends the process. If the process did not start, or another failed within patience, it also ends sharing.
func (s *shared) fail(why error) {
	g := s.group
	g.mu.Lock()
	first := !s.failed && g.host.ctx.Err() == nil
	if first {
		s.failed = true
		g.apart = g.apart || s.whole == nil || time.Since(g.failed) < patience
		g.failed = time.Now()
	}
	if g.current == s {
		g.current = nil
	}
	apart := g.apart
	g.mu.Unlock()
	if first {
		g.host.options.Logger.Warn("the process of the bundled strategies failed", "error", why, "apart", apart)
	}
	if s.whole != nil {
		s.whole.runner.kill()
	}
}

// leave ends the use by one member. The last one closes the process.
func (s *shared) leave() {
	g := s.group
	g.mu.Lock()
	s.users--
	last := s.users == 0
	if last && g.current == s {
		g.current = nil
	}
	g.mu.Unlock()
	if !last {
		return
	}
	if <-s.ready; s.err == nil {
		s.whole.close()
	}
}

// answeredSince reports whether a member has answered a call since the time given.
func (s *shared) answeredSince(since time.Time) bool { return s.answer.Load() >= since.UnixNano() }

// restsSince reports whether no member has used the process since the given time.
func (s *shared) restsSince(since time.Time) bool { return s.lastUse.Load() < since.UnixNano() }
