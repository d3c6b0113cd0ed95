package embedding

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/hashicorp/go-hclog"
	"go.uber.org/goleak"
	"pgregory.net/rapid"

	"github.com/sagasu-search/sagasu/sdk"
	"github.com/sagasu-search/sagasu/sdk/sdktest"
	"github.com/sagasu-search/sagasu/sdk/snapshot"
	"github.com/sagasu-search/sagasu/sdk/x/lsa"
	"github.com/sagasu-search/sagasu/sdk/x/remote"
	"github.com/sagasu-search/sagasu/sdk/x/sample"
)

func TestMain(m *testing.M) {
	if file := os.Getenv("SAGASU_TEST_MODEL"); file != "" {
		serveProcess(file)
	}
	goleak.VerifyTestMain(m)
}

const (
	secret = "sk-not-for-logs"
	keyEnv = "SAGASU_TEST_EMBED_KEY"
)

// topics are words that go together; no text of one topic holds a word of another.
var topics = []string{
	"tyre tread rubber wheel rim bead sidewall groove vulcanised silica carcass belt",
	"battery electrode cathode anode electrolyte lithium separator cell charge voltage current terminal",
	"refund invoice payment receipt bank transfer card customer account fee balance statement",
}

// sections are of the topics in turn; each holds five of its topic's words.
func sections(n int) []sample.Section {
	random := rand.New(rand.NewPCG(1, 2))
	out := make([]sample.Section, n)
	for i := range out {
		words := strings.Fields(topics[i%len(topics)])
		random.Shuffle(len(words), func(a, b int) { words[a], words[b] = words[b], words[a] })
		out[i] = sample.Section{Heading: fmt.Sprintf("Section %d", i), Body: strings.Join(words[:5], " ")}
	}
	return out
}

// publish publishes snapshot number v of an index directory, of one segment.
func publish(t testing.TB, dir string, v int, all []sample.Section) *snapshot.Snapshot {
	t.Helper()
	snap, err := sample.Sections(dir, fmt.Sprintf("manual-%06d", v), snapshot.KindManual, all...)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { snap.Close() })
	return snap
}

// embedder is a service whose model was learned from a snapshot, and that misbehaves on demand.
type embedder struct {
	*httptest.Server
	model *lsa.Model

	mu        sync.Mutex
	texts     []string
	misbehave func(sent int, w http.ResponseWriter, r *http.Request) bool // true when it answered
}

func serve(t testing.TB, learnFrom *snapshot.Snapshot) *embedder {
	t.Helper()
	e := &embedder{}
	var err error
	if e.model, err = lsa.Learn(t.Context(), learnFrom, lsa.Params{Dim: 8, Fields: []float64{0, 1, 0}}); err != nil {
		t.Fatal(err)
	}
	e.Server = httptest.NewServer(http.HandlerFunc(e.answer))
	t.Cleanup(e.Close)
	return e
}

func (e *embedder) answer(w http.ResponseWriter, r *http.Request) {
	var in struct{ Input []string }
	if err := json.NewDecoder(r.Body).Decode(&in); err != nil || r.Header.Get("Authorization") != "Bearer "+secret {
		w.WriteHeader(http.StatusUnauthorized)
		return
	}
	e.mu.Lock()
	sent, misbehave := len(e.texts), e.misbehave
	e.mu.Unlock()
	if misbehave != nil && misbehave(sent, w, r) {
		return
	}
	e.mu.Lock()
	e.texts = append(e.texts, in.Input...)
	e.mu.Unlock()
	type row struct {
		Index     int       `json:"index"`
		Embedding []float32 `json:"embedding"`
	}
	var rows []row
	for i, text := range in.Input {
		v, _ := e.model.Vector(text)
		rows = append(rows, row{i, append(slices.Grow(v, 1), 0.01)[:9]})
	}
	_ = json.NewEncoder(w).Encode(map[string]any{"data": rows})
}

// misbehaves changes what a service does from now on; nil makes it well-behaved.
func (e *embedder) misbehaves(f func(sent int, w http.ResponseWriter, r *http.Request) bool) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.misbehave = f
}

// sent are the texts so far.
func (e *embedder) sent() []string {
	e.mu.Lock()
	defer e.mu.Unlock()
	return slices.Clone(e.texts)
}

