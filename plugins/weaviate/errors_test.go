package weaviate

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"go.uber.org/goleak"

	"github.com/sagasu-search/sagasu/sdk"
	"github.com/sagasu-search/sagasu/sdk/sdktest"
	"github.com/sagasu-search/sagasu/sdk/snapshot"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

const secret = "sk-not-for-logs"

func TestParse(t *testing.T) {
	for raw, want := range map[string]address{
		"weaviate://a:8080/docs":           {[]string{"http://a:8080"}, "docs"},
		"weaviate://a/docs_2":              {[]string{"http://a:8080"}, "docs_2"},
		"weaviate://a:1,b:2,c/docs":        {[]string{"http://a:1", "http://b:2", "http://c:8080"}, "docs"},
		"weaviates://a.example/docs":       {[]string{"https://a.example:443"}, "docs"},
		"weaviate://[::1]:8080,[::2]/docs": {[]string{"http://[::1]:8080", "http://[::2]:8080"}, "docs"},
	} {
		got, err := parse(raw)
		if diff := cmp.Diff(want, got, cmp.AllowUnexported(address{})); err != nil || diff != "" {
			t.Errorf("%s: %v\n%s", raw, err, diff)
		}
	}
	for _, raw := range []string{
		"", "weaviate", "weaviate://", "weaviate://a", "weaviate://a/", "weaviate:///docs", "http://a/docs", "weaviate://a/Docs",
		"weaviate://a/docs/", "weaviate://a/docs?x=1", "weaviate://u:" + secret + "@a/docs", "weaviate://a,,b/docs", "weaviate://a:x/docs",
		"weaviate://a b/docs", "weaviate://a/1", "weaviate://a:8080#x/docs", "weaviate://a%2fb/docs", "Weaviate://a/docs",
	} {
		if got, err := parse(raw); !errors.Is(err, errAddress) || strings.Contains(err.Error(), secret) {
			t.Errorf("%s: %+v, %v", raw, got, err)
		}
	}
}

func FuzzParse(f *testing.F) {
	f.Add("weaviate://a:8080,b/docs")
	f.Add("weaviates://[::1]/d")
	f.Fuzz(func(t *testing.T, raw string) {
		a, err := parse(raw)
		if err != nil {
			return
		}
		n, err := dial(a, "", nil)
		if err != nil || len(a.hosts) == 0 || !a.generations().MatchString(a.generation("manual", nil, nil)) {
			t.Fatalf("%q: %+v, %v", raw, a, err)
		}
		n.close()
	})
}

// Any answer of an engine yields either an error or sections.
func FuzzReplies(f *testing.F) {
	class := `{"class":"Docs_1","description":"{\"sagasu\":\"1\",\"kind\":\"manual\",\"revision\":2}","shardingConfig":{"actualCount":1}}`
	f.Add(class, `{"nodes":[{"status":"HEALTHY","shards":[{"name":"s"}]}]}`,
		`{"data":{"Get":{"Docs_1":[{"section":"{\"Fields\":[\"a\"]}","_additional":{"id":"x","score":"1"}}]}}}`)
	f.Add(class, `{}`, `{"errors":[{"message":"no"}]}`)
	f.Add(class, `[]`, `{"data":{"Get":{"Docs_1":[{"section":"[]","order":1}]}}}`)
	engine := newFake(f)
	f.Fuzz(func(t *testing.T, class, nodes, rows string) {
		engine.misbehave = func(w http.ResponseWriter, r *http.Request) bool {
			switch r.URL.Path {
			case "/v1/schema/Docs":
				io.WriteString(w, class)
			case "/v1/graphql":
				io.WriteString(w, rows)
			default:
				io.WriteString(w, nodes)
			}
			return true
		}
		s := New()
		if err := s.Configure(t.Context(), fmt.Appendf(nil, `{"url":%q}`, engine.url("docs", 1))); err != nil {
			t.Fatal(err)
		}
		defer s.Close()
		s.collection.nodes.attempts = 1
		for _, words := range [][]string{nil, {"a", "b"}} {
			got, err := s.Gather(t.Context(), &sdk.GatherRequest{Kind: snapshot.KindManual, Terms: terms(words...), Limit: 10})
			if (got == nil) == (err == nil) || err == nil && len(got.Sections) > 10 {
				t.Errorf("%+v, %v", got, err)
			}
		}
		_ = stored([]byte(rows), 1)
	})
}

