package wire

import (
	"context"
	"strings"
	"sync"

	"github.com/RoaringBitmap/roaring/v2"
	"github.com/hashicorp/go-plugin"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"github.com/sagasu-search/sagasu/sdk/snapshot"
	"github.com/sagasu-search/sagasu/sdk/x/guard"
	pb "github.com/sagasu-search/sagasu/sdk/x/wire/strategypb"
)

// Limits for one call of a strategy that reads remotely. An answer fits into the 4 MiB that gRPC accepts by default.
const (
	mostListed   = 1 << 16 // ids of a scope
	mostSections = 1000
	mostTerms    = 1000
	mostTexts    = 2 << 20 // bytes, after which no more sections follow
	mostField    = 512 << 10
	usualField   = 16 << 10
	mostAsked    = 1 << 20 // bytes of a call
	mostCalls    = 16      // concurrent calls: their answers wait in the host's memory
	unknownToken = "no call that is under way has this token"
)

// readServer serves sections to a strategy that does not map snapshots. Each call may read only the sections of its
// request.
type readServer struct {
	id      uint32      // of the broker's connection
	serving guard.Group // ends with the broker

	mu       sync.Mutex
	last     uint64
	readings map[uint64]*reading
}

// reading is the right of one call to read.
type reading struct {
	snap  *snapshot.Snapshot
	scope *roaring.Bitmap
	users sync.WaitGroup
}

// serveReads starts a server that runs until the broker is closed.
func serveReads(broker *plugin.GRPCBroker) *readServer {
	d := &readServer{id: broker.NextId(), readings: map[uint64]*reading{}}
	d.serving.Go(func() error {
		broker.AcceptAndServe(d.id, func(opts []grpc.ServerOption) *grpc.Server {
			opts = append(opts, ServerOptions()...)
			s := grpc.NewServer(append(opts, grpc.MaxRecvMsgSize(mostAsked), grpc.MaxConcurrentStreams(mostCalls))...)
			pb.RegisterCorpusReaderServer(s, d)
			return s
		})
		return nil
	})
	return d
}

// grant allows reading a scope (nil for all) until revoke is called. revoke waits for reads in progress.
func (d *readServer) grant(snap *snapshot.Snapshot, scope *roaring.Bitmap) (right *pb.Reading, revoke func()) {
	r := &reading{snap: snap, scope: snap.Live()}
	if scope != nil {
		r.scope = roaring.And(scope, r.scope)
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	d.last++
	token := d.last
	d.readings[token] = r
	return &pb.Reading{BrokerId: d.id, Token: token}, func() {
		d.mu.Lock()
		delete(d.readings, token)
		d.mu.Unlock()
		r.users.Wait()
	}
}

// read runs code with the reading of a token.
func (d *readServer) read(token uint64, code func(*reading) error) error {
	d.mu.Lock()
	r := d.readings[token]
	if r == nil {
		d.mu.Unlock()
		return status.Error(codes.NotFound, unknownToken)
	}
	r.users.Add(1)
	d.mu.Unlock()
	defer r.users.Done()
	return guarded(r.snap, func() error { return code(r) })
}

// Scope implements the protocol.
func (d *readServer) Scope(_ context.Context, in *pb.ScopeRequest) (*pb.ScopeResponse, error) {
	out := &pb.ScopeResponse{}
	return out, d.read(in.Token, func(r *reading) error {
		out.Size = r.scope.GetCardinality()
		it := r.scope.Iterator()
		for it.AdvanceIfNeeded(in.From); it.HasNext() && len(out.Sections) < mostListed; {
			out.Sections = append(out.Sections, it.Next())
		}
		return nil
	})
}

// Sections implements the protocol.
func (d *readServer) Sections(_ context.Context, in *pb.SectionsRequest) (*pb.SectionsResponse, error) {
	if len(in.Sections) > mostSections {
		return nil, status.Errorf(codes.InvalidArgument, "%d sections: ask for %d at most",
			len(in.Sections), mostSections)
	}
	out := &pb.SectionsResponse{}
	return out, d.read(in.Token, func(r *reading) error {
		bytes := 0
		for _, id := range in.Sections {
			s, n, ok := r.section(id, int(in.MaxBytes))
			if !ok {
				return status.Errorf(codes.NotFound, "section %d is not in the scope", id)
			}
			if bytes += n; bytes > mostTexts && len(out.Sections) > 0 {
				break
			}
			out.Sections = append(out.Sections, s)
		}
		return nil
	})
}

// section copies a section out of mapped memory and returns its size in bytes.
func (r *reading) section(id uint32, limit int) (out *pb.SectionText, bytes int, ok bool) {
	sec, ok := r.snap.Section(id)
	if !ok || !r.scope.Contains(id) {
		return nil, 0, false
	}
	if limit == 0 {
		limit = usualField
	}
	out = &pb.SectionText{
		Section: id, Group: strings.Clone(sec.Group), Path: strings.Clone(sec.Path), Title: strings.Clone(sec.Title),
		StartLine: uint32(sec.Start), EndLine: uint32(sec.OwnEnd),
	}
	for field := range r.snap.Fields() {
		whole := r.snap.Source(id, field)
		cut := strings.ToValidUTF8(whole[:min(len(whole), limit, mostField)], "") // not in the middle of a character
		out.Cut = out.Cut || len(cut) < len(whole)
		out.Fields = append(out.Fields, strings.Clone(cut))
		bytes += len(cut)
	}
	return out, bytes, true
}

// Statistics implements the protocol.
func (d *readServer) Statistics(_ context.Context, in *pb.StatisticsRequest) (*pb.StatisticsResponse, error) {
	if len(in.Terms) > mostTerms {
		return nil, status.Errorf(codes.InvalidArgument, "%d terms: ask for %d at most", len(in.Terms), mostTerms)
	}
	out := &pb.StatisticsResponse{}
	return out, d.read(in.Token, func(r *reading) error {
		out.Sections = uint64(r.snap.Population())
		for field, name := range r.snap.Fields() {
			out.Fields = append(out.Fields, strings.Clone(name))
			out.MeanLengths = append(out.MeanLengths, r.snap.AvgLen(field))
		}
		for _, term := range in.Terms {
			out.DocumentFrequencies = append(out.DocumentFrequencies, uint64(r.snap.DocFreq(term)))
		}
		return nil
	})
}