func (e *embedder) config() string {
	return fmt.Sprintf(`{"url":%q,"model":"m","key_env":%q,"retries":1,"query_prefix":"Q ","document_prefix":"D "}`, e.URL+"/v1", keyEnv)
}

// start returns a strategy, which the end of the test closes.
func start(t testing.TB, config string) *Strategy {
	t.Helper()
	t.Setenv(keyEnv, secret)
	s := New()
	if err := s.Configure(t.Context(), json.RawMessage(config)); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return s
}

// surroundings are a state directory and a logger that fails the test when a text or the key reaches it.
func surroundings(t testing.TB, dir string) context.Context {
	var log strings.Builder
	t.Cleanup(func() {
		for _, bad := range append(strings.Fields(strings.Join(topics, " ")), secret) {
			if strings.Contains(log.String(), bad) {
				t.Errorf("%q reached the log", bad)
			}
		}
	})
	logger := hclog.New(&hclog.LoggerOptions{Output: &log, Level: hclog.Trace})
	return sdk.WithSurroundings(t.Context(), logger, dir)
}

func find(t testing.TB, ctx context.Context, s *Strategy, snap *snapshot.Snapshot, query string) *sdk.Result {
	t.Helper()
	res, err := s.Search(ctx, &sdk.Request{Corpus: snap, Query: sdk.Query{Raw: query}, Limit: 20})
	if err != nil {
		t.Fatal(err)
	}
	return res
}

// complete waits until nothing is made any more, and returns why it ended early.
func complete(t testing.TB, ctx context.Context, s *Strategy, snap *snapshot.Snapshot) error {
	t.Helper()
	b := s.building(ctx, snap)
	select {
	case <-b.done:
	case <-time.After(time.Minute):
		t.Fatal("still building after a minute")
	}
	_, _, err := b.view()
	return err
}

// aboutCharging reports whether all candidates are of the topic of batteries, and whether some
// do not hold the word of the query.
func aboutCharging(t testing.TB, snap *snapshot.Snapshot, res *sdk.Result, word string) {
	t.Helper()
	others := 0
	for _, c := range res.Candidates {
		if c.Section%3 != 1 {
			t.Errorf("section %d is of another topic", c.Section)
		}
		if !strings.Contains(snap.Source(c.Section, snapshot.FieldBody), word) {
			others++
		}
	}
	if len(res.Candidates) != 20 || others == 0 {
		t.Errorf("%d candidates, of which %d do not hold the word", len(res.Candidates), others)
	}
}

func TestServiceFindsWhatIsAlike(t *testing.T) {
	all, index, state := sections(300), t.TempDir(), t.TempDir()
	snap := publish(t, index, 1, all)
	e, ctx := serve(t, snap), surroundings(t, state)
	s := start(t, e.config())
	if err := s.Open(ctx, snap); err != nil {
		t.Fatal(err)
	}
	if err := complete(t, ctx, s, snap); err != nil {
		t.Fatal(err)
	}
	res := find(t, ctx, s, snap, "voltage")
	aboutCharging(t, snap, res, "voltage")
	texts := e.sent()
	if len(texts) != 301 || texts[0] != "D Section 0\n"+all[0].Body || texts[300] != "Q voltage" {
		t.Errorf("%d texts were sent, the first %q, the last %q", len(texts), texts[0], texts[len(texts)-1])
	}
	if len(res.Warnings) > 0 || res.Examined != 300 || !res.Finished {
		t.Errorf("%+v", res)
	}
	// Another process with an edited index pays for the edited sections alone.
	all[7].Body, all[9].Body = "voltage of a cell", "rim"
	snap = publish(t, index, 2, all)
	s = start(t, e.config())
	if err := complete(t, ctx, s, snap); err != nil {
		t.Fatal(err)
	}
	if n := len(e.sent()); n != 303 {
		t.Errorf("%d texts were sent again", n-301)
	}
	files, err := filepath.Glob(filepath.Join(state, "*"))
	for _, f := range files {
		if b, rerr := os.ReadFile(f); rerr != nil || strings.Contains(string(b), secret) || strings.Contains(string(b), "voltage") {
			t.Errorf("%s holds the key or a text: %v", f, rerr)
		}
	}
	if err != nil || len(files) < 2 {
		t.Errorf("kept %v: %v", files, err)
	}
}