func TestEscape(t *testing.T) {
	long := strings.Repeat("長", 100)
	seen := map[string]bool{}
	for _, term := range []string{"a", "%", "%25", "a b", "a\u3000b", "a\u00a0b", "\x01run", "\x02ab", long, long + "い", "25"} {
		got := escape(term)
		if len(strings.Fields(got)) != 1 || seen[got] || len(got) > mostTerm {
			t.Errorf("%q became %q", term, got)
		}
		seen[got] = true
	}
	if escape("保証") != "保証" {
		t.Error("an ordinary term was changed")
	}
}

func TestWords(t *testing.T) {
	got := strings.Fields(words([]sdk.GatherTerm{{Text: "a", Weight: 2}, {Text: "b", Weight: 0.5}, {Text: "c", Weight: 1e-9}}))
	count := map[string]int{}
	for _, w := range got {
		count[w]++
	}
	if diff := cmp.Diff(map[string]int{"a": heaviest, "b": heaviest / 4, "c": 1}, count); diff != "" {
		t.Error(diff)
	}
}

// What a person or an agent types is only text in the query, whatever it contains.
func TestQueriesAreEscaped(t *testing.T) {
	f := newFake(t)
	url := f.url("docs", 1)
	uploaded(t, url, manual(t, nil))
	s := gatherer(t, url)
	hostile := `"]}){x}}# \" ` + "\n\x00"
	gather(t, s, sdk.GatherRequest{
		Terms:  terms(hostile),
		Filter: sdk.GatherFilter{Groups: []string{hostile}, Path: hostile, Keywords: [][]string{{hostile}}},
	})
	gather(t, s, sdk.GatherRequest{Cursor: hostile})
	for _, q := range f.queries {
		if strings.Contains(q, "\n") || strings.Contains(q, `"]}){x}`) && !strings.Contains(q, `\"]}){x}`) {
			t.Errorf("asked %s", q)
		}
	}
}

func TestTheKeyGoesToTheEngineOnly(t *testing.T) {
	t.Setenv(keyEnv, secret)
	f := newFake(t)
	uploaded(t, f.url("docs", 1), manual(t, nil))
	gather(t, gatherer(t, f.url("docs", 1)), sdk.GatherRequest{Terms: terms("raid")})
	if len(f.keys) != 1 || !f.keys["Bearer "+secret] {
		t.Errorf("keys sent: %v", f.keys)
	}
}

func TestFailuresAreExplained(t *testing.T) {
	t.Setenv(keyEnv, secret)
	say := func(status int, body string) func(http.ResponseWriter, *http.Request) bool {
		return func(w http.ResponseWriter, _ *http.Request) bool {
			w.WriteHeader(status)
			io.WriteString(w, body)
			return true
		}
	}
	onlyTo := func(path string, answer func(http.ResponseWriter, *http.Request) bool) func(http.ResponseWriter, *http.Request) bool {
		return func(w http.ResponseWriter, r *http.Request) bool {
			return strings.HasPrefix(r.URL.Path, path) && answer(w, r)
		}
	}
	const hush = `{"error":[{"message":"hush ` + secret + `"}]}`
	for name, c := range map[string]struct {
		misbehave      func(http.ResponseWriter, *http.Request) bool
		gather, upload string
	}{
		"no key":     {say(401, hush), "refuses the key: set COLLECTION_API_KEY", "refuses the key: set COLLECTION_API_KEY"},
		"a weak key": {say(403, hush), "refuses the key", "refuses the key"},
		"no leader": {func(w http.ResponseWriter, r *http.Request) bool {
			if r.URL.Path == "/v1/cluster/statistics" {
				return say(200, `{"statistics":[{"name":"n1","leaderId":""}]}`)(w, r)
			}
			return say(403, hush)(w, r)
		}, "", "most of its nodes are gone"},
		"TLS is spoken": {say(400, "hush"), "the URL starts with weaviates://", "the URL starts with weaviates://"},
		"another page":  {say(200, "<html>hush"), "no Weaviate", "no Weaviate"},
		"nothing here":  {say(404, "hush"), `no collection "docs"`, "no Weaviate"},
		"broken":        {say(500, hush), "answered 500", "answered 500"},
		"a query":       {onlyTo("/v1/graphql", say(200, `{"errors":[{"message":"hush"}]}`)), "could not answer the query", "could not answer the query"},
		"another class": {onlyTo("/v1/schema", say(200, `{"class":"Docs","description":"hush"}`)),
			"not made by this version", "not made by this version"},
		"a batch": {onlyTo("/v1/batch", say(200, `[{"result":{"status":"FAILED","errors":{"error":[{"message":"too large"}]}}}]`)),
			"", "did not take a section: too large"},
		"half a batch": {onlyTo("/v1/batch", say(200, `[]`)), "", "unusable answer"},
	} {
		t.Run(name, func(t *testing.T) {
			f := newFake(t)
			url := f.url("docs", 1)
			s := gatherer(t, url)
			s.collection.nodes.wait = 1
			if !strings.Contains(c.gather, "no collection") {
				uploaded(t, url, manual(t, nil))
			}
			f.misbehave = c.misbehave
			_, gathering := s.Gather(t.Context(), &sdk.GatherRequest{Kind: snapshot.KindManual, Terms: terms("raid"), Limit: 1})
			_, uploading := fill(t.Context(), sdk.Upload{To: url, Corpus: manual(t, func(all []sdktest.Section) []sdktest.Section {
				return all[:1]
			}), Progress: func(string, int, int) {}}, 0)
			if c.upload == "" || c.gather == "" {
				uploading = errors.Join(uploading, errors.New(c.upload))
			}
			for err, want := range map[error]string{gathering: c.gather, uploading: c.upload} {
				if want != "" && (err == nil || !strings.Contains(err.Error(), want)) {
					t.Errorf("%v, want %q", err, want)
				}
				if err != nil && (strings.Contains(err.Error(), secret) || strings.Contains(err.Error(), "hush") || strings.Contains(err.Error(), "\n") && c.gather != "") {
					t.Errorf("it tells too much: %v", err)
				}
			}
		})
	}
}

