package rerankhttp

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"go.uber.org/goleak"

	"github.com/sagasu-search/sagasu/sdk"
	"github.com/sagasu-search/sagasu/sdk/sdktest"
	"github.com/sagasu-search/sagasu/sdk/x/remote"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

const (
	secret = "sk-not-for-logs"
	keyEnv = "SAGASU_TEST_RERANK_KEY"
)

// question is a request in any of the APIs.
type question struct {
	Model     string
	Query     string
	Texts     []string // TEI
	Documents []string
}

func (q question) all() []string { return append(q.Texts, q.Documents...) }

// service implements one of the APIs and misbehaves on demand. It scores a text by the number after "score" in it.
type service struct {
	*httptest.Server
	api       API
	mu        sync.Mutex
	asked     []question
	keys      []string
	misbehave func(call int, w http.ResponseWriter, r *http.Request, q question) bool // true if it answered
}

func serve(t *testing.T, api API) *service {
	t.Helper()
	s := &service{api: api}
	s.Server = httptest.NewServer(http.HandlerFunc(s.answer))
	t.Cleanup(s.Close)
	return s
}

func (s *service) answer(w http.ResponseWriter, r *http.Request) {
	var q question
	if err := json.NewDecoder(r.Body).Decode(&q); err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	s.mu.Lock()
	s.asked = append(s.asked, q)
	s.keys = append(s.keys, r.Header.Get("Authorization"))
	call := len(s.asked)
	s.mu.Unlock()
	if s.misbehave != nil && s.misbehave(call, w, r, q) {
		return
	}
	io.WriteString(w, s.scores(q))
}

// scores returns the scores of a request's texts, last text first, so that only the indexes show the order.
func (s *service) scores(q question) string {
	var rows []string
	for i, text := range q.all() {
		_, number, _ := strings.Cut(text, "score ")
		name, extra := "relevance_score", ""
		if s.api == TEI {
			name = "score"
		}
		if s.api == VLLM {
			extra = fmt.Sprintf(`,"document":{"text":%q}`, text)
		}
		rows = append([]string{fmt.Sprintf(`{"index":%d,%q:%s%s}`, i, name, strings.TrimSpace(number), extra)}, rows...)
	}
	list := "[" + strings.Join(rows, ",") + "]"
	if s.api == TEI {
		return list
	}
	return `{"id":"x","results":` + list + `,"meta":{},"usage":{}}`
}

// calls returns the number of calls.
func (s *service) calls() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.asked)
}

// strategy returns a strategy that uses s in batches of two.
func (s *service) strategy(t *testing.T, more string) *Strategy {
	t.Helper()
	t.Setenv(keyEnv, secret)
	out := New()
	config := fmt.Sprintf(`{"url":%q,"api":%q,"model":"m","key_env":%q,"batch":2,"timeout_ms":20000%s}`, s.URL, s.api, keyEnv, more)
	if err := out.Configure(t.Context(), json.RawMessage(config)); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { out.Close() })
	return out
}

// ask lets the strategy rank sections whose bodies name their scores.
func ask(t *testing.T, ctx context.Context, s *Strategy, bodies ...string) *sdk.Result {
	t.Helper()
	var sections []sdktest.Section
	var pool []sdk.Candidate
	for i, body := range bodies {
		sections = append(sections, sdktest.Section{Heading: "H", Body: body})
		pool = append(pool, sdk.Candidate{Section: uint32(i), Score: 1})
	}
	req := &sdk.Request{Corpus: sdktest.Snapshot(t, sections...), Query: sdk.Query{Raw: "hush 質問"}, Pool: pool, Limit: 100}
	res, err := s.Search(ctx, req)
	if err != nil {
		t.Fatal(err)
	}
	return res
}

func order(res *sdk.Result) (ids []uint32) {
	for _, c := range res.Candidates {
		ids = append(ids, c.Section)
	}
	return ids
}

func TestEveryShape(t *testing.T) {
	for _, api := range []API{Cohere, Jina, TEI, VLLM} {
		t.Run(string(api), func(t *testing.T) {
			s := serve(t, api)
			res := ask(t, t.Context(), s.strategy(t, ""), "score 0.2", "score 0.9", "score 0.5")
			if diff := cmp.Diff([]uint32{1, 2, 0}, order(res)); diff != "" || len(res.Warnings) > 0 || res.Candidates[0].Score != 0.9 {
				t.Error(diff, res)
			}
			texts := 0
			for i, q := range s.asked {
				texts += len(q.all())
				if q.Query != "hush 質問" || (q.Model == "m") == (api == TEI) || (len(q.Texts) > 0) != (api == TEI) || s.keys[i] != "Bearer "+secret {
					t.Errorf("asked %+v with %q", q, s.keys[i])
				}
			}
			if len(s.asked) != 2 || texts != 3 {
				t.Errorf("%d texts in %d calls", texts, len(s.asked))
			}
		})
	}
}