// TestSearchWhileVectorsAreMissing holds the service after 256 sections: these are searched, with a warning.
func TestSearchWhileVectorsAreMissing(t *testing.T) {
	snap := publish(t, t.TempDir(), 1, sections(300))
	e, ctx := serve(t, snap), surroundings(t, t.TempDir())
	release := make(chan struct{})
	e.misbehaves(func(sent int, _ http.ResponseWriter, r *http.Request) bool {
		if sent == 256 {
			select {
			case <-release:
			case <-r.Context().Done():
			}
		}
		return false
	})
	s := start(t, e.config())
	progress := func() *sdk.Result { return find(t, ctx, s, snap, "") }
	for deadline := time.Now().Add(time.Minute); progress().Examined < 256; time.Sleep(time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatal("nothing is made")
		}
	}
	if p := progress(); p.Examined != 256 || p.Finished {
		t.Errorf("progress %+v", p)
	}
	e.misbehaves(func(sent int, _ http.ResponseWriter, r *http.Request) bool { return false }) // queries go through
	res := find(t, ctx, s, snap, "voltage")
	aboutCharging(t, snap, res, "voltage")
	if diff := cmp.Diff([]string{"256 of 300 sections have vectors so far"}, res.Warnings); diff != "" {
		t.Error(diff)
	}
	close(release)
	if err := complete(t, ctx, s, snap); err != nil {
		t.Fatal(err)
	}
	if res := find(t, ctx, s, snap, "voltage"); len(res.Warnings) > 0 {
		t.Error(res.Warnings)
	}
	if p := progress(); p.Examined != 300 || !p.Finished {
		t.Errorf("progress %+v", p)
	}
}

// TestBuildingIsResumed lets the service refuse after 256 sections: what was paid for is searched, kept, and
// not asked for again.
func TestBuildingIsResumed(t *testing.T) {
	snap := publish(t, t.TempDir(), 1, sections(300))
	e, ctx := serve(t, snap), surroundings(t, t.TempDir())
	e.misbehaves(func(sent int, w http.ResponseWriter, r *http.Request) bool {
		if sent == 256 {
			w.WriteHeader(http.StatusPaymentRequired)
		}
		return sent == 256
	})
	s := start(t, e.config())
	if err := complete(t, ctx, s, snap); err == nil {
		t.Fatal("the refusal is not reported")
	}
	e.misbehaves(nil)
	res := find(t, ctx, s, snap, "voltage")
	aboutCharging(t, snap, res, "voltage")
	want := []string{"256 of 300 sections have vectors only; the embedding service: the service answered 402"}
	if len(res.Warnings) != 1 || !strings.HasPrefix(res.Warnings[0], want[0]) {
		t.Errorf("%q", res.Warnings)
	}
	if _, err := s.Search(ctx, &sdk.Request{Corpus: snap, Limit: 1}); err == nil || !strings.Contains(err.Error(), "402") {
		t.Errorf("progress after a failure: %v", err)
	}
	s.buildings[0].ended = time.Now().Add(-retryAfter) // the next search tries again
	find(t, ctx, s, snap, "voltage")
	if err := complete(t, ctx, s, snap); err != nil {
		t.Fatal(err)
	}
	if n := len(e.sent()); n != 300+2 {
		t.Errorf("%d texts were sent for 300 sections and two queries", n)
	}
}

