package host

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"net"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/RoaringBitmap/roaring/v2"
	"github.com/hashicorp/go-hclog"
	"github.com/hashicorp/go-plugin"
	"go.uber.org/goleak"

	"github.com/sagasu-search/sagasu/sdk"
	"github.com/sagasu-search/sagasu/sdk/serve"
	"github.com/sagasu-search/sagasu/sdk/snapshot"
	"github.com/sagasu-search/sagasu/sdk/x/wire"
)

// The test binary plays every part: the tests, the wrapper, the strategies and
// a host to be killed. Its first argument says which.
const (
	partServe = "part-serve"
	partWrap  = "part-wrap"
	partHost  = "part-host"
	partAlone = "part-alone"
)

func TestMain(m *testing.M) {
	if len(os.Args) > 2 {
		switch os.Args[1] {
		case partWrap:
			fmt.Fprintln(os.Stderr, RunSandbox(os.Args[2:], os.Environ()))
			os.Exit(1)
		case partServe:
			old := threads()
			if err := Confine(); err != nil {
				panic(err)
			}
			readOld = old
			playStrategy(os.Args[2])
			return
		case partAlone:
			serve.Strategy(&actor{name: os.Args[2]})
			return
		case partHost:
			playHost(os.Args[2])
			return
		}
	}
	goleak.VerifyTestMain(m)
}

// readOld reads a file in threads that ran before the process was confined, and
// gives their outcome if it is the same in all.
var readOld func(path string) string

// threads starts some that wait for work.
func threads() func(path string) string {
	const n = 6
	paths, outcomes := make(chan string), make(chan string)
	for range n {
		ready := make(chan struct{})
		go func() {
			runtime.LockOSThread() // it may not serve two of the reads
			close(ready)
			for path := range paths {
				_, err := os.ReadFile(path)
				outcomes <- outcome(err)
			}
		}()
		<-ready
	}
	return func(path string) string {
		for range n {
			paths <- path // each blocks in its outcome, so that it takes one only
		}
		all := map[string]bool{}
		for range n {
			all[<-outcomes] = true
		}
		return strings.Join(slices.Sorted(maps.Keys(all)), " and ")
	}
}

func playStrategy(name string) {
	switch name {
	case "printer":
		fmt.Println("a stray print before the handshake")
		fmt.Println("1|not|a handshake")
	case "mute":
		time.Sleep(time.Minute)
	case "clinger":
		os.Unsetenv(wire.EnvExitWithParent)
	case "stock", "bare":
		playStock(name)
		return
	case "redirector", "stranger", "newcomer", "flooder", "dribbler":
		playImpostor(name)
	case "storm-a", "storm-b", "storm-c", "storm-d", "storm-e":
		corruptOnSignal()
	case "quitter":
		fmt.Fprintln(os.Stderr, "cannot find my model")
		os.Exit(3)
	}
	serve.Strategy(&actor{name: name})
}

// playStock is a strategy that leaves everything to the transport's library:
// with the keys that it makes, or as one that speaks in the clear.
func playStock(name string) {
	if name == "bare" {
		os.Unsetenv(wire.EnvClientCert)
	}
	server := wire.NewServer(&actor{name: name}, hclog.NewNullLogger(), "")
	plugin.Serve(&plugin.ServeConfig{
		HandshakeConfig: wire.Handshake, VersionedPlugins: wire.Plugins(server), GRPCServer: plugin.DefaultGRPCServer,
	})
}

// playHost is a host that tells its processes and waits to be killed.
func playHost(dir string) {
	h, err := New(Options{
		IndexDir: filepath.Join(dir, "index"), StateDir: filepath.Join(dir, "state"),
		Bundled:     func(name string) []string { return []string{partServe, name} },
		Wrapper:     []string{partWrap},
		MemoryLimit: -1,
		Entries:     []Entry{{Name: "one"}, {Name: "two"}},
	})
	if err != nil {
		panic(err)
	}
	if _, failures := h.Strategies(context.Background()); len(failures) > 0 {
		panic(failures[0])
	}
	for _, st := range h.Status() {
		os.Stdout.WriteString(strconv.Itoa(st.PID) + "\n")
	}
	os.Stdout.WriteString("\n")
	select {}
}

// actor is a strategy that does what its query says.
type actor struct {
	name   string
	opened atomic.Bool
	done   atomic.Int64 // sections, while it prepares in the background
	config string
}

func (a *actor) Describe() sdk.Description {
	switch a.name {
	case "describe-hanger":
		time.Sleep(time.Minute)
	case "describe-panicker":
		panic("in Describe")
	case "braggart":
		return sdk.Description{Name: a.name, Stage: sdk.StageRetrieve, ConfigSchema: make([]byte, 8<<20)}
	}
	return sdk.Description{
		Name: a.name, Version: "1", Stage: sdk.StageRetrieve, Weight: 0.5,
		Signals: []string{sdk.SignalHeading, sdk.SignalLoose}, Corpora: []snapshot.Kind{snapshot.KindManual},
		ConfigSchema: json.RawMessage(`{"type":"object"}`),
	}
}

