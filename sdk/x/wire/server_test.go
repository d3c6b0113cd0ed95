package wire

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/hashicorp/go-hclog"
	"go.uber.org/goleak"
	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/grpc/test/bufconn"
	"google.golang.org/protobuf/types/known/emptypb"
	"google.golang.org/protobuf/types/known/wrapperspb"

	"github.com/sagasu-search/sagasu/sdk"
	"github.com/sagasu-search/sagasu/sdk/snapshot"
	"github.com/sagasu-search/sagasu/sdk/x/guard"
	pb "github.com/sagasu-search/sagasu/sdk/x/wire/strategypb"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// recorder is a strategy that records its calls.
type recorder struct {
	mu     sync.Mutex
	events []string
	open   func() error
	search func(ctx context.Context, req *sdk.Request) (*sdk.Result, error)
}

func (r *recorder) note(event string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.events = append(r.events, event)
}

func (r *recorder) Describe() sdk.Description { return sdk.Description{Name: "recorder"} }

func (r *recorder) Open(_ context.Context, corpus *snapshot.Snapshot) error {
	r.note("open " + corpus.Name())
	if r.open != nil {
		return r.open()
	}
	return nil
}

func (r *recorder) Search(ctx context.Context, req *sdk.Request) (*sdk.Result, error) {
	r.note("search " + req.Corpus.Name())
	if r.search != nil {
		return r.search(ctx, req)
	}
	return &sdk.Result{}, nil
}

func (r *recorder) Close() error {
	r.note("close")
	return nil
}

// connect serves s in this process and returns its client and server.
func connect(t *testing.T, s sdk.Strategy) (*Client, *Server) {
	t.Helper()
	server := NewServer(s, hclog.NewNullLogger(), "/state")
	return connectTo(t, server), server
}

