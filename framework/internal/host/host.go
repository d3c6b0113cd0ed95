package host

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"sync"
	"time"

	"github.com/sagasu-search/sagasu/sdk/x/guard"
	"github.com/sagasu-search/sagasu/sdk/x/wire"
)

// Host runs strategies and converters in processes: started on first need, kept, replaced
// when they die. It is safe for concurrent use.
type Host struct {
	options     Options
	supervisors []*supervisor
	byName      map[string]*supervisor
	converters  map[string]*converter
	forker      *forker
	group       *group // nil where no strategies share a process

	identity func() (*wire.Identity, error) // the host's certificate for strategies, made once

	tempMu sync.Mutex
	temp   *tempDir // nil before it is first needed

	ctx  context.Context // ends with the host
	stop context.CancelFunc
	work guard.Group // starts and stops under way, and the idle watch

	closing sync.Once
}

// New returns a host. It starts no process. Close the host after use.
func New(options Options) (*Host, error) {
	if err := options.complete(); err != nil {
		return nil, fmt.Errorf("strategy host: %w", err)
	}
	ctx, stop := context.WithCancel(context.Background())
	h := &Host{options: options, byName: map[string]*supervisor{},
		converters: map[string]*converter{}, forker: newForker(), ctx: ctx, stop: stop,
		identity: sync.OnceValues(wire.NewIdentity)}
	h.work.Log = options.Logger
	for i := range options.Entries {
		e := &h.options.Entries[i]
		if e.Converter != nil {
			h.converters[e.Name] = &converter{host: h, entry: e, slots: make(chan struct{}, ConvertAtOnce())}
			continue
		}
		s := &supervisor{host: h, described: e.Known, breaker: breaker{first: h.options.Suspension}}
		s.held.Store(e)
		h.supervisors = append(h.supervisors, s)
		h.byName[e.Name] = s
	}
	h.group = newGroup(h)
	h.background(h.watchIdle)
	return h, nil
}

// background runs work that [Host.Close] waits for.
func (h *Host) background(work func()) {
	h.work.Go(func() error { work(); return nil })
}

// processDir creates a directory for one process in the host's temporary directory. It creates that
// first if it does not exist yet, or was removed, for example by a clean-up of old files.
func (h *Host) processDir() (string, error) {
	h.tempMu.Lock()
	defer h.tempMu.Unlock()
	if h.temp != nil {
		dir, err := h.temp.processDir()
		if !errors.Is(err, fs.ErrNotExist) {
			return dir, err
		}
		h.temp.close()
		h.temp = nil
	}
	h.background(func() { sweep(tempAge) }) // remove the directories of killed hosts
	temp, err := newTempDir()
	if err != nil {
		return "", err
	}
	h.temp = temp
	return temp.processDir()
}

// watchIdle stops idle processes.
func (h *Host) watchIdle() {
	ticker := time.NewTicker(max(h.options.IdleAfter/10, time.Millisecond))
	defer ticker.Stop()
	for {
		select {
		case <-h.ctx.Done():
			return
		case now := <-ticker.C:
			for _, s := range h.supervisors {
				s.idle(now.Add(-h.options.IdleAfter))
			}
			for _, c := range h.converters {
				c.stop(now.Add(-h.options.IdleAfter))
			}
		}
	}
}

// Close ends all processes, in parallel, and removes their temporary files.
// Calls under way fail.
func (h *Host) Close() error {
	h.closing.Do(func() {
		for _, s := range h.supervisors {
			if p := s.shut(); p != nil {
				h.background(p.close)
			}
		}
		for _, c := range h.converters {
			c.shut()
		}
		h.stop()          // starts and conversions under way end with this
		_ = h.work.Wait() // failures were logged
		for _, s := range h.supervisors {
			if p := s.shut(); p != nil { // started while the rest was closed
				p.close()
			}
		}
		for _, c := range h.converters {
			c.end()
		}
		h.forker.close()
		if h.temp != nil {
			h.temp.close()
		}
	})
	return nil
}