// TestTLSIsExplained checks that an error names the engine if TLS fails.
func TestTLSIsExplained(t *testing.T) {
	for want, start := range map[string]func(http.Handler) *httptest.Server{
		"speaks no TLS: without TLS the URL starts with weaviate://": httptest.NewServer,
		"cannot be reached: get: tls: failed to verify certificate":  httptest.NewTLSServer,
	} {
		server := start(http.NotFoundHandler())
		server.Config.ErrorLog = log.New(io.Discard, "", 0)
		_, host, _ := strings.Cut(server.URL, "://")
		_, err := fill(t.Context(), sdk.Upload{To: schemeTLS + "://" + host + "/docs", Corpus: manual(t, nil)}, 0)
		if err == nil || !strings.Contains(err.Error(), host+" "+want) {
			t.Errorf("%v, want %q", err, want)
		}
		server.Close()
	}
}

// Objects count as written if every replica of a shard has them, however many replicas there are: a shard may have been
// copied to another node.
func TestWritten(t *testing.T) {
	f := newFake(t)
	s := gatherer(t, f.url("docs", 1))
	f.misbehave = func(w http.ResponseWriter, r *http.Request) bool {
		io.WriteString(w, `{"nodes":[{"status":"HEALTHY","shards":[{"name":"a","objectCount":5},{"name":"b","objectCount":2}]},
			{"status":"HEALTHY","shards":[{"name":"a","objectCount":3}]},{"status":"UNHEALTHY","shards":[{"name":"b","objectCount":1}]},{"status":"TIMEOUT"}]}`)
		return true
	}
	if served, written, err := s.collection.nodes.shards(t.Context(), "Docs_1"); served != 2 || written != 4 || err != nil {
		t.Errorf("%d shards, %d objects, %v", served, written, err)
	}
}

func TestLaunch(t *testing.T) {
	set := func(url string) sdk.Configuration {
		return sdk.Configuration{Setting: func(name string) string { return map[string]string{"COLLECTION_URL": url}[name] }}
	}
	for _, url := range []string{"", "opensearch://a/docs"} {
		if got, err := launch(set(url)); err != nil || !got.Off {
			t.Errorf("%q: %+v, %v", url, got, err)
		}
	}
	got, err := launch(set("weaviate://a:1,b/docs"))
	want := sdk.Launch{
		Config:  json.RawMessage(`{"url":"weaviate://a:1,b/docs"}`),
		Network: []sdk.Grant{{Value: "tcp:1", From: setting}, {Value: "tcp:8080", From: setting}},
		Env:     []sdk.Grant{{Value: keyEnv, From: setting}},
	}
	if diff := cmp.Diff(want, got); err != nil || diff != "" {
		t.Error(err, diff)
	}
	if err := New().Configure(t.Context(), got.Config); err != nil {
		t.Error(err)
	}
	wrong, isSetting := errors.AsType[*sdk.SettingError](second(launch(set("weaviate://a:1/Docs"))))
	if !isSetting || wrong.From != setting {
		t.Errorf("a wrong URL: %v", wrong)
	}
	for _, config := range []string{`{"url":"http://a/b"}`, `{"url":1}`, `{"key":"` + secret + `"}`} {
		if err := New().Configure(t.Context(), []byte(config)); err == nil || strings.Contains(err.Error(), secret) {
			t.Errorf("%s: %v", config, err)
		}
	}
	if _, err := New().Gather(t.Context(), &sdk.GatherRequest{}); err == nil || !strings.Contains(err.Error(), setting) {
		t.Errorf("without a collection: %v", err)
	}
}

