package judgehttp

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	"go.uber.org/goleak"
	"pgregory.net/rapid"

	"github.com/sagasu-search/sagasu/sdk"
	"github.com/sagasu-search/sagasu/sdk/sdktest"
	"github.com/sagasu-search/sagasu/sdk/x/border"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

const (
	secret = "sk-not-for-logs"
	keyEnv = "SAGASU_TEST_JUDGE_KEY"
)

// service answers every request with the same body and records the requests.
type service struct {
	*httptest.Server
	mu    sync.Mutex
	asked string
}

func serve(t *testing.T, status int, body string) *service {
	t.Helper()
	s := &service{}
	s.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		raw, _ := io.ReadAll(r.Body)
		s.mu.Lock()
		s.asked = r.Header.Get("Authorization") + "\n" + string(raw)
		s.mu.Unlock()
		w.WriteHeader(status)
		_, _ = io.WriteString(w, body)
	}))
	t.Cleanup(s.Close)
	return s
}

// said returns the recorded requests.
func (s *service) said() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.asked
}

// completion returns a chat completion with a text.
func completion(text string) string {
	raw, _ := json.Marshal(map[string]any{"choices": []any{map[string]any{"message": map[string]any{"role": "assistant", "content": text}}}})
	return string(raw)
}

// judge lets the service judge two passages.
func judge(t *testing.T, s *service, api API) *sdk.Result {
	t.Helper()
	t.Setenv(keyEnv, secret)
	j := New()
	config := fmt.Sprintf(`{"url":%q,"api":%q,"model":"m","key_env":%q,"max_chars":200}`, s.URL, api, keyEnv)
	if err := j.Configure(t.Context(), json.RawMessage(config)); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { j.Close() })
	snap := sdktest.Snapshot(t,
		sdktest.Section{Path: "a.md", Line: 1, Heading: "Returns", Body: "Hello.\nYou can return an item\nwithin 30 days.\n"},
		sdktest.Section{Path: "b.md", Line: 1, Heading: "Returns", Body: "An item can be returned within 14 days. " + strings.Repeat("x", 300) + "tail"})
	req := &sdk.Request{
		Corpus: snap, Limit: 10, Pool: []sdk.Candidate{{Section: 0}, {Section: 1}},
		Query: sdk.Query{Raw: "how long can I return an item", Terms: []sdk.Term{{Text: "return", Weight: 1}, {Text: "item", Weight: 1}}},
	}
	req.Passages = sdk.Passages(snap, req.Pool)
	out, err := j.Search(t.Context(), req)
	if err != nil {
		t.Fatal(err)
	}
	if err := border.CheckResult(j.Describe(), req, out); err != nil {
		t.Error(err)
	}
	return out
}

func TestChat(t *testing.T) {
	first := sdk.Quote{Section: 0, Text: "You can return an item\nwithin 30 days."}
	second := sdk.Quote{Section: 1, Text: "An item can be returned within 14 days."}
	const dropped = "1 judgements were dropped: they do not quote the passages as asked"
	for name, tc := range map[string]struct {
		says string
		want sdk.Result
	}{
		"both": {
			`{"answers":[{"passage":1,"quote":"You can return an item within 30 days.","probability":0.9}],
			"tensions":[{"a":{"passage":1,"quote":"You can return an item within 30 days."},"b":{"passage":2,"quote":"An item can be returned within 14 days."},"kind":"number","probability":1}]}`,
			sdk.Result{
				Answers:  []sdk.Answer{{Quote: first, Probability: 0.9}},
				Tensions: []sdk.Tension{{A: first, B: second, Kind: sdk.TensionNumber, Probability: 1}},
			},
		},
		"in a block of code": {"Sure!\n```json\n{\"answers\":[],\"tensions\":[]}\n```", sdk.Result{Answers: []sdk.Answer{}, Tensions: []sdk.Tension{}}},
		"words of its own": {
			`{"answers":[{"passage":1,"quote":"Items can be returned for a month.","probability":0.9}]}`,
			sdk.Result{Tensions: []sdk.Tension{}, Warnings: []string{dropped}},
		},
		"another passage": {
			`{"answers":[{"passage":2,"quote":"within 30 days.","probability":0.9}]}`,
			sdk.Result{Tensions: []sdk.Tension{}, Warnings: []string{dropped}},
		},
		"one of two is kept": {
			`{"answers":[{"passage":9,"quote":"x","probability":1},{"passage":1,"quote":"within 30 days.","probability":0.5}]}`,
			sdk.Result{
				Answers:  []sdk.Answer{{Quote: sdk.Quote{Section: 0, Text: "within 30 days."}, Probability: 0.5}},
				Tensions: []sdk.Tension{}, Warnings: []string{dropped},
			},
		},
		"a passage against itself": {
			`{"tensions":[{"a":{"passage":1,"quote":"Hello."},"b":{"passage":1,"quote":"within 30 days."},"kind":"number","probability":1}]}`,
			sdk.Result{Answers: []sdk.Answer{}, Warnings: []string{dropped}},
		},
		"a kind of its own": {
			`{"tensions":[{"a":{"passage":1,"quote":"Hello."},"b":{"passage":2,"quote":"An item"},"kind":"taste","probability":1}]}`,
			sdk.Result{Answers: []sdk.Answer{}, Warnings: []string{dropped}},
		},
		"more than sure": {
			`{"answers":[{"passage":1,"quote":"Hello.","probability":90}]}`,
			sdk.Result{Tensions: []sdk.Tension{}, Warnings: []string{dropped}},
		},
	} {
		t.Run(name, func(t *testing.T) {
			s := serve(t, 200, completion(tc.says))
			tc.want.Finished = true
			if diff := cmp.Diff(&tc.want, judge(t, s, OpenAI)); diff != "" {
				t.Error(diff)
			}
			for _, part := range []string{"Bearer " + secret, "how long can I return an item", "Passage 2, b.md, Returns", `"model":"m"`} {
				if !strings.Contains(s.said(), part) {
					t.Errorf("the request lacks %q: %s", part, s.said())
				}
			}
			if strings.Contains(s.said(), "tail") {
				t.Error("a passage was not cut at max_chars")
			}
		})
	}
}

