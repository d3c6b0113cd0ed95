package docimport

import (
	"context"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/url"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/sagasu-search/sagasu/framework/internal/corpus"
	"github.com/sagasu-search/sagasu/framework/internal/toolset"
)

// web is a source of web pages. The names of its texts begin with their hosts.
type web struct {
	name  string // what names the pages: a URL or an absolute path
	pages []*url.URL
	index bool // the only page is an index such as llms.txt, whose links are imported
	skips []toolset.Skip
}

// isIndex reports whether a file is an index of pages for models.
func isIndex(name string) bool { return strings.EqualFold(name, "llms.txt") }

// openURL opens a page, or an index of pages, on the web.
func openURL(given string, granted *network) (source, error) {
	u := webURL(given)
	if u == nil {
		return nil, fmt.Errorf("%s cannot be imported: it must be a path, or begin with https:// or http:// and "+
			"name no user", given)
	}
	s := &web{name: u.String(), pages: []*url.URL{u}, index: isIndex(path.Base(u.Path))}
	return s, s.check(granted)
}

// mostList is the maximum size in bytes of a file that lists pages.
const mostList = 4 << 20

// openList opens a file that lists pages, as an index or one per line. It returns nil for another file.
func openList(given, at string, granted *network) (source, error) {
	index := isIndex(filepath.Base(at))
	if !index && !strings.EqualFold(filepath.Ext(at), ".txt") {
		return nil, nil
	}
	src, err := os.ReadFile(at)
	if err != nil {
		return nil, fmt.Errorf("%s cannot be imported: %w", at, err)
	}
	s := &web{name: at}
	if index {
		for _, link := range linksOfMarkdown(src) {
			switch u := webURL(link); {
			case u == nil:
				s.skips = append(s.skips, toolset.Skip{Path: link, Reason: "it is no address on the web"})
			case granted.grants(u) || len(granted.hosts) == 0:
				s.pages = append(s.pages, u)
			default:
				s.skips = append(s.skips, toolset.Skip{Path: link, Reason: u.Host + " is not granted"})
			}
		}
	} else if s.pages, err = listed(src); err != nil {
		return nil, fmt.Errorf("%s:%w", given, err)
	}
	switch {
	case len(s.pages) == 0:
		return nil, nil
	case len(s.pages) > mostLinks:
		return nil, fmt.Errorf("%s lists %d pages: a source may have %d", at, len(s.pages), mostLinks)
	}
	return s, s.check(granted)
}

// check fails if the host of a page is not granted.
func (s *web) check(granted *network) error {
	for _, u := range s.pages {
		if !granted.grants(u) {
			return fmt.Errorf("%s is not read without a grant: add --import-network %s, or set IMPORT_NETWORK",
				u, u.Host)
		}
	}
	return nil
}

// page is a page to fetch.
type page struct {
	*url.URL
	depth int    // how many links deep it is followed
	below string // prefix that the paths of links must have
}

func (s *web) from() string { return s.name }

func (*web) holds(string) bool { return false }

func (s *web) run(ctx context.Context, w *writer) (complete bool, err error) {
	f, err := newFetcher(w.network)
	if err != nil {
		return false, err
	}
	defer func() { err = errors.Join(err, f.close()) }()
	w.report.Skipped = append(w.report.Skipped, s.skips...)
	v := visit{web: s, writer: w, fetcher: f, met: map[string]bool{}, complete: true}
	if v.known, err = w.fetched(s.name); err != nil {
		return false, err
	}
	if s.index {
		if err := v.readIndex(ctx, s.pages[0]); err != nil {
			return false, err
		}
	} else {
		for _, u := range s.pages {
			v.add(u, w.Depth, "")
		}
	}
	for n := 0; len(v.queue) > 0; n++ {
		if w.Wait > 0 && f.waited > w.Wait {
			w.skip(v.queue[0].String(), fmt.Sprintf("servers took %s for %d pages, and %d more are known: import "+
				"again to go on", f.waited.Round(time.Second), n, len(v.queue)))
			return false, nil
		}
		if n >= w.Limit {
			w.skip(v.queue[0].String(), fmt.Sprintf("%d pages were fetched, and %d more are known: see --limit",
				n, len(v.queue)))
			return false, nil
		}
		next := v.queue[0]
		v.queue = v.queue[1:]
		w.progress(next.String(), n, min(n+1+len(v.queue), w.Limit))
		if err := v.take(ctx, next); err != nil {
			return false, err
		}
	}
	return v.complete, nil
}

// visit is one run through the pages of a source.
type visit struct {
	*web
	*writer
	fetcher  *fetcher
	known    map[string]storedPage // by URL
	queue    []page
	met      map[string]bool
	complete bool
}

// add puts a page into the queue unless it was there before.
func (v *visit) add(u *url.URL, depth int, below string) {
	if u.Path == "" {
		u.Path = "/"
	}
	if below == "" {
		below = u.Path[:strings.LastIndexByte(u.Path, '/')+1]
	}
	if !v.met[u.String()] {
		v.met[u.String()] = true
		v.queue = append(v.queue, page{u, depth, below})
	}
}