func (a *actor) Configure(_ context.Context, config json.RawMessage) error {
	switch a.name {
	case "configure-hanger":
		time.Sleep(time.Minute)
	case "configure-panicker":
		panic("in Configure")
	case "configure-quitter":
		os.Exit(7)
	}
	if strings.Contains(string(config), "bad") {
		return errors.New("a bad configuration")
	}
	a.config = string(config)
	return nil
}

func (a *actor) Open(context.Context, *snapshot.Snapshot) error {
	switch a.name {
	case "slow-opener":
		time.Sleep(2 * time.Second)
	case "open-hanger":
		time.Sleep(time.Minute)
	}
	a.opened.Store(true)
	return nil
}

// Close implements io.Closer.
func (a *actor) Close() error {
	if a.name == "close-hanger" {
		time.Sleep(time.Minute)
	}
	return nil
}

func (a *actor) Search(ctx context.Context, req *sdk.Request) (*sdk.Result, error) {
	if !a.opened.Load() {
		return nil, errors.New("searched before it was opened")
	}
	verb, arg, _ := strings.Cut(req.Query.Raw, " ")
	if req.Query.Raw == "" && strings.HasSuffix(a.name, "-preparer") {
		done := int(a.done.Add(4))
		if done > 4 && a.name == "failing-preparer" {
			return nil, errors.New("no disk")
		}
		return &sdk.Result{Examined: min(done, 10), Finished: done >= 10}, nil
	}
	if a.name == "corrupter" && rand.IntN(2) == 0 {
		verb, arg = corruption()
	}
	if corruptNext.Swap(false) { // so that it cannot be taken for an answer
		ways := []string{"breach nan", "breach dead", "breach twice", "breach flood", "nil", "panic", "exit"}
		verb, arg, _ = strings.Cut(ways[rand.IntN(len(ways))], " ")
	}
	switch verb {
	case "find":
		return finding(req), nil
	case "panic":
		panic("on demand")
	case "exit":
		os.Exit(7)
	case "sleep": // deaf to its context
		time.Sleep(time.Minute)
	case "wait": // hears its context and gives what it has
		<-ctx.Done()
		return &sdk.Result{Warnings: []string{"cut short"}}, nil
	case "print":
		fmt.Println("a stray print in the middle")
		return finding(req), nil
	case "nil":
		return nil, nil
	case "fail":
		return nil, errors.New(arg)
	case "breach":
		return breaching(req, arg), nil
	case "text": // panics where there is none
		return &sdk.Result{Warnings: []string{req.Corpus.Source(0, snapshot.FieldBody)[:4]}}, nil
	}
	return a.report(ctx, verb, arg)
}

// corruptNext makes the next answer break the rules.
var corruptNext atomic.Bool

// corruption is a way to break the rules, at random.
func corruption() (verb, arg string) {
	ways := []string{"panic", "exit", "print", "nil", "fail on purpose", "large 68000000"}
	for how := range breaches {
		ways = append(ways, "breach "+how)
	}
	verb, arg, _ = strings.Cut(ways[rand.IntN(len(ways))], " ")
	return verb, arg
}

// report tells of the process in a term.
func (a *actor) report(ctx context.Context, verb, arg string) (*sdk.Result, error) {
	var text string
	switch verb {
	case "read":
		_, err := os.ReadFile(arg)
		text = outcome(err)
	case "read-old":
		text = readOld(arg)
	case "write":
		text = outcome(os.WriteFile(arg, []byte("x"), 0o600))
	case "dial":
		conn, err := net.Dial("tcp4", arg)
		if err == nil {
			err = conn.Close()
		}
		text = outcome(err)
	case "state":
		text = outcome(os.WriteFile(filepath.Join(sdk.StateDir(ctx), "kept"), []byte("x"), 0o600))
	case "large":
		size, _ := strconv.Atoi(arg)
		text = strings.Repeat("x", size)
	case "temp":
		text = os.TempDir()
	case "environ":
		text = strings.Join(os.Environ(), "\n")
	case "config":
		text = a.config
	case "attack":
		text = attack(ctx, arg)
	case "pid":
		text = strconv.Itoa(os.Getpid())
	}
	return &sdk.Result{Candidates: []sdk.Candidate{{Terms: []string{text}}}}, nil
}

func outcome(err error) string {
	switch {
	case err == nil:
		return "ok"
	case errors.Is(err, os.ErrPermission):
		return "denied"
	default:
		return err.Error()
	}
}

