package host

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/sagasu-search/sagasu/sdk"
	"github.com/sagasu-search/sagasu/sdk/x/border"
	"github.com/sagasu-search/sagasu/sdk/x/wire"
)

// Trial is a process under examination. It is started like any strategy, but its answers are not
// checked, and it is not replaced when it fails. It has the calls of [wire.Client].
type Trial struct {
	*wire.Client
	// Took is how long the start took.
	Took    time.Duration
	process *process
}

// StartTrial starts a process for the entry called name, even if the strategy calls itself
// something else, and does not configure it. Close the trial before the host.
func (h *Host) StartTrial(ctx context.Context, name string) (*Trial, error) {
	s := h.byName[name]
	if s == nil {
		return nil, ErrUnknown
	}
	began := time.Now()
	p, err := h.launchTo(ctx, s.entry(), connected)
	if err != nil {
		return nil, err
	}
	return &Trial{p.strategy, time.Since(began), p}, nil
}

// Search calls [wire.Client.Search]. If the process ended, the error says why.
func (s *Trial) Search(ctx context.Context, req *sdk.Request) (*sdk.Result, error) {
	res, err := s.Client.Search(ctx, req)
	return res, s.process.gone(err)
}

// Convert calls [wire.Client.Convert]. If the process ended, the error says why.
func (s *Trial) Convert(ctx context.Context, doc sdk.Document) (*sdk.Converted, error) {
	out, err := s.Client.Convert(ctx, doc)
	return out, s.process.gone(err)
}

// PID returns the process's number.
func (s *Trial) PID() int { return s.process.runner.process() }

// ExtraStdout returns the number of bytes that it has printed on stdout besides the handshake.
func (s *Trial) ExtraStdout() int64 { return s.process.runner.extraStdout.Load() }

// Abandon drops the process as a crashing host would, but without the death signal that some
// systems send, and waits until the process or ctx ends. Call Close afterwards.
func (s *Trial) Abandon(ctx context.Context) error {
	if err := s.process.runner.closeKeepAlive(); err != nil {
		return err
	}
	select {
	case <-s.process.runner.done:
		return nil
	case <-ctx.Done():
		return fmt.Errorf("it still runs: %w", ctx.Err())
	}
}

// errSlowEnd means that a process had to be killed.
var errSlowEnd = errors.New("it had to be killed: it did not end on request")

// Close asks the process to end, and ends it if it does not within a second, which is an
// error.
func (s *Trial) Close() error {
	asked := time.Now()
	s.process.close()
	if time.Since(asked) >= killAfter {
		return errSlowEnd
	}
	return nil
}

// Said is the description of an executable: a converter if Converter is not nil, else a strategy.
type Said struct {
	sdk.Description
	Converter *sdk.ConverterDescription
}

// Probe starts the executable of e once, in the same sandbox as for a search, and returns its
// description, whatever its name. The host for it, with options o, has no other entry.
func Probe(ctx context.Context, o Options, e Entry) (Said, error) {
	e.Known, e.Converter = nil, nil
	o.Entries = []Entry{e}
	h, err := New(o)
	if err != nil {
		return Said{}, err
	}
	defer h.Close()
	s, err := h.StartTrial(ctx, e.Name)
	if err != nil {
		return Said{}, err
	}
	defer s.Close()
	c, err := s.DescribeConverter(ctx)
	if err == nil {
		return Said{Converter: &c}, border.CheckConverter(c)
	}
	if !errors.Is(err, wire.ErrNoConverter) {
		return Said{}, fmt.Errorf("describe: %w", err)
	}
	d, err := s.Describe(ctx)
	if err != nil {
		return Said{}, fmt.Errorf("describe: %w", err)
	}
	return Said{Description: d}, border.CheckDescription(d)
}
