package embedding

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
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

	"github.com/google/go-cmp/cmp"

	"github.com/sagasu-search/sagasu/sdk"
	"github.com/sagasu-search/sagasu/sdk/snapshot"
	"github.com/sagasu-search/sagasu/sdk/x/lsa"
)

// embedder is a service that misbehaves on demand. Its model was learned from a snapshot.
type embedder struct {
	*httptest.Server
	model *lsa.Model
	dim   int // of its vectors; 0 means 9

	mu        sync.Mutex
	texts     []string
	misbehave func(sent int, w http.ResponseWriter, r *http.Request) bool // true if it answered
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
		v = append(slices.Clip(v), 0.01)
		rows = append(rows, row{i, append(v, make([]float32, max(0, e.dim-len(v)))...)})
	}
	_ = json.NewEncoder(w).Encode(map[string]any{"data": rows})
}

// misbehaves sets how a service misbehaves from now on; nil makes it behave well.
func (e *embedder) misbehaves(f func(sent int, w http.ResponseWriter, r *http.Request) bool) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.misbehave = f
}

// sent returns the texts received so far.
func (e *embedder) sent() []string {
	e.mu.Lock()
	defer e.mu.Unlock()
	return slices.Clone(e.texts)
}

func (e *embedder) config() string {
	return fmt.Sprintf(`{"url":%q,"model":"m","key_env":%q,"retries":1,"query_prefix":"Q ","document_prefix":"D "}`, e.URL+"/v1", keyEnv)
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
	// Another process with an edited index pays only for the edited sections.
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

// TestFailingServices checks that a failing service causes a warning but never a missing answer.
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
				return // for sections, any reason may come first
			}
			s, ctx = start(t, e.config()), surroundings(t, t.TempDir()) // without vectors
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
	if err := other.Close(); err != nil { // waits for the building, which must end; goleak finds anything else
		t.Error(err)
	}
}

// serveProcess serves the model in a file at SAGASU_TEST_ADDRESS, which it prints, until its standard input ends. It
// dies after SAGASU_TEST_TEXTS texts, and answers GET with the number of texts so far.
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

// process starts [serveProcess] and returns its address. The process ends with the test.
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
		_ = cmd.Wait() // it may have died as instructed
	})
	if _, err := fmt.Fscanln(out, &address); err != nil {
		t.Fatal(err)
	}
	return address
}

// TestServiceThatDies runs a model that the test trains in a separate process. The process dies during the building.
// The next start does not ask its successor for what the first one returned.
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
