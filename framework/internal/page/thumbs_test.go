package page

import (
	"bytes"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/sagasu-search/sagasu/framework/internal/eval"
)

func TestThumbsAreJudgedQueries(t *testing.T) {
	s := serve(t, small, nil)
	page := s.get("?q=warranty+period&manual=nas&n=3", "en").Body.String()
	say := func(rank, verdict string) string {
		form := url.Values{"trace": {field(t, page, traces)}, "rank": {rank}, "verdict": {verdict}}
		w := s.post("judge", form, http.Header{"Sec-Fetch-Site": {"same-origin"}})
		if w.Code != http.StatusOK {
			t.Fatalf("%d: %s", w.Code, w.Body)
		}
		return w.Body.String()
	}
	read := func() []eval.Query {
		raw, err := os.ReadFile(s.judged)
		if err != nil {
			t.Fatal(err)
		}
		queries, err := eval.ReadQueries(bytes.NewReader(raw))
		if err != nil {
			t.Fatalf("%v in\n%s", err, raw)
		}
		return queries
	}
	say("2", "down")
	if got := read(); len(got) != 0 {
		t.Errorf("a query without an answer can be measured: %v", got)
	}
	if html := say("1", "up"); !strings.Contains(html, `value="" aria-pressed="true" class="up"`) {
		t.Errorf("the thumb does not show:\n%s", html)
	}
	got := read()
	if len(got) != 1 || got[0].Query != "warranty period" || got[0].ManualID != "nas" || len(got[0].Relevant) != 1 {
		t.Fatalf("%+v", got)
	}
	best := got[0].Relevant[0]
	if best.Grade != 1 || best.Heading == "" || best.EndLine < best.StartLine || best.ManualID != "nas" {
		t.Errorf("%+v", best)
	}
	again := s.get("?q=warranty+period&manual=nas&n=3", "en").Body.String()
	if n := strings.Count(again, `aria-pressed="true"`); n != 2 {
		t.Errorf("%d thumbs show in the next search, want 2", n)
	}
	if other := s.get("?q=warranty+period&n=3", "en").Body.String(); strings.Contains(other, `aria-pressed="true"`) {
		t.Error("a thumb shows in a search of other manuals")
	}
	if html := s.get("judged", "ja").Body.String(); !strings.Contains(html, "評価した検索（1 件）") {
		t.Errorf("the page of judgements does not list it:\n%s", html)
	}
	say("1", "down")
	if got := read(); len(got) != 0 {
		t.Errorf("the other verdict did not replace the first: %v", got)
	}
	say("1", "")
	say("2", "")
	if raw, err := os.ReadFile(s.judged); err != nil || len(raw) != 0 {
		t.Errorf("what was taken back is still there: %s, %v", raw, err)
	}
}

func TestForeignFormsAreRefused(t *testing.T) {
	s := serve(t, small, nil)
	page := s.get("?q=warranty&n=3", "en").Body.String()
	good := url.Values{"trace": {field(t, page, traces)}, "rank": {"1"}, "verdict": {"up"}}
	with := func(name, value string) url.Values {
		form := url.Values{}
		for k, v := range good {
			form[k] = v
		}
		form.Set(name, value)
		return form
	}
	for name, tc := range map[string]struct {
		form   url.Values
		header http.Header
		want   int
	}{
		"another site":        {good, http.Header{"Sec-Fetch-Site": {"cross-site"}}, http.StatusForbidden},
		"another origin":      {good, http.Header{"Origin": {"http://evil.example"}}, http.StatusForbidden},
		"no such verdict":     {with("verdict", "sideways"), nil, http.StatusBadRequest},
		"no such hit":         {with("rank", "99"), nil, http.StatusBadRequest},
		"no hit":              {with("rank", ""), nil, http.StatusBadRequest},
		"no such search":      {with("trace", "0-0"), nil, http.StatusNotFound},
		"more than a form is": {with("verdict", strings.Repeat("x", maxForm)), nil, http.StatusBadRequest},
	} {
		if w := s.post("judge", tc.form, tc.header); w.Code != tc.want {
			t.Errorf("%s: %d, want %d", name, w.Code, tc.want)
		}
	}
	if w := s.get("judge?"+good.Encode(), "en"); w.Code != http.StatusNotFound {
		t.Errorf("a link that judges: %d", w.Code)
	}
	if _, err := os.Stat(s.judged); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("something was kept: %v", err)
	}
}