// TestFailingServices cost a warning and never the answer.
func TestFailingServices(t *testing.T) {
	snap := publish(t, t.TempDir(), 1, sections(30))
	answers := func(body string) func(int, http.ResponseWriter, *http.Request) bool {
		return func(_ int, w http.ResponseWriter, _ *http.Request) bool {
			_, _ = w.Write([]byte(body))
			return true
		}
	}
	for what, c := range map[string]struct {
		misbehave func(int, http.ResponseWriter, *http.Request) bool
		want      string
	}{
		"an error": {func(_ int, w http.ResponseWriter, _ *http.Request) bool {
			http.Error(w, "hush", http.StatusForbidden)
			return true
		}, "answered 403"},
		"garbage":            {answers("<html>"), "unusable answer"},
		"no vectors":         {answers(`{"data":[]}`), "unusable answer"},
		"no numbers":         {answers(`{"data":[{"index":0,"embedding":[]}]}`), "unusable answer"},
		"a zero vector":      {answers(`{"data":[{"index":0,"embedding":[0,0,0,0,0,0,0,0,0]}]}`), "unusable answer"},
		"another number":     {answers(`{"data":[{"index":3,"embedding":[1,0,0,0,0,0,0,0,0]}]}`), "unusable answer"},
		"another dimension":  {answers(`{"data":[{"index":0,"embedding":[1,0]}]}`), "unusable answer"},
		"a vector too large": {answers(`{"data":[{"index":0,"embedding":[1e39,0,0,0,0,0,0,0,0]}]}`), "unusable answer"},
		"a cut connection": {func(_ int, _ http.ResponseWriter, _ *http.Request) bool {
			panic(http.ErrAbortHandler)
		}, "could not be reached"},
	} {
		t.Run(what, func(t *testing.T) {
			e, ctx := serve(t, snap), surroundings(t, t.TempDir())
			s := start(t, e.config())
			if err := complete(t, ctx, s, snap); err != nil {
				t.Fatal(err)
			}
			e.misbehaves(c.misbehave)
			res := find(t, ctx, s, snap, "voltage")
			if len(res.Candidates) > 0 || len(res.Warnings) != 1 || !strings.Contains(res.Warnings[0], c.want) ||
				!strings.HasPrefix(res.Warnings[0], "the order is as without embeddings: ") || strings.Contains(res.Warnings[0], "hush") {
				t.Errorf("a query: %q", res.Warnings)
			}
			if what == "another dimension" {
				return // that of sections is whatever comes first
			}
			s, ctx = start(t, e.config()), surroundings(t, t.TempDir()) // which holds no vectors
			if err := complete(t, ctx, s, snap); err == nil {
				t.Error("the failure is not reported")
			}
			res = find(t, ctx, s, snap, "voltage")
			if len(res.Warnings) != 1 || !strings.Contains(res.Warnings[0], "0 of 30 sections have vectors only") ||
				!strings.Contains(res.Warnings[0], c.want) {
				t.Errorf("sections: %q", res.Warnings)
			}
		})
	}
}

// TestSlowServiceIsLeft ends a search with its context, and a building with the strategy.
func TestSlowServiceIsLeft(t *testing.T) {
	snap := publish(t, t.TempDir(), 1, sections(30))
	e, ctx := serve(t, snap), surroundings(t, t.TempDir())
	s := start(t, e.config())
	if err := complete(t, ctx, s, snap); err != nil {
		t.Fatal(err)
	}
	hang := func(_ int, _ http.ResponseWriter, r *http.Request) bool { <-r.Context().Done(); return true }
	e.misbehaves(hang)
	short, cancel := context.WithTimeout(ctx, 20*time.Millisecond)
	defer cancel()
	res, err := s.Search(short, &sdk.Request{Corpus: snap, Query: sdk.Query{Raw: "voltage"}, Limit: 9})
	if err != nil || len(res.Warnings) != 1 || !strings.Contains(res.Warnings[0], "took too long") {
		t.Errorf("%+v, %v", res, err)
	}
	gone, leave := context.WithCancel(ctx)
	time.AfterFunc(20*time.Millisecond, leave)
	if _, err := s.Search(gone, &sdk.Request{Corpus: snap, Query: sdk.Query{Raw: "voltage"}, Limit: 9}); !errors.Is(err, context.Canceled) {
		t.Errorf("a search that nobody waits for: %v", err)
	}
	other := start(t, e.config())
	other.building(surroundings(t, t.TempDir()), publish(t, t.TempDir(), 1, sections(30)))
	if err := other.Close(); err != nil { // waits for the building, which must end; goleak sees the rest
		t.Error(err)
	}
}

// serveProcess serves the model in a file at SAGASU_TEST_ADDRESS, which it prints, until its standard input ends. It
// dies after SAGASU_TEST_TEXTS texts, and says at GET how many there were.
func serveProcess(file string) {
	data, err := os.ReadFile(file)
	e := &embedder{}
	if err == nil {
		e.model, err = lsa.Decode(data)
	}
	most, _ := strconv.Atoi(os.Getenv("SAGASU_TEST_TEXTS"))
	l, lerr := net.Listen("tcp", os.Getenv("SAGASU_TEST_ADDRESS"))
	if err := errors.Join(err, lerr); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	fmt.Println(l.Addr())
	go func() {
		_, _ = io.Copy(io.Discard, os.Stdin)
		os.Exit(0)
	}()
	err = http.Serve(l, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch {
		case r.Method == http.MethodGet:
			fmt.Fprint(w, len(e.sent()))
		case len(e.sent()) >= most:
			os.Exit(1)
		default:
			e.answer(w, r)
		}
	}))
	fmt.Fprintln(os.Stderr, err)
	os.Exit(1)
}

