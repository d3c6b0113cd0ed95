package page

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"maps"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"go.uber.org/goleak"

	"github.com/sagasu-search/sagasu/framework/internal/app"
	"github.com/sagasu-search/sagasu/framework/internal/doctor"
	"github.com/sagasu-search/sagasu/framework/internal/eval"
	"github.com/sagasu-search/sagasu/framework/internal/host"
	"github.com/sagasu-search/sagasu/framework/internal/index"
	"github.com/sagasu-search/sagasu/framework/internal/manuals"
	"github.com/sagasu-search/sagasu/framework/internal/workspace"
	"github.com/sagasu-search/sagasu/plugins/laterank"
	"github.com/sagasu-search/sagasu/plugins/loose"
	"github.com/sagasu-search/sagasu/plugins/normalized"
	"github.com/sagasu-search/sagasu/plugins/synonym"
	"github.com/sagasu-search/sagasu/sdk"
)

var update = flag.Bool("update", false, "write the golden files anew")

var strategies = app.Strategies{normalized.Entry(), loose.Entry(), synonym.Entry(), laterank.Entry(),
	{Name: "leaves", NewConverter: func() sdk.Converter { return leaves{} }}}

func TestMain(m *testing.M) {
	if code, child := app.ServeChild(strategies, os.Args[1:]); child {
		os.Exit(code) // the host of a test started the binary as a strategy
	}
	goleak.VerifyTestMain(m)
}

// site is the page over manuals of a test.
type site struct {
	t       *testing.T
	handler http.Handler
	judged  string
	app     *app.App
}