// say returns a handler that answers with a status and a body.
func say(status int, body string) func(int, http.ResponseWriter, *http.Request, question) bool {
	return func(_ int, w http.ResponseWriter, _ *http.Request, _ question) bool {
		w.WriteHeader(status)
		io.WriteString(w, body)
		return true
	}
}

func TestAFailureLeavesTheOrder(t *testing.T) {
	cut := func(_ int, w http.ResponseWriter, _ *http.Request, _ question) bool {
		w.Header().Set("Content-Length", "100")
		panic(http.ErrAbortHandler)
	}
	hang := func(_ int, _ http.ResponseWriter, r *http.Request, _ question) bool {
		<-r.Context().Done()
		return true
	}
	const unusable = "an unusable answer"
	for name, c := range map[string]struct {
		misbehave func(int, http.ResponseWriter, *http.Request, question) bool
		more      string
		calls     int
		want      string
	}{
		"refused":       {say(401, `{"message":"hush: `+secret+`"}`), "", 1, "answered 401"},
		"moved":         {say(302, ""), "", 1, "answered 302"},
		"busy":          {say(429, ""), `,"retries":1`, 2, "answered 429"},
		"broken":        {say(500, "hush"), `,"retries":2`, 3, "answered 500"},
		"cut":           {cut, `,"retries":1`, 2, "could not be reached"},
		"slow":          {hang, `,"retries":0,"timeout_ms":20`, 1, "took too long"},
		"garbage":       {say(200, "<html>hush"), "", 1, unusable},
		"no results":    {say(200, `{"message":"hush"}`), "", 1, unusable},
		"too few":       {say(200, `{"results":[{"index":0,"relevance_score":1}]}`), "", 1, unusable},
		"one twice":     {say(200, `{"results":[{"index":0,"relevance_score":1},{"index":0,"relevance_score":1}]}`), "", 1, unusable},
		"out of range":  {say(200, `{"results":[{"index":0,"relevance_score":1},{"index":2,"relevance_score":1}]}`), "", 1, unusable},
		"below range":   {say(200, `{"results":[{"index":0,"relevance_score":1},{"index":-1,"relevance_score":1}]}`), "", 1, unusable},
		"not a number":  {say(200, `{"results":[{"index":0,"relevance_score":1},{"index":1,"relevance_score":NaN}]}`), "", 1, unusable},
		"too large":     {say(200, `{"results":[{"index":0,"relevance_score":1},{"index":1,"relevance_score":1e999}]}`), "", 1, unusable},
		"without score": {say(200, `{"results":[{"index":0,"score":1},{"index":1,"score":1}]}`), "", 1, unusable},
		"endless":       {say(200, strings.Repeat(" ", mostAnswer+1000)), "", 1, "too long an answer"},
	} {
		t.Run(name, func(t *testing.T) {
			s := serve(t, Cohere)
			s.misbehave = c.misbehave
			res := ask(t, t.Context(), s.strategy(t, c.more), "score 1", "score 2")
			if len(res.Candidates) > 0 || !res.Finished || len(res.Warnings) != 1 || !strings.Contains(res.Warnings[0], c.want) {
				t.Errorf("%+v", res)
			}
			for _, hidden := range []string{secret, "hush", s.URL, "127.0.0.1"} {
				if strings.Contains(res.Warnings[0], hidden) {
					t.Errorf("it tells too much: %q", res.Warnings[0])
				}
			}
			if s.calls() != c.calls {
				t.Errorf("%d calls, want %d", s.calls(), c.calls)
			}
		})
	}
}

func TestOneBadBatchSpoilsAll(t *testing.T) {
	s := serve(t, Jina)
	s.misbehave = func(_ int, w http.ResponseWriter, r *http.Request, q question) bool {
		return strings.Contains(q.Documents[0], "score 3") && say(404, "")(0, w, r, q)
	}
	res := ask(t, t.Context(), s.strategy(t, ""), "score 1", "score 2", "score 3")
	if len(res.Candidates) > 0 || len(res.Warnings) != 1 {
		t.Errorf("%+v", res)
	}
}

func TestWhatPassesIsForgotten(t *testing.T) {
	s := serve(t, VLLM)
	s.misbehave = func(call int, w http.ResponseWriter, r *http.Request, q question) bool {
		w.Header().Set("Retry-After", "0")
		return call < 3 && say(500+call, "")(call, w, r, q)
	}
	res := ask(t, t.Context(), s.strategy(t, ""), "score 1", "score 2")
	if diff := cmp.Diff([]uint32{1, 0}, order(res)); diff != "" || s.calls() != 3 {
		t.Error(diff, s.calls(), res.Warnings)
	}
}

