package page

import (
	"context"
	"embed"
	"io/fs"
	"net/http"

	"github.com/hashicorp/go-hclog"

	"github.com/sagasu-search/sagasu/framework/internal/doctor"
	"github.com/sagasu-search/sagasu/framework/internal/eval"
	"github.com/sagasu-search/sagasu/framework/internal/manuals"
	"github.com/sagasu-search/sagasu/framework/internal/toolset"
	"github.com/sagasu-search/sagasu/sdk/x/guard"
)

// Options configure the page.
type Options struct {
	Manuals *manuals.Module
	// Examine examines the workspace as sagasu doctor does; nil shows no state.
	Examine func(context.Context) (*doctor.Report, error)
	// Judged is the file that stores judgements; "" means that none are taken.
	Judged string
	// Command is the command line that measures the judgements in that file.
	Command string
	// Measure evaluates judged queries with the weights of the configuration and those given, by name; nil turns
	// measuring off.
	Measure func(ctx context.Context, queries []eval.Query, weights map[string]float64) (*eval.Report, error)
	Logger  hclog.Logger // nil for no log
}

//go:embed assets
var assets embed.FS

// page answers requests. It keeps nothing between them except in the files of the workspace.
type page struct {
	Options
	locales []*locale
	judged  judgedFile
	slow    chan struct{} // holds the one examination or measurement under way
}

// New returns the page. Its links are relative, so that it can be mounted at any path. The caller decides which hosts
// and users are answered; the page itself refuses forms that another site sent.
func New(o Options) (http.Handler, error) {
	if o.Logger == nil {
		o.Logger = hclog.NewNullLogger()
	}
	locales, err := readLocales()
	if err != nil {
		return nil, err
	}
	p := &page{
		Options: o, locales: locales, judged: judgedFile{o.Judged},
		slow: make(chan struct{}, 1),
	}
	mux := http.NewServeMux()
	for path, show := range map[string]func(*request) error{
		"GET /{$}": (*request).search, "GET /export": (*request).export, "GET /fuse": (*request).fuse,
		"GET /why": (*request).why, "GET /compare": (*request).compare, "GET /read": (*request).read,
		"GET /contents": (*request).contents, "GET /file/{manual}/{path...}": (*request).file,
		"GET /judged": (*request).judgements, "POST /judge": (*request).judge,
		"GET /state": (*request).state, "/": (*request).missing,
	} {
		mux.HandleFunc(path, func(w http.ResponseWriter, r *http.Request) { p.serve(w, r, show) })
	}
	for _, name := range []string{"page.css", "page.js", "icon.svg"} {
		mux.HandleFunc("GET /"+name, func(w http.ResponseWriter, r *http.Request) {
			secure(w.Header())
			w.Header().Set("Cache-Control", "no-cache")
			http.ServeFileFS(w, r, files(), name)
		})
	}
	return http.NewCrossOriginProtection().Handler(mux), nil
}

// files returns the embedded files by their names.
func files() fs.FS {
	sub, err := fs.Sub(assets, "assets")
	if err != nil { // the name is constant and valid
		panic(err)
	}
	return sub
}

// secure sets what a browser may do with an answer: run the one script, and connect to this server only.
func secure(h http.Header) {
	h.Set("Content-Security-Policy", "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; "+
		"connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'")
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Referrer-Policy", "same-origin")
	h.Set("Cross-Origin-Opener-Policy", "same-origin")
	h.Set("Cross-Origin-Resource-Policy", "same-origin")
}

// serve answers one request. A panic is logged and answered as an internal error.
func (p *page) serve(w http.ResponseWriter, r *http.Request, show func(*request) error) {
	secure(w.Header())
	w.Header().Set("Cache-Control", "no-store")
	r.Body = http.MaxBytesReader(w, r.Body, maxForm)
	req := &request{page: p, w: w, r: r, locale: p.chosen(w, r)}
	err := guard.Call(func() error { return show(req) })
	if err == nil || r.Context().Err() != nil {
		return
	}
	wrong := toolset.Explain(err)
	if wrong.Code == toolset.Internal {
		p.Logger.Error("the page failed", "path", r.URL.Path, "error", err)
		guard.LogStack(p.Logger, err)
	}
	if err := req.fail(wrong); err != nil {
		p.Logger.Error("the page failed", "path", r.URL.Path, "error", err)
	}
}

// maxForm is the maximum number of bytes of a form.
const maxForm = 64 << 10

// alone calls do while no other examination or measurement runs, since each takes the whole machine.
func (p *page) alone(ctx context.Context, do func() error) error {
	select {
	case p.slow <- struct{}{}:
		defer func() { <-p.slow }()
		return do()
	case <-ctx.Done():
		return ctx.Err()
	}
}

// state shows what sagasu doctor finds.
func (q *request) state() error {
	if q.Examine == nil {
		return q.missing()
	}
	var report *doctor.Report
	err := q.alone(q.r.Context(), func() (err error) {
		report, err = q.Examine(q.r.Context())
		return err
	})
	if err != nil {
		return err
	}
	return q.show("state", q.name("state"), report)
}