// serve opens files as manuals, by manual and path, and returns the page over them.
func serve(t *testing.T, files map[string]string, change func(*Options)) *site {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		path := filepath.Join(dir, "manuals", filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	values := map[string]string{"HOME": dir, "USERPROFILE": dir, "LOCALAPPDATA": dir, "APPDATA": dir,
		"WORKSPACE_ROOT": dir, "STRATEGY_TIME_MS": "60000"}
	a, err := app.Open(t.Context(), app.Options{
		Sources:    workspace.LoadOptions{Getenv: func(name string) string { return values[name] }},
		Strategies: strategies,
		Progress:   func(string) (func(index.Progress), func()) { return func(index.Progress) {}, func() {} },
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := a.Close(); err != nil {
			t.Error(err)
		}
	})
	s := &site{t: t, judged: filepath.Join(dir, "state", "judged.jsonl"), app: a}
	o := Options{Manuals: app.Module[*manuals.Module](a), Judged: s.judged}
	if change != nil {
		change(&o)
	}
	if s.handler, err = New(o); err != nil {
		t.Fatal(err)
	}
	return s
}

// get requests an address in a language.
func (s *site) get(address, language string) *httptest.ResponseRecorder {
	r := httptest.NewRequestWithContext(s.t.Context(), http.MethodGet, "/"+address, nil)
	r.Header.Set("Accept-Language", language)
	w := httptest.NewRecorder()
	s.handler.ServeHTTP(w, r)
	return w
}

// post sends a form as the page would.
func (s *site) post(address string, form url.Values, header http.Header) *httptest.ResponseRecorder {
	r := httptest.NewRequestWithContext(s.t.Context(), http.MethodPost, "/"+address, strings.NewReader(form.Encode()))
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	for name, values := range header {
		r.Header[name] = values
	}
	w := httptest.NewRecorder()
	s.handler.ServeHTTP(w, r)
	return w
}

var (
	traces   = regexp.MustCompile(`name="trace" value="([^"]+)"`)
	linked   = regexp.MustCompile(`trace=[0-9a-f-]+`)
	styles   = regexp.MustCompile(`(?s)<style>.*</style>`)
	decimals = regexp.MustCompile(`\d+\.\d+`)
	places   = regexp.MustCompile(`( x| width)="[\d.]+"`)
)

// field returns the value of a hidden field of a page.
func field(t *testing.T, html string, field *regexp.Regexp) string {
	t.Helper()
	m := field.FindStringSubmatch(html)
	if m == nil {
		t.Fatalf("the page has no field %s", field)
	}
	return m[1]
}

// small is a corpus with short pages.
var small = map[string]string{
	"nas/01-warranty.md": "# 保証規定\n\n## 保証の対象外\n\n落下、水ぬれによる故障は保証の対象外です。\n\n" +
		"## 保証期間\n\n保証期間は購入日から 3 年です。\n",
	"nas/en/warranty.md": "# Warranty\n\n## Warranty period\n\nThe warranty period is 3 years from the day of purchase.\n\n" +
		"## What is not covered\n\nDamage by water is not covered by the warranty.\n",
	"nas/old/2021.md":    "# Warranty of 2021\n\n## Period\n\nThe warranty period is 2 years from the day of purchase.\n",
	"router/limits.json": `{"ports": 8, "warranty_years": 5}`,
}

// below returns the part of a page below its head.
func below(html string) string {
	_, from, _ := strings.Cut(html, "<main")
	inside, _, _ := strings.Cut(from, "</main>")
	return inside
}

// stable returns a page without what differs between runs, and without figures, which a better ranking changes.
func stable(html string) string {
	html = traces.ReplaceAllString(html, `name="trace" value="TRACE"`)
	html = styles.ReplaceAllString(html, "<style></style>")
	html = linked.ReplaceAllString(html, "trace=TRACE")
	return decimals.ReplaceAllString(places.ReplaceAllString(html, `$1="0"`), "0.0")
}

// report returns a state that does not depend on the machine.
func report(context.Context) (*doctor.Report, error) {
	table := doctor.Table{Title: "index", Header: []string{"WHAT", "VALUE"}}
	table.Row("sections", "9")
	return &doctor.Report{
		Broken: true, Hints: []doctor.Hint{{Broken: true, What: "a strategy failed", Do: "install it again"}},
		Strategies: []host.Status{{Name: "normalized", Stage: sdk.StageRetrieve, Weight: 1, State: host.StateRunning}},
		Tables:     []doctor.Table{table},
		Settings:   []workspace.Effective{{Name: "READ_ONLY", Value: "false", Origin: "default"}},
	}, nil
}

func TestPagesInBothLanguages(t *testing.T) {
	s := serve(t, small, func(o *Options) { o.Examine = report })
	const query = "warranty+period"
	kept := field(t, s.get("?q="+query+"&n=2", "en").Body.String(), traces)
	pages := map[string]string{
		"welcome": "", "results": "?q=" + query + "&n=2", "nothing": "?q=zzzz", "export": "export?q=" + query + "&n=1",
		"why":       "why?q=" + query + "&n=1&place=nas%2Fen%2Fwarranty.md%23L7",
		"why-none":  "why?q=" + query + "&place=nas/none.md",
		"compare":   "compare?q=" + query + "&pair=nas%2Fen%2Fwarranty.md%23L3&pair=nas%2Fold%2F2021.md%23L3",
		"fuse":      "fuse?n=2&w.normalized=0.5&w.coverage=1.5&trace=" + kept,
		"contents":  "contents?manual=nas",
		"read":      "read?manual=nas&path=01-warranty.md&line=3",
		"judged":    "judged",
		"state":     "state",
		"expired":   "fuse?trace=0-0",
		"not-found": "read?manual=nas&path=none.md",
	}
	// The head is compared once. The other language is compared where there is most text, since words.json has both
	// languages of every text.
	inJapanese := []string{"results", "why", "judged"}
	for name, address := range pages {
		for _, l := range languages {
			t.Run(name+"/"+l.Tag, func(t *testing.T) {
				got := stable(s.get(address, l.Tag).Body.String())
				if !strings.Contains(got, `<html lang="`+l.Tag+`">`) || !strings.HasSuffix(got, "</html>\n") {
					t.Errorf("not whole, or in another language: %s", got)
				}
				if l.Tag == "ja" && !slices.Contains(inJapanese, name) {
					return
				}
				if name != "welcome" && name != "export" {
					got = below(got)
				}
				path := filepath.Join("testdata", name+"."+l.Tag+".html")
				if *update {
					if err := os.WriteFile(path, []byte(got), 0o600); err != nil {
						t.Fatal(err)
					}
				}
				want, err := os.ReadFile(path)
				if err != nil {
					t.Fatal(err)
				}
				if diff := cmp.Diff(strings.Split(string(want), "\n"), strings.Split(got, "\n")); diff != "" {
					t.Errorf("%s differs; -update writes it anew:\n%s", path, diff)
				}
			})
		}
	}
}

func TestLanguageOfAnAnswer(t *testing.T) {
	s := serve(t, small, nil)
	for name, tc := range map[string]struct{ accept, kept, asked, want string }{
		"nothing said":        {want: "en"},
		"the browser's":       {accept: "fr, ja;q=0.8, en;q=0.5", want: "ja"},
		"a language unknown":  {accept: "fr", want: "en"},
		"kept over browser's": {accept: "ja", kept: "en", want: "en"},
		"asked over kept":     {accept: "en", kept: "en", asked: "ja", want: "ja"},
		"nonsense":            {accept: ";;q=x", kept: "xx", asked: "yy", want: "en"},
	} {
		t.Run(name, func(t *testing.T) {
			r := httptest.NewRequest(http.MethodGet, "/?lang="+tc.asked, nil)
			r.Header.Set("Accept-Language", tc.accept)
			r.AddCookie(&http.Cookie{Name: cookie, Value: tc.kept})
			w := httptest.NewRecorder()
			s.handler.ServeHTTP(w, r)
			if !strings.Contains(w.Body.String(), `<html lang="`+tc.want+`">`) {
				t.Errorf("%.60s, want %s", w.Body, tc.want)
			}
			set := len(w.Result().Cookies()) > 0
			if asked := tc.asked == "ja"; set != asked {
				t.Errorf("the choice was kept: %t, want %t", set, asked)
			}
		})
	}
}

// If no judgements are taken, nothing refers to the thumbs.
func TestJudgedOfAReadOnlyServer(t *testing.T) {
	s := serve(t, small, func(o *Options) { o.Judged = "" })
	if said := s.get("judged", "en").Body.String(); strings.Contains(said, "thumbs") || !strings.Contains(said, "read-only") {
		t.Errorf("%s", said)
	}
}

func TestAskingForANameThatIsNoPlace(t *testing.T) {
	files := maps.Clone(small)
	files["nas/old/2020.md"] = "# Warranty of 2020\n\n## Period\n\nThe warranty period is a year.\n"
	s := serve(t, files, nil)
	for place, want := range map[string]string{
		"nas/01-waranty.md": "place=nas%2f01-warranty.md", // a similar path
		"Period":            "Several places have this name:",
	} {
		w := s.get("why?q=warranty&place="+url.QueryEscape(place), "en")
		if w.Code != http.StatusOK || !strings.Contains(w.Body.String(), want) {
			t.Errorf("%s: %d, %s", place, w.Code, below(w.Body.String()))
		}
	}
}

func TestMistakesAreAnswered(t *testing.T) {
	s := serve(t, small, func(o *Options) { o.Judged = "" })
	for address, want := range map[string]int{
		"?q=warranty&manual=none":                     http.StatusNotFound,
		"?q=warranty&n=0":                             http.StatusBadRequest,
		"?q=warranty&n=x":                             http.StatusBadRequest,
		"fuse":                                        http.StatusBadRequest,
		"fuse?trace=0-0":                              http.StatusNotFound,
		"fuse?trace=0-0&w.loose=-1":                   http.StatusBadRequest,
		"fuse?trace=0-0&w.loose=NaN":                  http.StatusBadRequest,
		"export":                                      http.StatusBadRequest,
		"contents?manual=none":                        http.StatusNotFound,
		"read?manual=nas&path=../../etc/passwd":       http.StatusBadRequest,
		"read?manual=nas&path=01-warranty.md&line=99": http.StatusBadRequest,
		"state": http.StatusNotFound,
		"none":  http.StatusNotFound,
		"judge": http.StatusNotFound,
		"?q=" + url.QueryEscape(strings.Repeat("warranty ", 2000)): http.StatusOK,
	} {
		w := s.get(address, "en")
		if w.Code != want || !strings.Contains(w.Body.String(), "</html>") {
			t.Errorf("%.60s: %d, want %d", address, w.Code, want)
		}
	}
	if w := s.post("judge", url.Values{}, nil); w.Code != http.StatusNotFound {
		t.Errorf("a page that takes no judgements answers %d", w.Code)
	}
}

func TestAPanicIsAnswered(t *testing.T) {
	s := serve(t, small, func(o *Options) {
		o.Examine = func(context.Context) (*doctor.Report, error) { panic("broken") }
	})
	for range 2 { // nothing stays locked
		if w := s.get("state", "en"); w.Code != http.StatusInternalServerError || strings.Contains(w.Body.String(), "broken") {
			t.Errorf("%d: %s", w.Code, w.Body)
		}
	}
}

func TestMeasuring(t *testing.T) {
	asked := []map[string]float64{}
	s := serve(t, small, func(o *Options) {
		o.Measure = func(_ context.Context, queries []eval.Query, weights map[string]float64) (*eval.Report, error) {
			asked = append(asked, weights)
			if weights["loose"] == 9 {
				return nil, errors.New("no")
			}
			r := &eval.Report{K: 10, Queries: len(queries)}
			for _, q := range queries {
				r.PerQuery = append(r.PerQuery, eval.Outcome{ID: q.ID, Query: q.Query, Expected: q.Relevant,
					NDCG: 0.5 + weights["loose"]/10, Rank: 2})
			}
			return r, nil
		}
	})
	first := s.get("?q=warranty&n=3", "en").Body.String()
	form := url.Values{"trace": {field(t, first, traces)}, "rank": {"1"}, "verdict": {"up"}}
	if w := s.post("judge", form, nil); w.Code != http.StatusOK {
		t.Fatalf("%d: %s", w.Code, w.Body)
	}
	weights := "&w.normalized=1&w.loose=1.5&trace=" + form.Get("trace")
	html := s.get("judged?measure=1"+weights, "en").Body.String()
	for _, want := range []string{"1 better, 0 worse, of 1 queries", "0.500 → 0.650", "strategies.loose.weight = 1.5"} {
		if !strings.Contains(html, want) {
			t.Errorf("the report lacks %q:\n%s", want, html)
		}
	}
	want := []map[string]float64{nil, {"loose": 1.5}} // an unchanged weight is not another weight
	if diff := cmp.Diff(want, asked); diff != "" {
		t.Error(diff)
	}
	if strings.Contains(html, "strategies.normalized.weight") {
		t.Error("a setting is proposed that changes nothing")
	}
	if w := s.get("judged?measure=1&w.loose=9", "en"); w.Code != http.StatusInternalServerError {
		t.Errorf("a measurement that failed answers %d", w.Code)
	}
}

func TestFusingAgain(t *testing.T) {
	s := serve(t, small, nil)
	page := s.get("?q=warranty+period&n=10", "en").Body.String()
	trace := field(t, page, traces)
	order := regexp.MustCompile(`id="title-(\d+)"`)
	was, now := order.FindAllString(page, -1), s.get("fuse?n=10&w.normalized=0.01&w.loose=0&w.coverage=0&w.synonym=3&w.laterank=0&trace="+trace, "en").Body.String()
	if cmp.Equal(was, order.FindAllString(now, -1)) {
		t.Errorf("nothing moved: %v", was)
	}
	for _, want := range []string{"sparse_query_coverage_weight = 0\n", "strategies.synonym.weight = 3\n", `class="rose"`, `class="fell"`} {
		if !strings.Contains(now, want) {
			t.Errorf("no %q in\n%s", want, now)
		}
	}
	same := s.get("fuse?n=10&trace="+trace, "en").Body.String()
	if !cmp.Equal(was, order.FindAllString(same, -1)) || strings.Contains(same, `class="rose"`) || strings.Contains(same, "<pre") {
		t.Errorf("the same weights changed something:\n%s", same)
	}
}

func TestAssets(t *testing.T) {
	s := serve(t, small, nil)
	for name, want := range map[string]string{"page.css": "text/css", "page.js": "javascript", "icon.svg": "image/svg+xml"} {
		w := s.get(name, "en")
		if w.Code != http.StatusOK || !strings.Contains(w.Header().Get("Content-Type"), want) || w.Body.Len() == 0 {
			t.Errorf("%s: %d %s, %d bytes", name, w.Code, w.Header(), w.Body.Len())
		}
		if bytes.Contains(w.Body.Bytes(), []byte("http:")) && name != "icon.svg" || bytes.Contains(w.Body.Bytes(), []byte("https:")) {
			t.Errorf("%s names another host", name)
		}
	}
	if got := s.get("assets/words.json", "en").Code; got != http.StatusNotFound {
		t.Errorf("a file that is no part of the page is served: %d", got)
	}
}
