package docimport_test

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/sagasu-search/sagasu/framework/internal/convert/docimport"
)

// site is a web server with pages by path: "301 /x" redirects, "500" fails, and "text/x\n…" sets a type.
type site struct {
	*httptest.Server
	mu    sync.Mutex
	pages map[string]string
	asked []string
	agent string
}

func newSite(t *testing.T, pages map[string]string) *site {
	t.Helper()
	s := &site{pages: pages}
	s.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.asked, s.agent = append(s.asked, r.URL.RequestURI()), r.UserAgent()
		page, ok := s.pages[r.URL.RequestURI()]
		var status int
		if n, _ := fmt.Sscanf(page, "%3d", &status); !ok {
			status = http.StatusNotFound
		} else if n == 1 && len(page) > 3 {
			w.Header().Set("Location", page[4:])
		}
		if status > 0 {
			w.WriteHeader(status)
			return
		}
		kind, body, _ := strings.Cut(page, "\n")
		tag := fmt.Sprintf(`"%d"`, len(body))
		w.Header().Set("Content-Type", kind)
		w.Header().Set("ETag", tag)
		if r.Header.Get("If-None-Match") == tag {
			w.WriteHeader(http.StatusNotModified)
			return
		}
		fmt.Fprint(w, body)
	}))
	t.Cleanup(s.Close)
	return s
}

// change sets a page and forgets the requests.
func (s *site) change(path, page string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.pages[path] = page; page == "" {
		delete(s.pages, path)
	}
	s.asked = nil
}

// folder returns the folder of the site's texts in a manual.
func (s *site) folder() string {
	return strings.ReplaceAll(strings.TrimPrefix(s.URL, "http://"), ":", "_")
}

// reasons returns the reasons for what was skipped, by path, or by URL without the site.
func (s *site) reasons(r docimport.Report) map[string]string {
	out := map[string]string{}
	for _, x := range r.Skipped {
		out[strings.TrimPrefix(x.Path, s.URL)] = x.Reason
	}
	return out
}