// connectTo serves service in this process and returns its client.
func connectTo(t *testing.T, service Service, more ...grpc.ServerOption) *Client {
	t.Helper()
	transport := grpc.NewServer(append(ServerOptions(), more...)...)
	must(t, (&grpcPlugin{service: service}).GRPCServer(nil, transport))
	listener := bufconn.Listen(1 << 16)
	var serving sync.WaitGroup
	serving.Go(func() { _ = transport.Serve(listener) })
	conn, err := grpc.NewClient("passthrough:", append(DialOptions(),
		grpc.WithTransportCredentials(insecure.NewCredentials()),
		grpc.WithContextDialer(func(ctx context.Context, _ string) (net.Conn, error) { return listener.DialContext(ctx) }))...)
	must(t, err)
	t.Cleanup(func() {
		must(t, conn.Close())
		transport.Stop()
		serving.Wait()
		must(t, service.Close())
	})
	return NewClient(conn)
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// publish makes a snapshot of one section.
func publish(t *testing.T, dir string, kind snapshot.Kind) *snapshot.Snapshot {
	t.Helper()
	w := snapshot.NewWriter(snapshot.ManualSchema(kind))
	w.AddFile(snapshot.File{Group: "m", Path: "a.md"})
	w.Add(snapshot.Section{Title: "t", Node: snapshot.NodePreamble, Start: 1, End: 1, OwnEnd: 1, Body: 1, Parent: snapshot.None}, []string{"t", "b", ""})
	name, err := snapshot.NextName(dir, kind)
	must(t, err)
	info, err := w.WriteFile(t.Context(), dir, snapshot.SegmentFile(name))
	must(t, err)
	must(t, snapshot.Publish(dir, w.Manifest(name, info)))
	snap, err := snapshot.Open(dir, name, false)
	must(t, err)
	t.Cleanup(func() { must(t, snap.Close()) })
	return snap
}

func request(snap *snapshot.Snapshot) *sdk.Request { return &sdk.Request{Corpus: snap, Limit: 10} }

func TestSnapshotsAreOpenedOnceAndLetGo(t *testing.T) {
	dir := t.TempDir()
	older, newer, vault := publish(t, dir, snapshot.KindManual), publish(t, dir, snapshot.KindManual), publish(t, dir, snapshot.KindVault)
	held, letGo := make(chan bool), make(chan bool)
	r := &recorder{search: func(_ context.Context, req *sdk.Request) (*sdk.Result, error) {
		if req.Query.Raw == "hold" {
			held <- true
			<-letGo
		}
		return &sdk.Result{Warnings: []string{req.Corpus.Source(0, 1)}}, nil
	}}
	client, server := connect(t, r)
	ctx := t.Context()
	must(t, client.Open(ctx, older))
	var wg sync.WaitGroup
	wg.Go(func() {
		req := request(older)
		req.Query.Raw = "hold"
		res, err := client.Search(ctx, req)
		if err != nil || res.Warnings[0] != "b" {
			t.Errorf("a search on a superseded snapshot gave %v, %v", res, err)
		}
	})
	<-held
	for _, snap := range []*snapshot.Snapshot{newer, vault, newer} {
		_, err := client.Search(ctx, request(snap))
		must(t, err)
	}
	if got := names(server); len(got) != 3 {
		t.Errorf("open while in use: %v", got)
	}
	close(letGo)
	wg.Wait()
	if diff := cmp.Diff([]string{newer.Name(), vault.Name()}, names(server)); diff != "" {
		t.Error(diff)
	}
	want := []string{
		"open " + older.Name(), "search " + older.Name(), "open " + newer.Name(), "search " + newer.Name(),
		"open " + vault.Name(), "search " + vault.Name(), "search " + newer.Name(),
	}
	if diff := cmp.Diff(want, r.events); diff != "" {
		t.Error(diff)
	}
}

// forgetter is a strategy that is told when a snapshot is no longer used.
type forgetter struct {
	recorder
	opened sync.Map // by snapshot
}

func (f *forgetter) Open(ctx context.Context, corpus *snapshot.Snapshot) error {
	f.opened.Store(corpus, true)
	return f.recorder.Open(ctx, corpus)
}

func (f *forgetter) CloseSnapshot(corpus *snapshot.Snapshot) error {
	f.note("close " + corpus.Name() + " " + corpus.Source(0, 1))
	if _, opened := f.opened.LoadAndDelete(corpus); !opened {
		return errors.New("it is not the snapshot that was opened")
	}
	return nil
}

func TestSnapshotsAreClosedOnce(t *testing.T) {
	dir := t.TempDir()
	older, newer := publish(t, dir, snapshot.KindManual), publish(t, dir, snapshot.KindManual)
	f := &forgetter{}
	f.search = func(_ context.Context, req *sdk.Request) (*sdk.Result, error) {
		if _, opened := f.opened.Load(req.Corpus); !opened {
			t.Error("a search gets another snapshot than was opened")
		}
		return &sdk.Result{}, nil
	}
	client, server := connect(t, f)
	for _, snap := range []*snapshot.Snapshot{older, older, newer} {
		_, err := client.Search(t.Context(), request(snap))
		must(t, err)
	}
	must(t, server.Close())
	at := func(event string) int { return slices.Index(f.events, event) }
	first, second := at("close "+older.Name()+" b"), at("close "+newer.Name()+" b")
	if len(f.events) != 8 || first < 3 || second < 6 || at("close") != 7 {
		t.Errorf("events %q", f.events)
	}
	f.opened.Range(func(snap, _ any) bool {
		t.Errorf("%v was not closed as it was opened", snap)
		return true
	})
}

// names returns the open snapshots of a server, sorted.
func names(s *Server) []string {
	s.corpora.mu.Lock()
	defer s.corpora.mu.Unlock()
	var out []string
	for r := range s.corpora.byRef {
		out = append(out, r.name)
	}
	slices.Sort(out)
	return out
}

func TestFailedOpenIsTriedAgain(t *testing.T) {
	snap := publish(t, t.TempDir(), snapshot.KindManual)
	failures := 1
	r := &recorder{open: func() error {
		if failures > 0 {
			failures--
			panic("not yet")
		}
		return nil
	}}
	client, _ := connect(t, r)
	if _, err := client.Search(t.Context(), request(snap)); err == nil || !strings.Contains(err.Error(), "not yet") {
		t.Errorf("a panic in Open gave %v", err)
	}
	_, err := client.Search(t.Context(), request(snap))
	must(t, err)
}

func TestMissingSnapshot(t *testing.T) {
	dir := t.TempDir()
	snap := publish(t, dir, snapshot.KindManual)
	client, server := connect(t, &recorder{})
	in, err := packRequest(request(snap))
	must(t, err)
	in.Corpus.Dir = t.TempDir()
	if _, err := pb.Call[pb.SearchResponse](t.Context(), client.conn, "Strategy/Search", in); err == nil || !strings.Contains(err.Error(), snap.Name()) {
		t.Errorf("a snapshot that is not there gave %v", err)
	}
	if got := names(server); len(got) != 0 {
		t.Errorf("held %v", got)
	}
}

func TestSurroundingsReachTheStrategy(t *testing.T) {
	snap := publish(t, t.TempDir(), snapshot.KindManual)
	client, _ := connect(t, &recorder{search: func(ctx context.Context, _ *sdk.Request) (*sdk.Result, error) {
		_, limited := ctx.Deadline()
		if sdk.StateDir(ctx) != "/state" || limited {
			return nil, errors.New("wrong surroundings")
		}
		return &sdk.Result{}, nil
	}})
	_, err := client.Search(t.Context(), request(snap))
	must(t, err)
}

func TestErrorsCross(t *testing.T) {
	snap := publish(t, t.TempDir(), snapshot.KindManual)
	var next error
	client, _ := connect(t, &recorder{search: func(context.Context, *sdk.Request) (*sdk.Result, error) { return nil, next }})
	for _, err := range []error{context.Canceled, context.DeadlineExceeded} {
		next = err
		if _, got := client.Search(t.Context(), request(snap)); !errors.Is(got, err) {
			t.Errorf("%v became %v", err, got)
		}
	}
	next = &guard.PanicError{Value: "v\xff", Stack: "s"}
	_, got := client.Search(t.Context(), request(snap))
	if p, ok := errors.AsType[*guard.PanicError](got); !ok || p.Value != "v\uFFFD" || p.Stack != "s" {
		t.Errorf("a panic became %#v", got)
	}
	if err := client.Configure(t.Context(), []byte("{}")); err == nil {
		t.Error("a strategy without configuration took some")
	}
	if _, err := client.Search(t.Context(), &sdk.Request{}); err == nil {
		t.Error("a request without a corpus was sent")
	}
}

func TestCloseClosesTheStrategy(t *testing.T) {
	r := &recorder{}
	server := NewServer(r, hclog.NewNullLogger(), "")
	must(t, server.Close())
	if diff := cmp.Diff([]string{"close"}, r.events); diff != "" {
		t.Error(diff)
	}
}

// TestSegmentCutWhileMapped lets the strategy read lost memory. Its panics must not affect others.
func TestSegmentCutWhileMapped(t *testing.T) {
	dir := t.TempDir()
	snap, corpus := publish(t, dir, snapshot.KindManual), (*snapshot.Snapshot)(nil)
	r := &recorder{search: func(_ context.Context, req *sdk.Request) (*sdk.Result, error) {
		if corpus = req.Corpus; req.Query.Raw == "panic" {
			panic("on demand")
		}
		return &sdk.Result{Warnings: []string{strings.Clone(req.Corpus.Source(0, 1))}}, nil
	}}
	client, _ := connect(t, r)
	_, err := client.Search(t.Context(), request(snap))
	must(t, err)
	if err := os.Truncate(filepath.Join(dir, snapshot.SegmentFile(snap.Name())), 0); err != nil {
		t.Skipf("a mapped file cannot be cut here: %v", err)
	}
	panicking := request(snap)
	panicking.Query.Raw = "panic"
	_, err = client.Search(t.Context(), panicking)
	if p, ok := errors.AsType[*guard.PanicError](err); !ok || p.Value != "on demand" || !strings.Contains(p.Stack, "TestSegmentCutWhileMapped") {
		t.Errorf("a panic gave %v", err)
	}
	_, err = client.Search(t.Context(), request(snap))
	if err == nil || !strings.Contains(err.Error(), "is damaged") {
		t.Errorf("the loss of memory gave %v", err)
	}
	if _, ok := errors.AsType[*snapshot.CorruptError](corpus.Err()); !ok {
		t.Errorf("the snapshot says %v", corpus.Err())
	}
}

func TestSnapshotOfAnotherFormat(t *testing.T) {
	dir := t.TempDir()
	snap := publish(t, dir, snapshot.KindManual)
	client, _ := connect(t, &recorder{})
	manifest := filepath.Join(dir, snap.Name()+".json")
	data, err := os.ReadFile(manifest)
	must(t, err)
	before := fmt.Appendf(nil, `"version":%d`, snapshot.FormatVersion)
	after := bytes.Replace(data, before, []byte(`"version":99`), 1)
	if bytes.Equal(after, data) {
		t.Fatalf("%s is not in %s", before, data)
	}
	must(t, os.WriteFile(manifest, after, 0o600))
	_, err = client.Search(t.Context(), request(snap))
	want := fmt.Sprintf("version 99, and this program reads %d", snapshot.FormatVersion)
	if !errors.Is(err, ErrForeign) || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "damaged") {
		t.Errorf("%v, want %v with %q", err, ErrForeign, want)
	}
}