// A broken line does not affect a search, is reported, and stays.
func TestBrokenJudgements(t *testing.T) {
	s := serve(t, small, nil)
	if err := os.MkdirAll(filepath.Dir(s.judged), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(s.judged, []byte("\n{broken\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	found := s.get("?q=warranty&n=3", "en")
	form := url.Values{"trace": {field(t, found.Body.String(), traces)}, "rank": {"1"}, "verdict": {"up"}}
	for name, w := range map[string]*httptest.ResponseRecorder{"the list": s.get("judged", "en"), "a thumb": s.post("judge", form, nil)} {
		if said := w.Body.String(); w.Code != http.StatusServiceUnavailable || !strings.Contains(said, s.judged) ||
			!strings.Contains(said, "line 2") {
			t.Errorf("%s: %d %s", name, w.Code, said)
		}
	}
	if raw, err := os.ReadFile(s.judged); err != nil || string(raw) != "\n{broken\n" {
		t.Errorf("%q, %v", raw, err)
	}
}

// Judgements from before lines were added, moved or removed still belong to their sections; one whose section is gone
// is reported.
func TestThumbsFollowTheirSections(t *testing.T) {
	s := serve(t, small, nil)
	const before = `{"id":"1","query":"warranty period","relevant":[` +
		`{"manual_id":"nas","path":"en/warranty.md","start_line":12,"heading":"Warranty period","grade":1},` +
		`{"manual_id":"nas","path":"en/warranty.md","start_line":20,"heading":"Returns","grade":1}]}` + "\n" +
		`{"id":"2","query":"warranty_years","irrelevant":[` +
		`{"manual_id":"router","path":"limits.json","start_line":9,"heading":"limits"}]}` + "\n"
	if err := os.MkdirAll(filepath.Dir(s.judged), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(s.judged, []byte(before), 0o600); err != nil {
		t.Fatal(err)
	}
	const warranty, years = "?q=warranty+period&n=5", "?q=warranty_years&n=5"
	for address, want := range map[string]string{warranty: "Warranty period up", years: "limits down"} {
		if got := thumbs(s.get(address, "en").Body.String()); got != want {
			t.Errorf("%s: thumbs are %q, want %q", address, got, want)
		}
	}
	html := s.get("judged", "en").Body.String()
	if n := strings.Count(html, "not in the manuals any more"); n != 1 || !strings.Contains(html, "nas/en/warranty.md:3<") {
		t.Errorf("%d sections are gone, want 1:\n%s", n, html)
	}
	html = s.get(warranty, "en").Body.String()
	form := url.Values{"trace": {field(t, html, traces)}, "rank": {ranks(html)["Warranty period"]}, "verdict": {"down"}}
	if w := s.post("judge", form, nil); w.Code != http.StatusOK {
		t.Fatalf("%d: %s", w.Code, w.Body)
	}
	if got := thumbs(s.get(warranty, "en").Body.String()); got != "Warranty period down" {
		t.Errorf("thumbs are %q after the other verdict", got)
	}
}

var (
	titles = regexp.MustCompile(`<h3 id="title-(\d+)"[^>]*><a[^>]*><bdi>([^<]*)</bdi>`)
	given  = regexp.MustCompile(`<form class="thumbs" id="thumb-(\d+)"[\s\S]*?</form>`)
	press  = regexp.MustCompile(`aria-pressed="true" class="(up|down)"`)
)

// ranks returns the rank of each title of a page of hits.
func ranks(html string) map[string]string {
	out := map[string]string{}
	for _, m := range titles.FindAllStringSubmatch(html, -1) {
		out[m[2]] = m[1]
	}
	return out
}

// thumbs returns the titles of a page of hits that have a thumb, each with its thumb.
func thumbs(html string) string {
	var out []string
	for name, rank := range ranks(html) {
		for _, m := range given.FindAllStringSubmatch(html, -1) {
			if p := press.FindStringSubmatch(m[0]); p != nil && m[1] == rank {
				out = append(out, name+" "+p[1])
			}
		}
	}
	slices.Sort(out)
	return strings.Join(out, ", ")
}

// Members of a line that only sagasu eval reads stay when a thumb changes the line, and other lines stay unchanged.
func TestJudgementsKeepOtherMembers(t *testing.T) {
	path := filepath.Join(t.TempDir(), "judged.jsonl")
	const before = "\ufeff" + `{"id":"1","query":"a","kind":"code","exclude":[{"manual_id":"m","path":"x.md"}],"relevant":[]}` +
		"\n" + `{"id":"2","query":"b","answers":["<c>"],"relevant":[{"manual_id":"m","path":"b.md","start_line":1}]}` + "\n"
	if err := os.WriteFile(path, []byte(before), 0o600); err != nil {
		t.Fatal(err)
	}
	at := eval.Target{ManualID: "m", Path: "a.md", StartLine: 1, Grade: 1}
	if err := (judgedFile{path}).judge(t.Context(), "a", "", at, up, still); err != nil {
		t.Fatal(err)
	}
	const want = `{"id":"1","query":"a","relevant":[{"manual_id":"m","path":"a.md","start_line":1,"grade":1}],` +
		`"exclude":[{"manual_id":"m","path":"x.md"}],"kind":"code"}` + "\n" +
		`{"id":"2","query":"b","relevant":[{"manual_id":"m","path":"b.md","start_line":1}],"answers":["<c>"]}` + "\n"
	got, err := os.ReadFile(path)
	if diff := cmp.Diff(want, string(got)); err != nil || diff != "" {
		t.Error(err, diff)
	}
}

// still is a placer for files that never change.
func still(t eval.Target) (eval.Target, bool) { return t, true }

// Several processes share a file: none loses what another has written.
func TestJudgingAtOnce(t *testing.T) {
	path := filepath.Join(t.TempDir(), "state", "judged.jsonl")
	const writers, each = 8, 6
	var all sync.WaitGroup
	for w := range writers {
		all.Go(func() {
			for i := range each {
				at := eval.Target{ManualID: "m", Path: fmt.Sprintf("%d.md", w), StartLine: i + 1, Grade: 1}
				if err := (judgedFile{path}).judge(t.Context(), fmt.Sprintf("query %d", i), "", at, up, still); err != nil {
					t.Error(err)
				}
			}
		})
	}
	all.Wait()
	got, err := judgedFile{path}.read()
	if err != nil || len(got) != each {
		t.Fatalf("%d queries, %v", len(got), err)
	}
	for _, q := range got {
		if len(q.Relevant) != writers {
			t.Errorf("%s has %d sections, want %d", q.Query, len(q.Relevant), writers)
		}
	}
}

func TestDamagedJudgementsAreLeftAlone(t *testing.T) {
	path := filepath.Join(t.TempDir(), "judged.jsonl")
	const damaged = "{\"query\": \"a\"\n"
	if err := os.WriteFile(path, []byte(damaged), 0o600); err != nil {
		t.Fatal(err)
	}
	err := judgedFile{path}.judge(t.Context(), "b", "", eval.Target{Path: "b.md"}, up, still)
	if err == nil || !strings.Contains(err.Error(), "line 1") {
		t.Errorf("%v", err)
	}
	if raw, err := os.ReadFile(path); err != nil || string(raw) != damaged {
		t.Errorf("%q, %v", raw, err)
	}
}

// The last verdict on a section counts, and nothing else changes.
func TestTheLastVerdictCounts(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		last := map[[3]string]verdict{}
		var all []judgedQuery
		for range rapid.IntRange(0, 20).Draw(t, "verdicts") {
			draw := func(name string, among ...string) string { return rapid.SampledFrom(among).Draw(t, name) }
			query, manual, path := draw("query", "a", "b"), draw("manual", "", "m"), draw("path", "x.md", "y.md")
			said := rapid.SampledFrom([]verdict{up, down, none}).Draw(t, "said")
			all = judged(all, query, manual, eval.Target{ManualID: "m", Path: path, StartLine: 1, Grade: 1}, said, still)
			last[[3]string{query, manual, path}] = said
		}
		got := map[[3]string]verdict{}
		ids := map[string]bool{}
		for _, q := range all {
			if ids[q.ID] {
				t.Fatalf("two queries have the id %s", q.ID)
			}
			ids[q.ID] = true
			for _, path := range []string{"x.md", "y.md"} {
				if v := q.of(eval.Target{ManualID: "m", Path: path, StartLine: 1}); v != none {
					got[[3]string{q.Query, q.ManualID, path}] = v
				}
			}
		}
		for key, said := range last {
			if said == none {
				delete(last, key)
			}
		}
		if diff := cmp.Diff(last, got); diff != "" {
			t.Fatal(diff)
		}
	})
}

func FuzzParseJudged(f *testing.F) {
	f.Add([]byte(`{"id":"1","query":"a","relevant":[{"manual_id":"m","path":"x.md","start_line":1,"grade":1}]}` + "\n\n"))
	f.Add([]byte(`{"query":"a","irrelevant":[{}]}` + "\n{"))
	f.Fuzz(func(t *testing.T, raw []byte) {
		all, err := parseJudged(raw)
		if err != nil {
			return
		}
		var out bytes.Buffer
		for _, q := range all {
			line, err := q.encode()
			if err != nil {
				t.Fatal(err)
			}
			out.Write(append(line, '\n'))
		}
		again, err := parseJudged(out.Bytes())
		if err != nil || len(again) != len(all) {
			t.Fatalf("%d queries became %d: %v", len(all), len(again), err)
		}
	})
}