func (s *site) run(t *testing.T, o docimport.Options) docimport.Report {
	t.Helper()
	if o.Network == nil {
		o.Network = []string{s.Listener.Addr().String()}
	}
	if o.Limit == 0 {
		o.Limit = 100
	}
	for i := range o.Sources {
		if strings.HasPrefix(o.Sources[i], "/") && !filepath.IsAbs(filepath.VolumeName(o.Sources[i])) {
			if _, err := os.Stat(o.Sources[i]); err != nil {
				o.Sources[i] = s.URL + o.Sources[i]
			}
		}
	}
	r, err := docimport.Run(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	for i, name := range r.Written {
		r.Written[i] = strings.TrimPrefix(name, s.folder())
	}
	for i, name := range r.Removed {
		r.Removed[i] = strings.TrimPrefix(name, s.folder())
	}
	return r
}

// TestImportIndex follows the life of the pages that an llms.txt lists.
func TestImportIndex(t *testing.T) {
	s := newSite(t, map[string]string{
		"/robots.txt": "text/plain\nUser-agent: sagasu\nDisallow: /private/\n\nUser-agent: *\nDisallow: /\n",
		"/docs/llms.txt": "text/plain\n# Shop\n- [Fees](fees.md): what it costs\n- [Terms](/docs/terms?lang=ja&v=2)\n" +
			"- [Old](old)\n- [Private](/private/x.md)\n" +
			"- [Elsewhere](https://other.example/a.md)\n- [Mail](mailto:a@b.example)\n" +
			"- [Gone](gone.md)\n- [Broken](broken.md)\n- [Picture](x.png)\n- [Away](away)\n- [Port](port)\n- [Fees again](fees.md#top)\n" +
			"- [Lies](lies.md)\n- [Nowhere](nowhere)\n",
		"/docs/fees.md":           "text/markdown; charset=utf-8\n# Fees\n\nA courier costs 900 yen.\n",
		"/docs/terms?lang=ja&v=2": "text/plain\nThese are terms.\n", "/docs/old": "301 /docs/new.txt",
		"/docs/new.txt": "text/plain\nNew.\n", "/private/x.md": "text/markdown\n# Private\n", "/docs/broken.md": "500",
		"/docs/x.png": "image/png\nPNG", "/docs/away": "302 http://localhost:1/x.md",
		"/docs/port": "302 http://127.0.0.1:1/x.md", "/docs/nowhere": "302 http:///x.md",
		"/docs/lies.md": "text/markdown\n\x00\x01\x02",
	})
	o := docimport.Options{Dir: filepath.Join(t.TempDir(), "manual"), Sources: []string{"/docs/llms.txt"}}
	dry := o
	dry.DryRun = true
	if r := s.run(t, dry); len(r.Written) != 3 {
		t.Errorf("a dry run would write %v", r.Written)
	}
	if _, err := os.Stat(o.Dir); err == nil {
		t.Error("a dry run wrote")
	}
	r := s.run(t, o)
	terms := fmt.Sprintf("/docs/terms-%s.txt", r.Written[1][len("/docs/terms-"):][:8])
	if diff := cmp.Diff([]string{"/docs/fees.md", terms, "/docs/new.txt"}, r.Written); diff != "" {
		t.Error(diff)
	}
	for what, want := range map[string]string{
		"/private/x.md": "disallows", "https://other.example/a.md": "another host", "mailto:a@b.example": "no address",
		"/docs/gone.md": "404", "/docs/broken.md": "500", "/docs/x.png": "no converter reads image/png",
		"/docs/away": "another host, localhost", "/docs/port": "127.0.0.1:1 is not granted", "/docs/lies.md": "NUL",
		"/docs/nowhere": "it is redirected to nowhere",
	} {
		if got := s.reasons(r)[what]; !strings.Contains(got, want) {
			t.Errorf("%s is skipped for %q, want %q", what, got, want)
		}
	}
	if len(r.Skipped) != 10 {
		t.Errorf("skipped %v", r.Skipped)
	}
	for _, path := range s.asked {
		if strings.HasPrefix(path, "/private") {
			t.Error("what robots.txt disallows was asked for")
		}
	}
	if s.agent != "sagasu" {
		t.Errorf("the agent is %q", s.agent)
	}
	record, err := os.ReadFile(filepath.Join(o.Dir, ".import", s.folder(), "docs", "new.txt.json"))
	if err != nil || !strings.Contains(string(record), `"document": "`+s.URL+`/docs/new.txt"`) {
		t.Errorf("the record does not name the page: %s %v", record, err)
	}

	for _, step := range []struct {
		name, path, page string
		written, removed []string
		same             int
	}{
		{"nothing changed", "/none", "", nil, nil, 3},
		{"a page changed", "/docs/fees.md", "text/markdown\n# Fees\n\nA courier costs 1,050 yen.\n",
			[]string{"/docs/fees.md"}, nil, 2},
		{"a page cannot be had for a while", "/docs/fees.md", "503", nil, nil, 2},
		{"a page is gone", "/docs/fees.md", "", nil, []string{"/docs/fees.md"}, 2},
	} {
		s.change(step.path, step.page)
		r := s.run(t, o)
		want := docimport.Report{Dir: o.Dir, Written: step.written, Removed: step.removed, Unchanged: step.same}
		if d := cmp.Diff(want, r, cmpopts.EquateEmpty(), cmpopts.IgnoreFields(want, "Skipped")); d != "" {
			t.Errorf("%s: %s", step.name, d)
		}
	}
	s.change("/docs/new.txt", "304")
	os.Remove(filepath.Join(o.Dir, s.folder(), "docs", "new.txt"))
	if r := s.run(t, o); !strings.Contains(s.reasons(r)["/docs/old"], "304") {
		t.Errorf("a page is not modified that nobody had: %+v", r)
	}
	s.change("/docs/new.txt", "text/plain\nNew.\n")
	s.run(t, o)
	for page, want := range map[string]string{"text/plain\nPlease log in.\n": "links to no page", "404": "404 Not Found"} {
		s.change("/docs/llms.txt", page)
		if r := s.run(t, o); !strings.Contains(s.reasons(r)["/docs/llms.txt"], want) || len(r.Removed) > 0 {
			t.Errorf("an index is %q: %+v", page, r)
		}
	}
	if _, err := os.Stat(filepath.Join(o.Dir, s.folder(), "docs", "new.txt")); err != nil {
		t.Error("an import that failed removed what stood there")
	}
}

// TestImportPages follows links up to the given depth, and reads lists of pages.
func TestImportPages(t *testing.T) {
	link := func(to ...string) string {
		return "text/html\n<p>Text.</p><a href='" + strings.Join(to, "'></a><a href='") + "'></a>"
	}
	s := newSite(t, map[string]string{
		"/docs/": link("a", "/other", "b.css", "http://other.example/"), "/docs/a": link("deep/b", "./#x"),
		"/docs/deep/b": link("c"), "/docs/deep/c": link(), "/other": link(),
	})
	dir := t.TempDir()
	list, local := filepath.Join(dir, "pages.txt"), filepath.Join(dir, "llms.txt")
	put(t, list, "\ufeff# Pages\r\n"+s.URL+"/other  # one\r\n\r\n"+s.URL+"/docs/a#part\r\n")
	put(t, local, "# Index\n- [Other]("+s.URL+"/other)\n- [Foreign](https://other.example/a)\n- [Near](a.md)\n")
	s.change("/most/", link(slices.Repeat([]string{"a"}, 10_000)...))
	if r := s.run(t, docimport.Options{Dir: filepath.Join(dir, "most"), Sources: []string{"/most/"}, Depth: 1,
		Documents: anything{}}); !strings.Contains(s.reasons(r)["/most/"], "only the first 10000 of its links") {
		t.Errorf("a page of many links: %+v", r)
	}
	into := filepath.Join(dir, "m")
	patient := docimport.Options{Dir: into, Sources: []string{"/docs/"}, Depth: 9, Documents: anything{}}
	hasty := patient
	hasty.Wait = 1
	s.run(t, patient)
	if r := s.run(t, hasty); len(r.Skipped) != 1 ||
		!strings.Contains(r.Skipped[0].Reason, "servers took 0s for 1 pages, and 1 more") ||
		len(r.Removed) > 0 {
		t.Errorf("with little time: %+v", r)
	}
	for _, status := range []string{"503", "404"} {
		s.change("/docs/", status)
		if r := s.run(t, patient); len(r.Removed) > 0 {
			t.Errorf("the first page is %s, and pages below it were removed: %v", status, r.Removed)
		}
	}
	s.change("/docs/", link("a"))
	s.change("/docs/a", "404")
	if r := s.run(t, patient); len(r.Removed) != 3 {
		t.Errorf("a page is gone: %+v", r)
	}
	s.change("/docs/", link("a", "/other", "b.css", "http://other.example/"))
	s.change("/docs/a", link("deep/b", "./#x"))
	for _, tc := range []struct {
		name    string
		sources []string
		depth   int
		limit   int
		want    []string
		skipped int
	}{
		{"a page", []string{"/docs/"}, 0, 9, []string{"/docs/index.html"}, 0},
		{"links", []string{"/docs/"}, 1, 9, []string{"/docs/index.html", "/docs/a.html"}, 0},
		{"links of links", []string{"/docs/"}, 2, 9, []string{"/docs/index.html", "/docs/a.html", "/docs/deep/b.html"}, 0},
		{"few", []string{"/docs/"}, 2, 1, []string{"/docs/index.html"}, 1},
		{"two pages", []string{"/other", "/docs/deep/c"}, 0, 9, []string{"/other.html", "/docs/deep/c.html"}, 0},
		{"a list", []string{list}, 0, 9, []string{"/other.html", "/docs/a.html"}, 0},
		{"a file llms.txt", []string{local}, 0, 9, []string{"/other.html"}, 2},
	} {
		r := s.run(t, docimport.Options{Dir: filepath.Join(t.TempDir(), "m"), Sources: tc.sources, Depth: tc.depth,
			Limit: tc.limit, Documents: anything{}})
		for i, name := range r.Written {
			r.Written[i] = strings.TrimSuffix(name, ".md")
		}
		if diff := cmp.Diff(tc.want, r.Written); diff != "" || len(r.Skipped) != tc.skipped {
			t.Errorf("%s: %s, skipped %v", tc.name, diff, r.Skipped)
		}
	}
}

// TestImportAsksFirst reports what may not be reached, and sends no request.
func TestImportAsksFirst(t *testing.T) {
	s := newSite(t, map[string]string{"/a.md": "text/markdown\n# A\n"})
	for _, tc := range []struct {
		source string
		grants []string
		want   string
	}{
		{s.URL + "/a.md", nil, "--import-network " + s.Listener.Addr().String()},
		{s.URL + "/a.md", []string{"example.com", "127.0.0.1"}, "--import-network 127.0.0.1:"},
		{s.URL + "/a.md", []string{"127.0.0.0/8"}, "--import-network 127.0.0.1:"},
		{s.URL + "/a.md", []string{"http://127.0.0.1"}, "must be the name of a host"},
		{"ftp://127.0.0.1/a.md", []string{"127.0.0.1"}, "must be a path, or begin with https://"},
		{"http://me:secret@127.0.0.1/a.md", []string{"127.0.0.1"}, "name no user"},
	} {
		dir := filepath.Join(t.TempDir(), "m")
		_, err := docimport.Run(t.Context(),
			docimport.Options{Dir: dir, Sources: []string{tc.source}, Network: tc.grants, Limit: 9})
		if err == nil || !strings.Contains(err.Error(), tc.want) {
			t.Errorf("%s with %v: %v, want %q", tc.source, tc.grants, err, tc.want)
		}
	}
	if len(s.asked) > 0 {
		t.Errorf("asked for %v", s.asked)
	}
}

// TestRobots refuses pages if robots.txt does, or cannot be read.
func TestRobots(t *testing.T) {
	for name, tc := range map[string]struct{ robots, want string }{
		"none": {"", ""}, "all": {"text/plain\nUser-agent: *\nAllow: /\n", ""}, "empty": {"text/plain\n", ""},
		"others":   {"text/plain\nUser-agent: other\nDisallow: /\n", ""},
		"wildcard": {"text/plain\nUser-agent: *\nDisallow: /*.md$\n", "disallows"},
		"fails":    {"503", "cannot be read: the server answered 503"}, "busy": {"429", "429 Too Many Requests"}, "slow": {"text/plain\nUser-agent: *\nCrawl-delay: 3600\n", "too long"},
		"elsewhere": {"301 http://localhost:1/robots.txt", "another host"}, "loop": {"301 /robots.txt", "redirected more than 5 times"},
		"port": {"301 http://127.0.0.1:1/robots.txt", "127.0.0.1:1 is not granted"},
	} {
		pages := map[string]string{"/a.md": "text/markdown\n# A\n", "/robots.txt": tc.robots}
		if tc.robots == "" {
			delete(pages, "/robots.txt")
		}
		s := newSite(t, pages)
		r := s.run(t, docimport.Options{Dir: filepath.Join(t.TempDir(), "m"), Sources: []string{"/a.md"}})
		if got := s.reasons(r)["/a.md"]; (got == "") != (tc.want == "") || !strings.Contains(got, tc.want) {
			t.Errorf("%s: skipped for %q, want %q", name, got, tc.want)
		}
	}
}

// An import ends with its context, even in the middle of a page.
func TestImportOfPagesEnds(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/robots.txt" {
			http.NotFound(w, r)
			return
		}
		w.Header().Set("Content-Type", "text/markdown")
		fmt.Fprint(w, "# Begun\n")
		w.(http.Flusher).Flush()
		cancel()
		<-r.Context().Done()
	}))
	defer s.Close()
	dir := filepath.Join(t.TempDir(), "m")
	_, err := docimport.Run(ctx, docimport.Options{Dir: dir, Sources: []string{s.URL + "/a.md"},
		Network: []string{s.Listener.Addr().String()}, Limit: 9})
	if err == nil || ctx.Err() == nil {
		t.Errorf("it went on: %v", err)
	}
	if left, _ := filepath.Glob(filepath.Join(dir, "[^.]*")); len(left) > 0 {
		t.Errorf("half a page was written: %v", left)
	}
}
