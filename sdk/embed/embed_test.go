package embed

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"go.uber.org/goleak"

	"github.com/sagasu-search/sagasu/sdk/x/remote"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

const secret = "sk-not-for-logs"

// service is an embedding service that behaves as a test requires.
type service struct {
	*httptest.Server
	mu        sync.Mutex
	calls     int
	texts     []string                                                           // all texts that it received
	header    http.Header                                                        // of the last call
	path      string                                                             // of the last call
	misbehave func(call int, w http.ResponseWriter, r *http.Request, n int) bool // true if it answered
}

func newService(t *testing.T) *service {
	s := &service{}
	s.Server = httptest.NewServer(http.HandlerFunc(s.serve))
	t.Cleanup(s.Close)
	return s
}

func (s *service) serve(w http.ResponseWriter, r *http.Request) {
	var req request
	if err := json.NewDecoder(r.Body).Decode(&req); err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	s.mu.Lock()
	s.calls++
	call := s.calls
	s.texts = append(s.texts, req.Input...)
	s.header, s.path = r.Header.Clone(), r.URL.Path
	s.mu.Unlock()
	if s.misbehave != nil && s.misbehave(call, w, r, len(req.Input)) {
		return
	}
	var rows []string
	for i, text := range req.Input { // backwards, because the indexes give the order
		rows = append([]string{fmt.Sprintf(`{"index":%d,"embedding":[%d,1]}`, i, len(text))}, rows...)
	}
	fmt.Fprintf(w, `{"object":"list","data":[%s]}`, strings.Join(rows, ","))
}

// asked returns the number of calls.
func (s *service) asked() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.calls
}

// sent returns the texts received.
func (s *service) sent() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.texts
}

func (s *service) client(t *testing.T, change func(*Options)) *Client {
	t.Helper()
	o := Options{URL: s.URL + "/v1", Model: "m", Key: secret, Batch: 2, Retries: 2, Wait: time.Millisecond, Timeout: 5 * time.Second}
	if change != nil {
		change(&o)
	}
	c, err := New(o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close() })
	return c
}

func TestEmbedBatches(t *testing.T) {
	s := newService(t)
	got, err := s.client(t, nil).Embed(t.Context(), []string{"a", "bb", "ccc", "dddd", "eeeee"})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([][]float32{{1, 1}, {2, 1}, {3, 1}, {4, 1}, {5, 1}}, got); diff != "" {
		t.Errorf("vectors (-want +got):\n%s", diff)
	}
	if s.asked() != 3 || s.path != "/v1/embeddings" || s.header.Get("Authorization") != "Bearer "+secret {
		t.Errorf("%d calls of %s with %q", s.asked(), s.path, s.header.Get("Authorization"))
	}
	if none, err := s.client(t, nil).Embed(t.Context(), nil); err != nil || len(none) != 0 || s.asked() != 3 {
		t.Errorf("no texts: %v, %v, %d calls", none, err, s.asked())
	}
}

// say returns a handler that answers with a status and a body.
func say(status int, body string) func(int, http.ResponseWriter, *http.Request, int) bool {
	return func(_ int, w http.ResponseWriter, _ *http.Request, _ int) bool {
		w.WriteHeader(status)
		io.WriteString(w, body)
		return true
	}
}

func TestUnusableAnswers(t *testing.T) {
	for name, body := range map[string]string{
		"no JSON":        `<html>the text was: hush`,
		"too few":        `{"data":[{"index":0,"embedding":[1,1]}]}`,
		"too many":       `{"data":[{"embedding":[1]},{"embedding":[1]},{"embedding":[1]}]}`,
		"the same twice": `{"data":[{"index":0,"embedding":[1,1]},{"index":0,"embedding":[1,1]}]}`,
		"out of range":   `{"data":[{"index":0,"embedding":[1,1]},{"index":2,"embedding":[1,1]}]}`,
		"two lengths":    `{"data":[{"index":0,"embedding":[1,1]},{"index":1,"embedding":[1]}]}`,
		"empty":          `{"data":[{"index":0,"embedding":[]},{"index":1,"embedding":[]}]}`,
		"zero":           `{"data":[{"index":0,"embedding":[0,0]},{"index":1,"embedding":[1,1]}]}`,
		"not finite":     `{"data":[{"index":0,"embedding":[1e39,0]},{"index":1,"embedding":[1,1]}]}`,
		"endless":        `{"data":[` + strings.Repeat(" ", 3*mostAnswer),
		"other length":   `{"data":[{"index":0,"embedding":[1,1,1]},{"index":1,"embedding":[1,1,1]}]}`,
	} {
		s := newService(t)
		s.misbehave = say(http.StatusOK, body)
		_, err := s.client(t, func(o *Options) { o.Dimensions = 2 }).Embed(t.Context(), []string{"hush", "b"})
		if !errors.Is(err, ErrAnswer) {
			t.Errorf("%s: %v", name, err)
		}
		if s.asked() != 1 {
			t.Errorf("%s: asked %d times", name, s.asked())
		}
		quiet(t, name, err)
	}
}

// quiet checks that an error contains neither the key nor a text.
func quiet(t *testing.T, name string, err error) {
	t.Helper()
	if err != nil && (strings.Contains(err.Error(), secret) || strings.Contains(err.Error(), "hush")) {
		t.Errorf("%s: the error tells too much: %v", name, err)
	}
}

