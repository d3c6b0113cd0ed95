package weaviate

import (
	"cmp"
	"encoding/json"
	"fmt"
	"math"
	"net/http"
	"net/http/httptest"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
)

// fake answers like the engine, as far as this package uses it.
type fake struct {
	*httptest.Server
	mu        sync.Mutex
	classes   map[string]map[string]any
	aliases   map[string]string
	objects   map[string]map[string]properties // by class and id
	sent      int                              // number of objects
	keys      map[string]bool                  // values of the Authorization header
	queries   []string
	misbehave func(w http.ResponseWriter, r *http.Request) bool // true if it answered
}

func newFake(t testing.TB) *fake {
	t.Helper()
	f := &fake{
		classes: map[string]map[string]any{}, aliases: map[string]string{}, objects: map[string]map[string]properties{},
		keys: map[string]bool{},
	}
	f.Server = httptest.NewServer(http.HandlerFunc(f.answer))
	t.Cleanup(f.Close)
	return f
}

// url returns the URL of a collection on a number of hosts, which are all the fake.
func (f *fake) url(name string, hosts int) string {
	host := strings.TrimPrefix(f.URL, "http://")
	return "weaviate://" + strings.Join(slices.Repeat([]string{host}, hosts), ",") + "/" + name
}

func (f *fake) answer(w http.ResponseWriter, r *http.Request) {
	if f.misbehave != nil && f.misbehave(w, r) {
		return
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	f.keys[r.Header.Get("Authorization")] = true
	var body map[string]any
	var batch struct{ Objects []object }
	var query struct{ Query string }
	switch r.URL.Path {
	case "/v1/batch/objects":
		if r.Method == http.MethodPost {
			json.NewDecoder(r.Body).Decode(&batch)
			f.store(w, batch.Objects)
			return
		}
	case "/v1/graphql":
		json.NewDecoder(r.Body).Decode(&query)
		f.queries = append(f.queries, query.Query)
		f.graphQL(w, query.Query)
		return
	}
	json.NewDecoder(r.Body).Decode(&body)
	name := r.URL.Path[strings.LastIndex(r.URL.Path, "/")+1:]
	class := cmp.Or(f.aliases[name], name)
	switch route := r.Method + " " + strings.TrimSuffix(r.URL.Path, name); route {
	case "GET /v1/":
		f.say(w, map[string]any{"nodes": []any{map[string]any{"name": "n1"}}})
	case "GET /v1/nodes/":
		shard := map[string]any{"name": "s1", "objectCount": len(f.objects[class])}
		f.say(w, map[string]any{"nodes": []any{map[string]any{"status": "HEALTHY", "shards": []any{shard}}}})
	case "POST /v1/":
		if name == "aliases" {
			f.aliases[body["alias"].(string)] = body["class"].(string)
		} else {
			body["shardingConfig"] = map[string]any{"actualCount": 1}
			f.classes[body["class"].(string)] = body
			f.objects[body["class"].(string)] = map[string]properties{}
		}
		f.say(w, body)
	case "GET /v1/aliases/":
		if f.aliases[name] == "" {
			http.Error(w, `{}`, http.StatusNotFound)
			return
		}
		f.say(w, map[string]any{"alias": name, "class": class})
	case "PUT /v1/aliases/":
		f.aliases[name] = body["class"].(string)
		f.say(w, body)
	case "GET /v1/schema/", "PUT /v1/schema/":
		if f.classes[class] == nil {
			http.Error(w, `{"error":[{"message":"hush"}]}`, http.StatusNotFound)
			return
		}
		if r.Method == http.MethodPut {
			f.classes[class] = body
		}
		f.say(w, f.classes[class])
	case "DELETE /v1/schema/":
		delete(f.classes, name)
		delete(f.objects, name)
	case "DELETE /v1/batch/":
		match := body["match"].(map[string]any)
		for _, id := range match["where"].(map[string]any)["valueTextArray"].([]any) {
			delete(f.objects[match["class"].(string)], id.(string))
		}
		f.say(w, body)
	default:
		http.Error(w, "no such route: "+route, http.StatusNotImplemented)
	}
}

func (f *fake) say(w http.ResponseWriter, v any) { json.NewEncoder(w).Encode(v) }

func (f *fake) store(w http.ResponseWriter, objects []object) {
	var reply []any
	for _, o := range objects {
		f.objects[o.Class][o.ID] = o.Properties
		f.sent++
		reply = append(reply, map[string]any{"result": map[string]any{"status": "SUCCESS"}})
	}
	f.say(w, reply)
}

var (
	reClass    = regexp.MustCompile(`^\{Get\{(\w+)\(`)
	reLimit    = regexp.MustCompile(`limit:(\d+)`)
	reOffset   = regexp.MustCompile(`offset:(\d+)`)
	reAfter    = regexp.MustCompile(`after:"([^"]*)"`)
	reWords    = regexp.MustCompile(`bm25:\{query:("(?:[^"\\]|\\.)*")`)
	reAny      = regexp.MustCompile(`path:\["(\w+)"\],operator:ContainsAny,valueText:(\[[^\]]*\])`)
	reEqual    = regexp.MustCompile(`path:\["keywords"\],operator:Equal,valueText:("(?:[^"\\]|\\.)*")`)
	reGreater  = regexp.MustCompile(`operator:GreaterThan,valueText:"([^"]*)"`)
	firstGroup = func(re *regexp.Regexp, s string) string {
		if m := re.FindStringSubmatch(s); m != nil {
			return m[1]
		}
		return ""
	}
)

// graphQL answers a query in the form that [nodes.get] writes.
func (f *fake) graphQL(w http.ResponseWriter, query string) {
	class := firstGroup(reClass, query)
	limit, _ := strconv.Atoi(firstGroup(reLimit, query))
	offset, _ := strconv.Atoi(cmp.Or(firstGroup(reOffset, query), "0"))
	score := f.scores(class, firstGroup(reWords, query))
	rows := []map[string]any{}
	for id, p := range f.objects[class] {
		if !f.passes(id, p, query) || score != nil && score[id] == 0 {
			continue
		}
		row := map[string]any{
			"section": p.Section, "order": p.Order, "hash": p.Hash, "counts": p.Counts,
			"_additional": map[string]any{"id": id, "score": fmt.Sprint(score[id])},
		}
		if strings.Contains(query, " "+propStored+" ") {
			row[propStored] = p.Stored
		}
		rows = append(rows, row)
	}
	id := func(row map[string]any) string { return row["_additional"].(map[string]any)["id"].(string) }
	slices.SortFunc(rows, func(a, b map[string]any) int {
		if strings.Contains(query, "sort:") {
			return strings.Compare(a["order"].(string), b["order"].(string))
		}
		return cmp.Or(cmp.Compare(score[id(b)], score[id(a)]), strings.Compare(id(a), id(b)))
	})
	rows = rows[min(offset, len(rows)):]
	rows = rows[:min(limit, len(rows))]
	f.say(w, map[string]any{"data": map[string]any{"Get": map[string]any{class: rows}}})
}

// scores returns the BM25 scores with the parameters of this package, or nil without a query.
func (f *fake) scores(class, quoted string) map[string]float64 {
	if quoted == "" {
		return nil
	}
	var query string
	json.Unmarshal([]byte(quoted), &query)
	out, df := map[string]float64{}, map[string]float64{}
	words := strings.Fields(query)
	freq := map[string]map[string]float64{}
	for id, p := range f.objects[class] {
		freq[id] = map[string]float64{}
		for _, w := range strings.Fields(p.Tokens) {
			if freq[id][w]++; freq[id][w] == 1 {
				df[w]++
			}
		}
	}
	n := float64(len(f.objects[class]))
	for id := range freq {
		for _, w := range words {
			out[id] += math.Log(1+(n-df[w]+.5)/(df[w]+.5)) * freq[id][w] / (freq[id][w] + k1)
		}
	}
	return out
}

func (f *fake) passes(id string, p properties, query string) bool {
	for _, m := range reAny.FindAllStringSubmatch(query, -1) {
		var words []string
		json.Unmarshal([]byte(m[2]), &words)
		held := p.Keywords
		if m[1] == "id" {
			held = []string{id}
		}
		if !slices.ContainsFunc(words, func(w string) bool { return slices.Contains(held, w) }) {
			return false
		}
	}
	for _, m := range reEqual.FindAllStringSubmatch(query, -1) {
		var word string
		json.Unmarshal([]byte(m[1]), &word)
		if !slices.Contains(p.Keywords, word) {
			return false
		}
	}
	if after := firstGroup(reAfter, query); after != "" && id <= after {
		return false
	}
	return p.Order > firstGroup(reGreater, query) || !reGreater.MatchString(query)
}