func TestClassifier(t *testing.T) {
	s := serve(t, 200, `[[{"label":"neutral","score":0.1},{"label":"CONTRADICTION","score":0.9}]]`)
	want := &sdk.Result{Finished: true, Tensions: []sdk.Tension{{
		A: sdk.Quote{Section: 0, Text: "You can return an item"}, B: sdk.Quote{Section: 1, Text: "An item can be returned within 14 days."},
		Kind: sdk.TensionNumber, Probability: 0.9,
	}}}
	if diff := cmp.Diff(want, judge(t, s, TEI)); diff != "" {
		t.Error(diff)
	}
	if !strings.Contains(s.said(), `"inputs":[["You can return an item","An item can be returned within 14 days."]]`) {
		t.Error(s.said())
	}
	s = serve(t, 200, `[[{"label":"contradiction","score":0.4}]]`)
	if diff := cmp.Diff(&sdk.Result{Finished: true, Tensions: []sdk.Tension{}}, judge(t, s, TEI)); diff != "" {
		t.Error(diff)
	}
}

// Any failure causes a warning that repeats nothing from the service.
func TestFailures(t *testing.T) {
	for name, tc := range map[string]struct {
		api    API
		status int
		body   string
		want   string
	}{
		"status":        {OpenAI, 401, `{"error":{"code":"invalid_api_key","message":"sk-not-for-logs"}}`, "the service answered 401 (invalid_api_key)"},
		"no completion": {OpenAI, 200, `{"choices":[]}`, "it gave an unusable answer: no chat completion"},
		"no object":     {OpenAI, 200, completion("I cannot answer that."), "it gave an unusable answer: no JSON of the form that was asked for"},
		"too long":      {OpenAI, 200, strings.Repeat("x", 2<<20), "more than 1048576 bytes: the service gave too long an answer"},
		"no labels":     {TEI, 200, `[[{"label":"LABEL_0","score":1}]]`, "it gave an unusable answer: no label is a contradiction"},
		"no rows":       {TEI, 200, `[]`, "it gave an unusable answer: not a list of labels for each pair"},
		"no share":      {TEI, 200, `[[{"label":"contradiction","score":7}]]`, "it gave an unusable answer: a score that is no probability"},
	} {
		t.Run(name, func(t *testing.T) {
			want := &sdk.Result{Finished: true, Warnings: []string{
				"the service did not help, what answers and contradicts is judged as without it: " + tc.want,
			}}
			if diff := cmp.Diff(want, judge(t, serve(t, tc.status, tc.body), tc.api)); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// A quote that is found is in its passage and differs from it only in spaces.
func TestQuotesAreCopies(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		passage := sdk.Passage{Section: 3, Text: rapid.StringOf(rapid.SampledFrom([]rune("ab。 \n\u3000期"))).Draw(t, "text")}
		q := quote{1, rapid.StringOf(rapid.SampledFrom([]rune("ab。 期"))).Draw(t, "quote")}
		got, ok := q.in([]sdk.Passage{passage})
		if ok && (!strings.Contains(passage.Text, got.Text) || spaceless(got.Text) != spaceless(q.Quote)) {
			t.Fatalf("%q became %q", q.Quote, got.Text)
		}
		if whole := strings.Join(strings.Fields(q.Quote), " "); !ok && whole != "" && strings.Contains(passage.Text, whole) {
			t.Fatalf("%q was not found in %q", q.Quote, passage.Text)
		}
	})
}

func spaceless(s string) string { return strings.Join(strings.Fields(s), "") }

func FuzzVerdict(f *testing.F) {
	f.Add(`{"answers":[{"passage":1,"quote":"a b","probability":0.9}],"tensions":[{"a":{"passage":1,"quote":"a"},"b":{"passage":2,"quote":"c"},"kind":"date","probability":1}]}`)
	f.Fuzz(func(t *testing.T, said string) {
		passages := []sdk.Passage{{Section: 0, Text: "a  b"}, {Section: 1, Text: "c"}}
		var v verdict
		if json.Unmarshal([]byte(object(said)), &v) != nil {
			return
		}
		out := &sdk.Result{Finished: true}
		v.heed(passages, out)
		req := &sdk.Request{Corpus: sdktest.Snapshot(t, make([]sdktest.Section, 2)...), Limit: 1, Passages: passages}
		if err := border.CheckResult(New().Describe(), req, out); err != nil {
			t.Error(err)
		}
	})
}

func TestConfiguration(t *testing.T) {
	for config, want := range map[string]string{
		`{"url":"http://127.0.0.1:1/v1/chat/completions"}`:         "need the name of a model",
		`{"url":"ftp://x","model":"m"}`:                            "http or https",
		`{"url":"http://x","model":"m","key_env":"SAGASU_NO_KEY"}`: "SAGASU_NO_KEY is not set",
		`{"url":"http://x","model":"m","other":1}`:                 "unknown field",
	} {
		if err := New().Configure(t.Context(), json.RawMessage(config)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", config, err, want)
		}
	}
}

func TestConformance(t *testing.T) {
	s := serve(t, 200, completion(`{"answers":[{"passage":1,"quote":"The","probability":0.9}],"tensions":[]}`))
	sdktest.RunConfigured(t, New, fmt.Appendf(nil, `{"url":%q,"model":"m"}`, s.URL))
}