// process starts [serveProcess], which the end of the test ends, and returns its address.
func process(t *testing.T, model, address string, texts int) string {
	t.Helper()
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), "SAGASU_TEST_MODEL="+model, "SAGASU_TEST_ADDRESS="+address, fmt.Sprint("SAGASU_TEST_TEXTS=", texts))
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		in.Close()
		_ = cmd.Wait() // it may have died as told
	})
	if _, err := fmt.Fscanln(out, &address); err != nil {
		t.Fatal(err)
	}
	return address
}

// TestServiceThatDies runs a model that the test trains in a process of its own. It dies amid the building; the next
// start asks its successor for nothing that the first one gave.
func TestServiceThatDies(t *testing.T) {
	snap := publish(t, t.TempDir(), 1, sections(300))
	ctx, model := surroundings(t, t.TempDir()), filepath.Join(t.TempDir(), "model")
	if err := os.WriteFile(model, serve(t, snap).model.Encode(), 0o600); err != nil {
		t.Fatal(err)
	}
	address := process(t, model, "127.0.0.1:0", 128)
	config := fmt.Sprintf(`{"url":"http://%s/v1","model":"m","key_env":%q,"batch":16,"retries":1}`, address, keyEnv)
	first := start(t, config)
	if err := complete(t, ctx, first, snap); err == nil {
		t.Fatal("the death is not reported")
	}
	res := find(t, ctx, first, snap, "voltage")
	want := []string{"the order is as without embeddings: the embedding service: it could not be reached"}
	if diff := cmp.Diff(want, res.Warnings); diff != "" {
		t.Error(diff)
	}
	if _, err := first.Search(ctx, &sdk.Request{Corpus: snap, Limit: 1}); err == nil {
		t.Error("the progress does not say that it has ended")
	}
	if n := bound(first.buildings[0].parts); n != 128 {
		t.Errorf("%d sections have vectors", n)
	}
	if err := first.Close(); err != nil {
		t.Error(err)
	}
	process(t, model, address, 1000)
	second := start(t, config)
	if err := complete(t, ctx, second, snap); err != nil {
		t.Fatal(err)
	}
	aboutCharging(t, snap, find(t, ctx, second, snap, "voltage"), "voltage")
	said, err := http.Get("http://" + address)
	if err != nil {
		t.Fatal(err)
	}
	defer said.Body.Close()
	defer http.DefaultClient.CloseIdleConnections()
	if n, err := io.ReadAll(said.Body); string(n) != "173" {
		t.Errorf("the second process was sent %s texts (%v), not those of 172 sections and a query", n, err)
	}
}

func TestDeadService(t *testing.T) {
	t.Setenv(keyEnv, secret)
	snap := publish(t, t.TempDir(), 1, sections(30))
	e := serve(t, snap)
	s, ctx := start(t, e.config()), surroundings(t, t.TempDir())
	e.Close()
	if err := complete(t, ctx, s, snap); err == nil {
		t.Error("the failure is not reported")
	}
	res := find(t, ctx, s, snap, "voltage")
	want := []string{"0 of 30 sections have vectors only; the embedding service: it could not be reached"}
	if diff := cmp.Diff(want, res.Warnings); diff != "" {
		t.Error(diff)
	}
}

// TestANewSnapshotEndsTheBuildingOfTheLast and a search on an old one does not end that of the new.
func TestANewSnapshotEndsTheBuildingOfTheLast(t *testing.T) {
	index, all := t.TempDir(), sections(300)
	first := publish(t, index, 1, all)
	e, ctx := serve(t, first), surroundings(t, t.TempDir())
	e.misbehaves(func(_ int, _ http.ResponseWriter, r *http.Request) bool { <-r.Context().Done(); return true })
	s := start(t, e.config())
	old := s.building(ctx, first)
	all[0].Body = "rim"
	second := publish(t, index, 2, all)
	b := s.building(ctx, second)
	<-old.done
	_, _ = s.Search(ctx, &sdk.Request{Corpus: first, Query: sdk.Query{Raw: "voltage"}, Limit: 9})
	select {
	case <-b.done:
		t.Error("the search on the old snapshot ended the building for the new one")
	default:
	}
}