// finding scores the sections of the scope by their id.
func finding(req *sdk.Request) *sdk.Result {
	scope := req.Scope
	if scope == nil {
		scope = req.Corpus.Live()
	}
	res := &sdk.Result{Matched: scope.Clone(), Examined: int(scope.GetCardinality()), Finished: true}
	for _, id := range scope.ToArray() {
		if len(res.Candidates) == req.Limit {
			break
		}
		c := sdk.Candidate{Section: id, Score: 1 / float64(id+3), Coverage: 1 / float64(id+1)}
		if id%2 == 0 {
			c.Signals = []string{sdk.SignalHeading, sdk.SignalLoose}[:1+id%4/2]
		}
		for _, term := range req.Query.Terms {
			c.Terms = append(c.Terms, term.Text)
		}
		res.Candidates = append(res.Candidates, c)
	}
	return res
}

// publish makes a snapshot of n sections in dir.
func publish(t testing.TB, dir string, n int) *snapshot.Snapshot {
	t.Helper()
	rows := make([][2]string, n)
	for i := range rows {
		rows[i] = [2]string{"heading", "body " + strconv.Itoa(i)}
	}
	return texts(t, dir, rows...)
}

// texts publishes sections of a heading and a body.
func texts(t testing.TB, dir string, rows ...[2]string) *snapshot.Snapshot {
	t.Helper()
	w := snapshot.NewWriter(snapshot.ManualSchema(snapshot.KindManual))
	w.AddFile(snapshot.File{Group: "m", Path: "a.md"})
	for i, row := range rows {
		w.Add(snapshot.Section{
			Title: row[0], Node: snapshot.NodeHeading, Level: 1, Start: i + 1, End: i + 1, OwnEnd: i + 1, Body: i + 1, Parent: snapshot.None,
		}, append(row[:], ""))
	}
	name, err := snapshot.NextName(dir, snapshot.KindManual)
	must(t, err)
	info, err := w.WriteFile(t.Context(), dir, snapshot.SegmentFile(name))
	must(t, err)
	must(t, snapshot.Publish(dir, w.Manifest(name, info)))
	snap, err := snapshot.Open(dir, name, true)
	must(t, err)
	t.Cleanup(func() { must(t, snap.Close()) })
	return snap
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// options are those of a host on actors of the given names. There is no memory
// limit, since the race detector reserves more than any.
func options(t testing.TB, names ...string) Options {
	t.Helper()
	o := Options{
		Bundled:  func(name string) []string { return []string{partServe, name} },
		Wrapper:  []string{partWrap},
		IndexDir: t.TempDir(), StateDir: t.TempDir(),
		MemoryLimit:  -1,
		CallTimeout:  time.Minute, // machines that test are busy
		StartTimeout: time.Minute,
	}
	for _, name := range names {
		o.Entries = append(o.Entries, Entry{Name: name})
	}
	return o
}

// start returns a host and a snapshot of ten sections for it to search.
func start(t testing.TB, o Options) (*Host, *snapshot.Snapshot) {
	t.Helper()
	t.Setenv("TMPDIR", t.TempDir())
	h, err := New(o)
	must(t, err)
	t.Cleanup(func() {
		must(t, h.Close())
		left, err := filepath.Glob(filepath.Join(os.Getenv("TMPDIR"), "*"))
		must(t, err)
		if len(left) > 0 {
			t.Errorf("left behind: %v", left)
		}
	})
	return h, publish(t, o.IndexDir, 10)
}

func request(snap *snapshot.Snapshot, raw string) *sdk.Request {
	return &sdk.Request{Query: sdk.Query{Raw: raw, Intent: sdk.IntentUnknown}, Corpus: snap, Limit: 100}
}

// settle waits for a running process, however long it takes to start.
func settle(t testing.TB, h *Host) {
	t.Helper()
	s := h.supervisors[0]
	p, err := s.acquire(t.Context(), true)
	must(t, err)
	s.release(p)
}

// ask returns the only term, or else the only warning, of a search.
func ask(t testing.TB, h *Host, snap *snapshot.Snapshot, raw string) string {
	t.Helper()
	res, err := h.Search(t.Context(), h.supervisors[0].entry().Name, request(snap, raw))
	must(t, err)
	if len(res.Candidates) == 1 && len(res.Candidates[0].Terms) == 1 {
		return res.Candidates[0].Terms[0]
	}
	if len(res.Warnings) != 1 {
		t.Fatalf("%q gave the warnings %q", raw, res.Warnings)
	}
	return res.Warnings[0]
}

// try searches until the strategy is there to answer, and returns its answer.
func try(t *testing.T, h *Host, snap *snapshot.Snapshot, query string) (*sdk.Result, error) {
	t.Helper()
	req := request(snap, query)
	req.Scope = roaring.BitmapOf(0, 1, 2, 3, 4)
	for {
		res, err := h.Search(t.Context(), "actor", req)
		if !errors.Is(err, ErrStarting) && !errors.Is(err, ErrBackoff) && !errors.Is(err, wire.ErrOpening) {
			return res, err
		}
		time.Sleep(10 * time.Millisecond)
	}
}