func TestLogitsBecomeProbabilities(t *testing.T) {
	s := serve(t, TEI)
	res := ask(t, t.Context(), s.strategy(t, ""), "score -4.5", "score 0", "score 3.25")
	if diff := cmp.Diff([]uint32{2, 1, 0}, order(res)); diff != "" || res.Candidates[1].Score != 0.5 || res.Candidates[2].Score <= 0 {
		t.Error(diff, res.Candidates)
	}
}

func TestTimeAndCancellation(t *testing.T) {
	s := serve(t, Cohere)
	arrived := make(chan struct{}, 2)
	s.misbehave = func(_ int, _ http.ResponseWriter, r *http.Request, _ question) bool {
		arrived <- struct{}{}
		<-r.Context().Done()
		return true
	}
	strategy := s.strategy(t, "")
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	if res := ask(t, ctx, strategy, "score 1"); len(res.Warnings) != 1 || !strings.Contains(res.Warnings[0], "took too long") {
		t.Errorf("out of time: %+v", res)
	}
	select {
	case <-arrived:
	default: // the time was up before the request was sent
	}
	ctx, cancel = context.WithCancel(t.Context())
	go func() { <-arrived; cancel() }()
	snap := sdktest.Snapshot(t, sdktest.Section{Heading: "h", Body: "score 1"})
	if _, err := strategy.Search(ctx, &sdk.Request{Corpus: snap, Pool: []sdk.Candidate{{}}, Limit: 1}); !errors.Is(err, context.Canceled) {
		t.Errorf("given up: %v", err)
	}
}

func TestWhatIsSent(t *testing.T) {
	s := serve(t, Cohere)
	ask(t, t.Context(), s.strategy(t, `,"max_chars":12`), strings.Repeat("保険", 50)+" score 1")
	if got := s.asked[0].Documents[0]; got != "H\n"+strings.Repeat("保険", 5) {
		t.Errorf("sent %q", got)
	}
}

func TestNamesAreSent(t *testing.T) {
	s := serve(t, Cohere)
	snap := sdktest.Snapshot(t, sdktest.Section{Heading: "H", Body: "score 1", Names: "direct deposit"})
	req := &sdk.Request{Corpus: snap, Pool: []sdk.Candidate{{}}, Limit: 1}
	if _, err := s.strategy(t, "").Search(t.Context(), req); err != nil {
		t.Fatal(err)
	}
	if got := s.asked[0].Documents[0]; got != "direct deposit > H\nscore 1" {
		t.Errorf("sent %q", got)
	}
}

func TestWithoutServiceOrPool(t *testing.T) {
	if res := ask(t, t.Context(), New(), "score 1"); len(res.Candidates)+len(res.Warnings) > 0 || !res.Finished {
		t.Errorf("not configured: %+v", res)
	}
	s := serve(t, Cohere)
	if res := ask(t, t.Context(), s.strategy(t, "")); len(res.Candidates)+len(res.Warnings)+s.calls() > 0 {
		t.Errorf("no pool: %+v", res)
	}
}

func TestConfigure(t *testing.T) {
	for config, want := range map[string]string{
		`{"url":"http://h/rerank","api":"tei"}`:                     "",
		`{"url":"http://h/rerank","model":"m"}`:                     "",
		`{"url":"http://h/rerank"}`:                                 "model",
		`{"url":"h","api":"tei"}`:                                   "http or https",
		`{"url":"http://me:pw@h","api":"tei"}`:                      "user name",
		`{"url":"http://h","api":"tei","key_env":"SAGASU_NOT_SET"}`: "SAGASU_NOT_SET",
		`{"url":"http://h","api":"tei","retires":1}`:                "retires",
	} {
		s := New()
		err := s.Configure(t.Context(), json.RawMessage(config))
		if (err == nil) != (want == "") || err != nil && (!strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "pw")) {
			t.Errorf("%s: %v", config, err)
		}
		s.Close()
	}
}

func FuzzDecode(f *testing.F) {
	f.Add([]byte(`{"results":[{"index":1,"relevance_score":0.5},{"index":0,"relevance_score":-1e300}]}`), 2, false)
	f.Add([]byte(`[{"index":0,"score":1}]`), 1, true)
	f.Fuzz(func(t *testing.T, data []byte, n int, tei bool) {
		if n < 1 || n > 100 {
			return
		}
		api := map[bool]API{true: TEI, false: Cohere}[tei]
		scores, err := api.decode(data, n)
		if err != nil {
			if !errors.Is(err, remote.ErrAnswer) {
				t.Fatal(err)
			}
			return
		}
		positive(scores)
		for _, s := range scores {
			if len(scores) != n || !(s >= 0) || math.IsInf(s, 0) {
				t.Fatalf("%v of %d texts", scores, n)
			}
		}
	})
}