// words writes word vectors by chance: words of a topic point where the topic does.
func words(t testing.TB) (dir string) {
	t.Helper()
	random := rand.New(rand.NewPCG(3, 4))
	var b strings.Builder
	for i, topic := range topics {
		for word := range strings.FieldsSeq(topic) {
			v := make([]string, 6)
			for d := range v {
				x := random.NormFloat64() / 4
				if d == i {
					x++
				}
				v[d] = fmt.Sprintf("%.4f", x)
			}
			fmt.Fprintf(&b, "%s %s\n", word, strings.Join(v, " "))
		}
	}
	dir = t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "words.vec"), []byte(b.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	return dir
}

func TestFolderFindsWhatIsAlike(t *testing.T) {
	snap := publish(t, t.TempDir(), 1, sections(300))
	ctx := surroundings(t, t.TempDir())
	s := start(t, fmt.Sprintf(`{"dir":%q}`, words(t)))
	if err := s.Open(ctx, snap); err != nil {
		t.Fatal(err)
	}
	if err := complete(t, ctx, s, snap); err != nil {
		t.Fatal(err)
	}
	aboutCharging(t, snap, find(t, ctx, s, snap, "what about the voltage?"), "voltage")
	if res := find(t, ctx, s, snap, "unheard of"); len(res.Candidates)+len(res.Warnings) > 0 {
		t.Errorf("unknown words find %+v", res)
	}
	empty := start(t, fmt.Sprintf(`{"dir":%q}`, t.TempDir()))
	if err := complete(t, ctx, empty, snap); err == nil {
		t.Error("a folder without a model is a model")
	}
	if res := find(t, ctx, empty, snap, "voltage"); len(res.Warnings) != 1 || !strings.Contains(res.Warnings[0], "neither model.safetensors") {
		t.Errorf("%q", res.Warnings)
	}
}

// TestVeryManySectionsAreSieved compares the first of all sections with the first of those that a sieve leaves.
func TestVeryManySectionsAreSieved(t *testing.T) {
	snap := publish(t, t.TempDir(), 1, sections(600))
	ctx, config := surroundings(t, t.TempDir()), fmt.Sprintf(`{"dir":%q}`, words(t))
	run := func(exact int) []sdk.Candidate {
		s := start(t, config)
		s.exact = exact
		if err := complete(t, ctx, s, snap); err != nil {
			t.Fatal(err)
		}
		res, err := s.Search(ctx, &sdk.Request{Corpus: snap, Query: sdk.Query{Raw: "voltage"}, Limit: 600})
		if err != nil || len(res.Warnings) > 0 || !res.Finished || res.Examined != 600 {
			t.Fatalf("%+v, %v", res, err)
		}
		return res.Candidates
	}
	all, some := run(600), run(599)
	if len(some) < 600/sieved || len(some) >= len(all) {
		t.Errorf("%d of %d sections are left", len(some), len(all))
	}
	if last := all[len(all)-1]; last.Score != 0 || all[0].Score <= 0 || all[0].Score > 1 {
		t.Errorf("scores from %v to %v", all[0].Score, last.Score)
	}
	if diff := cmp.Diff(all[:5], some[:5], cmpopts.IgnoreFields(sdk.Candidate{}, "Score")); diff != "" {
		t.Error(diff)
	}
}

// TestTheBestPieceOfALongSectionCounts hides one sentence of the topic in a long text of others.
func TestTheBestPieceOfALongSectionCounts(t *testing.T) {
	all := sections(60)
	all[3].Body = strings.Repeat(topics[2]+".\n", 12) + topics[1] + ".\n" + strings.Repeat(topics[0]+".\n", 12)
	snap := publish(t, t.TempDir(), 1, all)
	ctx := surroundings(t, t.TempDir())
	rank := func(most int) int {
		s := start(t, fmt.Sprintf(`{"dir":%q,"max_chars":%d}`, words(t), most))
		if err := complete(t, ctx, s, snap); err != nil {
			t.Fatal(err)
		}
		return slices.IndexFunc(find(t, ctx, s, snap, topics[1]).Candidates, func(c sdk.Candidate) bool { return c.Section == 3 })
	}
	if whole, pieces := rank(100_000), rank(120); whole >= 0 || pieces < 0 {
		t.Errorf("as a whole it is number %d, in pieces %d", whole, pieces)
	}
}