// readIndex queues the pages on the same host that an index links to.
func (v *visit) readIndex(ctx context.Context, at *url.URL) error {
	p, err := v.fetcher.get(ctx, at, "")
	if err != nil {
		return err
	}
	src, err := v.start(p)
	if err != nil {
		return err
	}
	links := linksOfMarkdown(src)
	if len(links) == 0 { // it is no longer an index
		return refuse("it links to no page")
	}
	v.capped(at, len(links))
	for _, link := range links {
		u, err := p.url.Parse(link)
		switch {
		case err != nil || webURL(u.String()) == nil:
			v.skip(link, "it is no address on the web")
		case u.Host != p.url.Host:
			v.skip(u.String(), "it lies on another host than the index")
		default:
			v.add(webURL(u.String()), v.Depth, "")
		}
	}
	return nil
}

// take imports a page and queues its links. An error ends the import.
func (v *visit) take(ctx context.Context, next page) error {
	was := v.known[next.String()]
	version := was.version
	if next.depth > 0 { // its links are needed
		version = ""
	}
	p, err := v.fetcher.get(ctx, next.URL, version)
	stays := func() {
		if was.target != "" {
			v.seen[was.target] = next.String()
		}
	}
	if no, ok := errors.AsType[*refusal](err); ok {
		if !no.gone {
			stays()
		}
		if next.depth > 0 && (!no.gone || next.depth == v.Depth) { // its links are not known
			v.complete = false
		}
		v.skip(next.String(), no.reason)
		return nil
	}
	if err != nil {
		return err
	}
	if p.file == "" {
		stays()
		v.report.Unchanged++
		return nil
	}
	if at := p.url.String(); at != next.String() {
		if v.met[at] {
			return nil
		}
		v.met[at] = true
	}
	name, kind := v.nameOf(p.url, p.kind)
	if name == "" {
		stays()
		v.skip(next.String(), "no converter reads "+kind)
		return nil
	}
	if next.depth > 0 {
		if err := v.follow(next, p, kind); err != nil {
			return err
		}
	}
	base := path.Base(name)
	return v.document(ctx, document{
		name: name, cited: p.url.String(), from: v.name, source: next.String(), version: p.version,
		open: func(ctx context.Context) (corpus.File, error) { return v.read(ctx, p.file, base) },
	})
}

// read reads a fetched file under a name.
func (v *visit) read(ctx context.Context, file, base string) (corpus.File, error) {
	m := corpus.Manual{Dir: v.fetcher.temp, Only: base, Documents: v.Documents}
	info, err := os.Stat(file)
	if err != nil {
		return corpus.File{}, err
	}
	if !m.Reads(base) && info.Size() > corpus.MaxSize {
		return corpus.File{}, unfit(corpus.TooLarge(info.Size(), corpus.MaxSize))
	}
	named := filepath.Join(v.fetcher.temp, base)
	if err := os.Rename(file, named); err != nil {
		return corpus.File{}, err
	}
	defer os.Remove(named)
	return corpus.Open(ctx, m, base)
}

// follow queues the links of a page that are on its host, below the folder of the requested page.
func (v *visit) follow(from page, p *fetched, kind string) error {
	if !strings.Contains(kind, "html") && !strings.Contains(kind, "markdown") {
		return nil
	}
	src, err := v.start(p)
	if err != nil {
		return err
	}
	var links []string
	start := p.url
	if strings.Contains(kind, "html") {
		var base string
		links, base = linksOfHTML(src)
		if at, err := start.Parse(base); err == nil {
			start = at
		}
	} else {
		links = linksOfMarkdown(src)
	}
	v.capped(from.URL, len(links))
	for _, link := range links {
		u, err := start.Parse(link)
		if err != nil {
			continue
		}
		u = webURL(u.String())
		if u != nil && u.Host == from.Host && strings.HasPrefix(u.Path, from.below) && !decoration(u.Path) {
			v.add(u, from.depth-1, from.below)
		}
	}
	return nil
}

// start returns the part of a page in which links are searched for.
func (v *visit) start(p *fetched) ([]byte, error) {
	f, err := os.Open(p.file)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return io.ReadAll(io.LimitReader(f, corpus.MaxSize))
}

// capped reports a page with more links than are read. Some are then not followed, so their texts stay.
func (v *visit) capped(page *url.URL, links int) {
	if links >= mostLinks {
		v.complete = false
		v.skip(page.String(), fmt.Sprintf("only the first %d of its links are followed", mostLinks))
	}
}

// decoration reports whether a path is that of a picture, style sheet, sound or script.
func decoration(name string) bool {
	kinds := []string{"image/", "audio/", "video/", "font/", "text/css", "text/javascript"}
	kind := mime.TypeByExtension(strings.ToLower(path.Ext(name)))
	return slices.ContainsFunc(kinds, func(k string) bool { return strings.HasPrefix(kind, k) })
}
