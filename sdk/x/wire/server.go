package wire

import (
	"context"
	"errors"
	"io"
	"time"

	"github.com/hashicorp/go-hclog"
	"google.golang.org/grpc"
	"google.golang.org/protobuf/types/known/emptypb"
	"google.golang.org/protobuf/types/known/wrapperspb"

	"github.com/sagasu-search/sagasu/sdk"
	"github.com/sagasu-search/sagasu/sdk/snapshot"
	"github.com/sagasu-search/sagasu/sdk/x/guard"
	pb "github.com/sagasu-search/sagasu/sdk/x/wire/strategypb"
)

// Service is a side of the protocol that a process serves. Close it when its transport has stopped.
type Service interface {
	Register(grpc.ServiceRegistrar)
	io.Closer
}

// Server answers the protocol with a strategy.
type Server struct {
	*calls
	strategy sdk.Strategy
	member   string // its name if the process serves several strategies, else ""
	corpora  *corpora
}

// NewServer returns a server; Close it when its transport has stopped.
func NewServer(strategy sdk.Strategy, logger hclog.Logger, stateDir string) *Server {
	s := &Server{calls: newCalls(logger, stateDir), strategy: strategy}
	s.corpora = &corpora{
		ctx: s.ctx, open: s.openSnapshot, shut: s.closeSnapshot, byRef: map[ref]*corpus{}, newest: map[string]*corpus{},
		closing: map[ref]chan struct{}{},
	}
	return s
}

// Register implements [Service].
func (s *Server) Register(to grpc.ServiceRegistrar) { pb.RegisterStrategyServer(to, s.member, s) }

// Close waits for the calls in progress, which the stopped transport has cancelled. Then it closes the snapshots and,
// if it is an io.Closer, the strategy.
func (s *Server) Close() error {
	s.end()
	s.corpora.close()
	return closeAuthor(s.strategy)
}

// Describe implements the protocol.
func (s *Server) Describe(context.Context, *emptypb.Empty) (out *pb.Description, err error) {
	err = s.call(func() error {
		d := s.strategy.Describe()
		d.SDK = sdkVersion()
		out = packDescription(d)
		return nil
	})
	return out, err
}

// Configure implements the protocol.
func (s *Server) Configure(ctx context.Context, in *wrapperspb.BytesValue) (*emptypb.Empty, error) {
	return &emptypb.Empty{}, s.call(func() error {
		configurer, ok := s.strategy.(sdk.Configurer)
		if !ok {
			return errors.New("the strategy takes no configuration")
		}
		return configurer.Configure(sdk.WithSurroundings(ctx, s.logger, s.stateDir), in.Value)
	})
}

// Open implements the protocol.
func (s *Server) Open(ctx context.Context, in *pb.OpenRequest) (*emptypb.Empty, error) {
	return &emptypb.Empty{}, s.call(func() error {
		_, release, err := s.corpora.acquire(ctx, in.Corpus)
		if err == nil {
			release()
		}
		return err
	})
}

// Search implements the protocol.
func (s *Server) Search(ctx context.Context, in *pb.SearchRequest) (out *pb.SearchResponse, err error) {
	err = s.call(func() (err error) { out, err = s.search(ctx, in); return err })
	return out, err
}

func (s *Server) search(ctx context.Context, in *pb.SearchRequest) (out *pb.SearchResponse, err error) {
	req, err := unpackRequest(in)
	if err != nil {
		return nil, err
	}
	ctx, cancel := withGrace(sdk.WithSurroundings(ctx, s.logger, s.stateDir))
	defer cancel()
	snap, release, err := s.corpora.acquire(ctx, in.Corpus)
	if err != nil {
		return nil, err
	}
	defer release()
	req.Corpus = snap
	err = guarded(snap, func() error {
		res, err := s.strategy.Search(ctx, req)
		if err != nil {
			return err
		}
		if res == nil {
			return errors.New("the strategy gave neither result nor error")
		}
		out, err = packResult(res)
		return err
	})
	return out, err
}

// Gather implements the protocol.
func (s *Server) Gather(ctx context.Context, in *pb.GatherRequest) (out *pb.Gathered, err error) {
	err = s.call(func() error {
		gatherer, ok := s.strategy.(sdk.Gatherer)
		if !ok {
			return errors.New("the strategy does not gather")
		}
		ctx, cancel := withGrace(sdk.WithSurroundings(ctx, s.logger, s.stateDir))
		defer cancel()
		found, err := gatherer.Gather(ctx, unpackGatherRequest(in))
		if err == nil && found == nil {
			err = errors.New("the strategy gave neither sections nor error")
		}
		if err == nil {
			out = packGathered(found)
		}
		return err
	})
	return out, err
}

// openSnapshot maps a snapshot and lets an Opener prepare for it.
func (s *Server) openSnapshot(ctx context.Context, dir, name string) (*snapshot.Snapshot, error) {
	snap, err := snapshot.Open(dir, name, false)
	if err != nil {
		return nil, err
	}
	opener, ok := s.strategy.(sdk.Opener)
	if !ok {
		return snap, nil
	}
	if err := guarded(snap, func() error { return opener.Open(ctx, snap) }); err != nil {
		return nil, errors.Join(err, snap.Close())
	}
	return snap, nil
}

// closeSnapshot lets a SnapshotCloser forget a snapshot, and unmaps it.
func (s *Server) closeSnapshot(snap *snapshot.Snapshot) {
	if closer, ok := s.strategy.(sdk.SnapshotCloser); ok {
		if err := guarded(snap, func() error { return closer.CloseSnapshot(snap) }); err != nil {
			s.logger.Error("the strategy did not close a snapshot", "snapshot", snap.Name(), "error", err)
		}
	}
	_ = snap.Close() // read-only, so nothing is lost
}

// guarded runs a strategy's code on a snapshot, which may become unreadable meanwhile.
func guarded(snap *snapshot.Snapshot, code func() error) error {
	return guard.Call(func() error { return snap.Guard(code) })
}

// Limits of the time that withGrace subtracts. Stopping and sending take some time even if the deadline is near.
const (
	minGrace = 20 * time.Millisecond
	maxGrace = 100 * time.Millisecond
)

// withGrace makes the deadline a tenth earlier, within these limits and by at most half. A strategy that stops at its
// deadline with what it has found can then still send its answer.
func withGrace(ctx context.Context) (context.Context, context.CancelFunc) {
	deadline, ok := ctx.Deadline()
	if !ok {
		return context.WithCancel(ctx)
	}
	return context.WithDeadline(ctx, deadline.Add(-grace(time.Until(deadline))))
}

func grace(left time.Duration) time.Duration {
	return min(max(left/10, minGrace), left/2, maxGrace)
}