func TestPiecesHoldTheText(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		body := rapid.StringMatching(`([a-z。あ保 ]{0,30}[\n.])*`).Draw(t, "body")
		most := rapid.IntRange(10, 60).Draw(t, "most")
		var joined strings.Builder
		for rest, piece := strings.TrimSpace(body), ""; ; {
			piece, rest = cut(rest, most)
			if utf8.RuneCountInString(piece) > most || !utf8.ValidString(piece) {
				t.Fatalf("a piece of %d characters: %q", utf8.RuneCountInString(piece), piece)
			}
			joined.WriteString(piece)
			if rest == "" {
				break
			}
		}
		squeeze := func(s string) string { return strings.Join(strings.Fields(s), "") }
		if squeeze(joined.String()) != squeeze(body) {
			t.Fatalf("%q became %q", body, joined.String())
		}
	})
}

func TestConfigure(t *testing.T) {
	for config, want := range map[string]string{
		`{"colour":"red"}`:                 "unknown field",
		`{}`:                               "neither the folder of a model nor the URL",
		`{"url":"ftp://x","model":"m"}`:    "http or https",
		`{"url":"http://x/v1"}`:            "name of a model",
		`{"url":"http://x/v1","dir":"/m"}`: "names a folder and a service",
		`{"url":"http://x/v1","model":"m","key_env":"SAGASU_NO_SUCH"}`: "SAGASU_NO_SUCH is not set",
	} {
		if err := New().Configure(t.Context(), json.RawMessage(config)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", config, err)
		}
	}
}

func TestLaunch(t *testing.T) {
	dir := t.TempDir()
	for _, c := range []struct {
		set  map[string]string
		want sdk.Launch
		err  string
	}{
		{map[string]string{}, sdk.Launch{Off: true}, ""},
		{map[string]string{"EMBED_URL": "https://host/v1", "EMBED_KEY_ENV": "K"}, sdk.Launch{
			Network: []sdk.Grant{{Value: "tcp:443", From: "EMBED_URL"}}, Env: []sdk.Grant{{Value: "K", From: "EMBED_KEY_ENV"}}}, ""},
		{map[string]string{"EMBED_DIR": dir}, sdk.Launch{Reads: []sdk.Grant{{Value: dir, From: "EMBED_DIR"}}}, ""},
		{map[string]string{"EMBED_DIR": filepath.Join(dir, "none")}, sdk.Launch{}, "no such file"},
		{map[string]string{"EMBED_DIR": dir, "EMBED_URL": "http://x/v1"}, sdk.Launch{}, "EMBED_URL is given too"},
		{map[string]string{"EMBED_URL": "x"}, sdk.Launch{}, remote.ErrURL.Error()},
	} {
		got, err := launch(sdk.Configuration{Setting: func(name string) string { return c.set[name] }})
		if (err == nil) != (c.err == "") || err != nil && !strings.Contains(err.Error(), c.err) {
			t.Errorf("%v: %v, want %q", c.set, err, c.err)
		}
		if c.err == "" && !got.Off && New().Configure(t.Context(), got.Config) != nil && c.set["EMBED_DIR"] != "" {
			t.Errorf("%v: the configuration is refused: %s", c.set, got.Config)
		}
		got.Config = nil
		if diff := cmp.Diff(c.want, got); c.err == "" && diff != "" {
			t.Errorf("%v: %s", c.set, diff)
		}
	}
}

func TestConformance(t *testing.T) {
	var vec strings.Builder
	for i, w := range []string{"the", "of", "backup", "raid", "disk", "server", "network", "password", "travel", "refund", "error", "update"} {
		fmt.Fprintf(&vec, "%s %d %d 1\n", w, i%5, i%3)
	}
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "w.vec"), []byte(vec.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	t.Run("folder", func(t *testing.T) { sdktest.RunConfigured(t, New, []byte(fmt.Sprintf(`{"dir":%q}`, dir))) })
	dead := httptest.NewServer(http.NotFoundHandler())
	dead.Close()
	t.Run("dead service", func(t *testing.T) {
		sdktest.RunConfigured(t, New, []byte(fmt.Sprintf(`{"url":%q,"model":"m","retries":1}`, dead.URL+"/v1")))
	})
}