func TestAStrategyThatMapsGetsNoDesk(t *testing.T) {
	client, _ := connect(t, &recorder{})
	_, err := client.Describe(t.Context())
	must(t, err)
	_, err = client.Search(t.Context(), request(publish(t, t.TempDir(), snapshot.KindManual)))
	must(t, err)
	if client.server != nil {
		t.Error("a reads was opened")
	}
}

func TestNothingBeginsOnceClosed(t *testing.T) {
	r := &recorder{}
	server := NewServer(r, hclog.NewNullLogger(), "")
	must(t, server.Close())
	if _, err := server.Describe(t.Context(), &emptypb.Empty{}); err == nil {
		t.Error("a sign of life was given")
	}
	if _, err := server.Search(t.Context(), &pb.SearchRequest{}); err == nil {
		t.Error("a search was answered")
	}
	if _, err := server.Configure(t.Context(), &wrapperspb.BytesValue{}); err == nil {
		t.Error("a configuration was taken")
	}
	if diff := cmp.Diff([]string{"close"}, r.events); diff != "" {
		t.Error(diff)
	}
}

func TestGrace(t *testing.T) {
	const ms = time.Millisecond
	for left, want := range map[time.Duration]time.Duration{
		0: 0, 10 * ms: 5 * ms, 20 * ms: 10 * ms, 50 * ms: 20 * ms, 200 * ms: 20 * ms, 500 * ms: 50 * ms, 2000 * ms: 100 * ms, time.Minute: 100 * ms,
	} {
		if got := grace(left); got != want {
			t.Errorf("of %v, %v are taken off, want %v", left, got, want)
		}
	}
}

// lateContext is a context whose Done is asked and answered when the test says so.
type lateContext struct {
	context.Context
	asked, answer chan struct{}
}

func (c lateContext) Done() <-chan struct{} {
	close(c.asked)
	<-c.answer
	return nil
}

func TestCloseWaitsForOpen(t *testing.T) {
	snap := publish(t, t.TempDir(), snapshot.KindManual)
	synctest.Test(t, func(t *testing.T) {
		f := &forgetter{}
		server := NewServer(f, hclog.NewNullLogger(), "")
		ctx := lateContext{t.Context(), make(chan struct{}), make(chan struct{})}
		go func() {
			if _, err := server.Open(ctx, &pb.OpenRequest{Corpus: packCorpus(snap)}); err != nil {
				t.Error(err)
			}
		}()
		<-ctx.asked
		go func() { must(t, server.Close()) }()
		synctest.Wait()
		close(ctx.answer)
		synctest.Wait()
		want := []string{"open " + snap.Name(), "close " + snap.Name() + " b", "close"}
		if diff := cmp.Diff(want, f.events); diff != "" {
			t.Error(diff)
		}
	})
}