func second[T any](_ T, err error) error { return err }

func TestKeysOfSections(t *testing.T) {
	sec := &snapshot.Section{Group: "g", Path: "p", Title: "t", Start: 5}
	keys := map[string]bool{}
	for _, k := range []uuid{
		key(sec, "h", 0), key(sec, "h", 1), key(sec, "i", 0), key(&snapshot.Section{Group: "g", Path: "p", Title: "u"}, "h", 0),
		key(&snapshot.Section{Group: "gp", Title: "t"}, "h", 0), bucketKey(0), bucketKey(1),
	} {
		keys[k.String()] = true
		if s := k.String(); len(s) != 36 || s[14] != '8' || !strings.Contains("89ab", s[19:20]) {
			t.Errorf("%s is no UUID", s)
		}
	}
	moved := *sec
	moved.Start = 50
	if len(keys) != 7 || key(&moved, "h", 0) != key(sec, "h", 0) {
		t.Errorf("%d keys", len(keys))
	}
	if a, b := order(sec, "x0000000"), order(&moved, "a0000000"); a >= b || order(&snapshot.Section{Group: "g", Path: "Q"}, "a0000000") >= a {
		t.Errorf("%s, %s", a, b)
	}
}

func TestStatisticsOfManyTerms(t *testing.T) {
	f := newFake(t)
	url := f.url("docs", 1)
	corpus := manual(t, func(all []sdktest.Section) []sdktest.Section {
		for i := range 3000 {
			all = append(all, sdktest.Section{Manual: "z", Path: "z.md", Line: i + 1, Heading: "z", Body: fmt.Sprintf("word%dx", i)})
		}
		return all
	})
	uploaded(t, url, corpus)
	s := gatherer(t, url)
	var all []string
	for term, n := range corpus.Terms("") {
		if n > 0 {
			all = append(all, strings.Clone(term))
		}
	}
	known, err := s.collection.state(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for range 2 { // requested, then cached
		got, err := s.collection.docFreqs(t.Context(), known.class, terms(all...))
		if err != nil {
			t.Fatal(err)
		}
		for _, term := range all {
			if got[term] != corpus.DocFreq(term) {
				t.Fatalf("%q stands in %d sections, told %d", term, corpus.DocFreq(term), got[term])
			}
		}
	}
	if n := len(f.objects[termsOf(known.class.Class)]); n < 2 || n > len(all) {
		t.Errorf("%d terms in %d buckets", len(all), n)
	}
}

// Checking whether any section exists does not sort them, which would take seconds for a million sections.
func TestOneSectionIsAskedForWithoutSorting(t *testing.T) {
	f := newFake(t)
	uploaded(t, f.url("docs", 1), manual(t, nil))
	s := gatherer(t, f.url("docs", 1))
	for limit, sorts := range map[int]bool{1: false, 2: true} {
		f.queries = nil
		got := gather(t, s, sdk.GatherRequest{Limit: limit, Filter: sdk.GatherFilter{Groups: []string{"b"}}})
		if len(got.Sections) != limit || (got.Cursor != "") != sorts || strings.Contains(f.queries[0], "sort:") != sorts {
			t.Errorf("%d sections, cursor %q: %s", len(got.Sections), got.Cursor, f.queries)
		}
	}
}

func TestListThatGoesRoundInCircles(t *testing.T) {
	engine := newFake(t)
	engine.misbehave = func(w http.ResponseWriter, r *http.Request) bool {
		io.WriteString(w, `{"data":{"Get":{"Docs_1":[{"_additional":{"id":"b"}}]}}}`)
		return true
	}
	_, n := dialed(t, engine.url("docs", 1))
	for after, want := range map[string]error{"": nil, "a": nil, "b": errAnswer, "c": errAnswer} {
		if rows, err := n.list(t.Context(), "Docs_1", after); !errors.Is(err, want) || (err == nil) != (len(rows) == 1) {
			t.Errorf("after %q: %v, %v", after, rows, err)
		}
	}
}
