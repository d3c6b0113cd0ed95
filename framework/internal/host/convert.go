package host

import (
	"context"
	"errors"
	"fmt"
	"os"
	"runtime"
	"sync"
	"time"

	"github.com/sagasu-search/sagasu/sdk"
	"github.com/sagasu-search/sagasu/sdk/x/border"
	"github.com/sagasu-search/sagasu/sdk/x/guard"
	"github.com/sagasu-search/sagasu/sdk/x/wire"
)

const (
	// maxConverters is the maximum number of processes of one converter.
	maxConverters = 4
	// convertRate is the minimum speed of a converter in bytes per second: each such amount of a
	// document adds a second to Options.ConvertTimeout.
	convertRate = 256 << 10
)

// ConvertAtOnce returns how many documents a converter converts at once. Others wait.
func ConvertAtOnce() int { return min(maxConverters, runtime.GOMAXPROCS(0)) }

// converter runs the processes of one converter. A process converts one document at a time, so that a crash affects
// no other document. A failure says nothing about the next document, so there is no circuit breaker.
type converter struct {
	host  *Host
	entry *Entry
	slots chan struct{} // one per conversion under way

	mu      sync.Mutex
	closed  bool
	under   sync.WaitGroup // way; none begins once closed
	idle    []*process
	lastUse time.Time
	starts  int
	failed  int
	lastErr error
	latency latency
}

// Convert converts a document with the converter called name and checks its text. It takes no longer than ctx
// and, for its size, Options.ConvertTimeout allow. The error is a [*wire.UnreadableError] if the converter
// cannot read the document, or else a [Failure]; then the next document gets a new process.
func (h *Host) Convert(ctx context.Context, name string, doc sdk.Document) (*sdk.Converted, error) {
	c := h.converters[name]
	if c == nil {
		return nil, Failure{Name: name, Err: ErrUnknown}
	}
	if err := c.begin(); err != nil {
		return nil, Failure{Name: name, Err: err}
	}
	defer c.under.Done()
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	defer context.AfterFunc(h.ctx, cancel)()
	out, err := c.convert(ctx, doc)
	if _, unreadable := errors.AsType[*wire.UnreadableError](err); err != nil && !unreadable {
		if h.ctx.Err() != nil {
			err = ErrClosed
		}
		err = Failure{Name: name, Err: err}
	}
	return out, err
}

// VerifyConverters returns the converters that would not start, because they are refused, or their executable is
// missing or differs from the installed one. It starts none.
func (h *Host) VerifyConverters() (failures []Failure) {
	for i := range h.options.Entries {
		e := &h.options.Entries[i]
		if e.Converter == nil {
			continue
		}
		err := e.Refused
		if err == nil {
			var binary *os.File
			if binary, err = openBinary(e); err == nil {
				_ = binary.Close() // opened for reading
			}
		}
		if err != nil {
			failures = append(failures, Failure{Name: e.Name, Stage: StageConvert, Err: err})
		}
	}
	return failures
}

// begin counts a conversion under way.
func (c *converter) begin() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.closed {
		return ErrClosed
	}
	c.under.Add(1)
	return nil
}

func (c *converter) convert(ctx context.Context, doc sdk.Document) (*sdk.Converted, error) {
	if c.entry.Refused != nil {
		return nil, c.entry.Refused
	}
	select {
	case c.slots <- struct{}{}:
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	defer func() { <-c.slots }()
	p, err := c.take(ctx)
	if err != nil {
		c.note(nil, 0, err)
		return nil, err
	}
	timeout := c.host.options.ConvertTimeout + time.Duration(doc.Size/convertRate)*time.Second
	limited, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	began := time.Now()
	out, err := p.strategy.Convert(limited, doc)
	if err == nil {
		err = border.CheckConverted(out)
	}
	if _, unreadable := errors.AsType[*wire.UnreadableError](err); err == nil || unreadable {
		c.note(p, time.Since(began), nil)
		return out, err
	}
	switch {
	case ctx.Err() != nil:
		err = ctx.Err()
	case limited.Err() != nil:
		err = fmt.Errorf("no answer within %v: %w", timeout, context.DeadlineExceeded)
	default:
		err = p.gone(err)
	}
	p.runner.kill()
	p.close()
	c.note(nil, 0, err)
	return nil, err
}

// take returns an idle process, or a new one.
func (c *converter) take(ctx context.Context) (*process, error) {
	for {
		c.mu.Lock()
		n := len(c.idle)
		if n == 0 {
			c.starts++
			c.mu.Unlock()
			return c.host.launchTo(ctx, c.entry, func(ctx context.Context, p *process) error {
				return p.beginConverter(ctx, c.entry)
			})
		}
		p := c.idle[n-1]
		c.idle = c.idle[:n-1]
		c.mu.Unlock()
		if !p.runner.ended() && !p.misplaced(nil) {
			return p, nil
		}
		p.close()
	}
}

// note keeps the process after a successful conversion, and records the failure after another.
func (c *converter) note(p *process, took time.Duration, err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.lastUse = time.Now()
	if err != nil {
		c.failed++
		c.lastErr = err
		return
	}
	c.latency.add(took)
	c.idle = append(c.idle, p)
}

// stop closes the processes that have not been used since the time given.
func (c *converter) stop(since time.Time) {
	c.mu.Lock()
	var idle []*process
	if c.lastUse.Before(since) {
		idle, c.idle = c.idle, nil
	}
	c.mu.Unlock()
	_ = guard.Each(len(idle), func(i int) error { idle[i].close(); return nil })
}

// shut refuses further use.
func (c *converter) shut() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.closed = true
}

// end waits for the conversions under way, which closing the host has cancelled, and closes the processes.
func (c *converter) end() {
	c.under.Wait()
	c.stop(time.Now().Add(time.Second))
}

// beginConverter takes the process of a converter through its first call.
func (p *process) beginConverter(ctx context.Context, e *Entry) error {
	if err := p.connect(); err != nil {
		return err
	}
	d, err := p.strategy.DescribeConverter(ctx)
	if err != nil {
		return fmt.Errorf("describe: %w", err)
	}
	if err := border.CheckConverter(d); err != nil {
		return err
	}
	if d.Name != e.Name || d.Version != e.Converter.Version {
		return &border.BreachError{Rule: border.RuleDescription, Detail: fmt.Sprintf(
			"it calls itself %q %q, its entry %q %q", d.Name, d.Version, e.Name, e.Converter.Version)}
	}
	return nil
}

func (c *converter) status() Status {
	c.mu.Lock()
	defer c.mu.Unlock()
	st := c.host.describeEntry(c.entry)
	d := c.entry.Converter
	st.Version, st.Stage, st.Summary, st.License, st.SDK = d.Version, StageConvert, d.Summary, d.License, d.SDK
	st.Restarts, st.P50, st.Calls, st.Took = max(c.starts-1, 0), c.latency.median(), c.latency.n, c.latency.sum
	st.State, st.Breaker, st.Failures = StateStopped, BreakerClosed, c.failed
	switch {
	case c.entry.Refused != nil:
		st.State = StateRefused
	case len(c.idle) > 0:
		st.State, st.PID = StateRunning, c.idle[0].runner.process()
	}
	if c.lastErr != nil {
		st.LastError = c.lastErr.Error()
	}
	return st
}