func TestTheLengthMayNotChange(t *testing.T) {
	s := newService(t)
	c := s.client(t, nil)
	if _, err := c.Embed(t.Context(), []string{"a"}); err != nil {
		t.Fatal(err)
	}
	s.misbehave = say(http.StatusOK, `{"data":[{"embedding":[1,1,1]}]}`)
	if _, err := c.Embed(t.Context(), []string{"b"}); !errors.Is(err, ErrAnswer) {
		t.Errorf("three numbers after two: %v", err)
	}
}

func TestRetries(t *testing.T) {
	refused := `{"error":{"message":"bad text: hush, key sk-not-for-logs","type":"invalid_request_error","code":"model_not_found"}}`
	cut := func(_ int, w http.ResponseWriter, _ *http.Request, _ int) bool {
		w.Header().Set("Content-Length", "100")
		io.WriteString(w, "{")
		panic(http.ErrAbortHandler)
	}
	for name, c := range map[string]struct {
		misbehave func(int, http.ResponseWriter, *http.Request, int) bool
		calls     int
		status    int // 0 for another error
	}{
		"busy":        {say(429, ""), 3, 429},
		"broken":      {say(503, ""), 3, 503},
		"refused":     {say(404, refused), 1, 404},
		"a bad key":   {say(401, ""), 1, 401},
		"cut":         {cut, 3, 0},
		"moved":       {redirect, 1, 302},
		"a bad error": {say(400, `{"error":"hush"}`), 1, 400},
	} {
		s := newService(t)
		s.misbehave = c.misbehave
		_, err := s.client(t, nil).Embed(t.Context(), []string{"hush"})
		status, _ := errors.AsType[*remote.StatusError](err)
		if err == nil || c.status != 0 && (status == nil || status.Status != c.status) {
			t.Errorf("%s: %v", name, err)
		}
		if s.asked() != c.calls {
			t.Errorf("%s: asked %d times, want %d", name, s.asked(), c.calls)
		}
		quiet(t, name, err)
		if name == "refused" && !strings.Contains(err.Error(), "model_not_found") {
			t.Errorf("the reason is lost: %v", err)
		}
	}
}

func redirect(_ int, w http.ResponseWriter, r *http.Request, _ int) bool {
	http.Redirect(w, r, "/elsewhere", http.StatusFound)
	return true
}

func TestWhatPassesIsForgotten(t *testing.T) {
	s := newService(t)
	s.misbehave = func(call int, w http.ResponseWriter, r *http.Request, n int) bool {
		return call < 3 && say(500+call, "")(call, w, r, n)
	}
	got, err := s.client(t, nil).Embed(t.Context(), []string{"abc"})
	if err != nil || s.asked() != 3 {
		t.Fatalf("%v after %d calls", err, s.asked())
	}
	if diff := cmp.Diff([][]float32{{3, 1}}, got); diff != "" {
		t.Error(diff)
	}
}

func TestAServiceMayAskForPatience(t *testing.T) {
	s := newService(t)
	asked := make(chan struct{})
	s.misbehave = func(call int, w http.ResponseWriter, r *http.Request, n int) bool {
		w.Header().Set("Retry-After", "30")
		close(asked)
		return say(429, "")(call, w, r, n)
	}
	ctx, cancel := context.WithCancel(t.Context())
	go func() { <-asked; cancel() }()
	if _, err := s.client(t, nil).Embed(ctx, []string{"abc"}); !errors.Is(err, context.Canceled) {
		t.Errorf("given up while waiting: %v", err)
	}
	if s.asked() != 1 {
		t.Errorf("asked %d times", s.asked())
	}
}

func TestTimeouts(t *testing.T) {
	s := newService(t)
	s.misbehave = func(_ int, _ http.ResponseWriter, r *http.Request, _ int) bool {
		<-r.Context().Done()
		return true
	}
	_, err := s.client(t, func(o *Options) { o.Timeout = 5 * time.Millisecond }).Embed(t.Context(), []string{"abc"})
	if !errors.Is(err, context.DeadlineExceeded) || s.asked() == 0 {
		t.Errorf("%v after %d calls", err, s.asked())
	}
}

func TestNewRefuses(t *testing.T) {
	for _, o := range []Options{
		{}, {URL: "http://h/v1"}, {URL: "h/v1", Model: "m"}, {URL: "file:///etc", Model: "m"},
		{URL: "http://me:pw@h/v1", Model: "m"}, {URL: "http://h/v1", Model: "m", Batch: -1}, {URL: "http://\x00", Model: "m"},
	} {
		if _, err := New(o); err == nil {
			t.Errorf("%+v is taken", o)
		} else if strings.Contains(err.Error(), "pw") {
			t.Errorf("the password is shown: %v", err)
		}
	}
}

func FuzzDecode(f *testing.F) {
	f.Add([]byte(`{"data":[{"index":1,"embedding":[1,2]},{"index":0,"embedding":[1e300,-2]}]}`), 2)
	f.Add([]byte(`{"data":[{"embedding":[0.5]}]}`), 1)
	f.Fuzz(func(t *testing.T, data []byte, n int) {
		if n < 1 || n > 100 {
			return
		}
		vectors, err := decode(data, n)
		if err != nil {
			if !errors.Is(err, ErrAnswer) {
				t.Fatal(err)
			}
			return
		}
		if len(vectors) != n {
			t.Fatalf("%d vectors for %d texts", len(vectors), n)
		}
		for _, v := range vectors {
			if check(v, len(vectors[0])) != nil {
				t.Fatal("an unusable vector was taken")
			}
		}
	})
}
