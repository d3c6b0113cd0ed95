//go:build soak && linux

package cli

import (
	"bytes"
	"cmp"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/sagasu-search/sagasu/framework/internal/manuals"
	"github.com/sagasu-search/sagasu/framework/internal/search"
)

const (
	soakPatience = 10 * time.Second // until an edit must show, on a machine under load
	soakPause    = 150 * time.Millisecond
	soakSeen     = 200 * time.Millisecond // when a search should show an edit
)

// TestTwoHostsAndAnEditor has two servers search a workspace that an editor
// works on, for SAGASU_SOAK (a duration, default 1m).
func TestTwoHostsAndAnEditor(t *testing.T) {
	lasts, err := time.ParseDuration(cmp.Or(os.Getenv("SAGASU_SOAK"), "1m"))
	if err != nil {
		t.Fatal(err)
	}
	dir, temp := t.TempDir(), t.TempDir()
	if err := os.CopyFS(dir, os.DirFS(sample(t))); err != nil {
		t.Fatal(err)
	}
	env := append(environment(t), "TMPDIR="+temp)
	home := strings.TrimPrefix(env[0], "HOME=")
	args := []string{"--workspace", dir, "--strategy-time-ms", "20000"} // it is the index that is tried, not slow starts
	d := &desk{t: t, root: filepath.Join(dir, "manuals", "aoba-nas"), files: map[string]*edited{}, texts: map[string][]string{}}
	hosts := []*soakHost{{c: connect(t, env, args...), desk: d}, {c: connect(t, env, args...), desk: d}}
	for _, h := range hosts {
		h.todo = make(chan *promise, 10_000)
		d.tell = append(d.tell, h.todo)
	}
	var wg sync.WaitGroup
	for _, h := range hosts {
		wg.Go(h.work)
	}
	for end := time.Now().Add(lasts); time.Now().Before(end) && !t.Failed(); time.Sleep(rand.N(2 * soakPause)) {
		d.edit()
	}
	for _, h := range hosts {
		close(h.todo)
	}
	wg.Wait()
	reportSoak(t, d, hosts)
	for _, h := range hosts {
		h.checkAll()
		h.c.in.Close()
		if err := h.c.cmd.Wait(); err != nil {
			t.Errorf("%v ended with %v\n%s", h.c, err, h.c.stderr)
		}
	}
	nothingLeft(t, home, temp)
}

func reportSoak(t *testing.T, d *desk, hosts []*soakHost) {
	var lags []time.Duration
	searches, reads, stale, stalest := 0, 0, 0, time.Duration(0)
	for _, h := range hosts {
		stale, stalest = stale+h.stale, max(stalest, h.stalest)
		lags, searches, reads = append(lags, h.lags...), searches+h.searches, reads+h.reads
	}
	if len(lags) == 0 {
		t.Fatal("nothing was edited")
	}
	slices.Sort(lags)
	t.Logf("%d edits %v, %d searches, %d reads; from save to seen by a host: median %v, p95 %v, max %v of %d; %d searches were stale that began %v after the edit or later, the last %v",
		d.edits, d.kinds, searches, reads, lags[len(lags)/2], lags[len(lags)*95/100], lags[len(lags)-1], len(lags), stale, soakSeen, stalest)
}

// promise is what searches for a word must find soon after an edit.
type promise struct {
	word, path string // path "" when the word is gone
	since      time.Time
	kept       int // hosts that found it so, guarded by desk.mu
}

// edited is a file as the editor left it.
type edited struct {
	words []string
	text  string
	open  []*promise // not yet kept by all hosts
}

// desk is the editor's: what it wrote and when.
type desk struct {
	t    *testing.T
	root string
	tell []chan *promise

	mu      sync.Mutex
	files   map[string]*edited
	texts   map[string][]string // all texts that a path ever had
	changed []change
	words   int
	edits   int
	kinds   map[string]int
	gone    []string // words that are nowhere any more
}

type change struct {
	path string
	at   time.Time
}

func (d *desk) do(err error) {
	d.t.Helper()
	if err != nil {
		d.t.Error(err)
	}
}

// edit does one thing at random.
func (d *desk) edit() {
	d.mu.Lock()
	defer d.mu.Unlock()
	kinds := []string{"create", "create", "nest", "change", "change", "replace", "rename", "delete", "move folder", "delete folder"}
	kind := kinds[rand.N(len(kinds))]
	at, file := d.settled()
	if file == nil {
		kind = "create"
	}
	folder := path.Dir(at)
	if strings.HasSuffix(kind, "folder") && (folder == "." || !d.allSettled(folder)) {
		kind = "nest"
	}
	switch kind {
	case "create":
		d.write(d.name("."), &edited{}, false)
	case "nest":
		d.write(d.name(path.Join(d.word(), d.word(), d.word())), &edited{}, false)
	case "change":
		d.write(at, file, rand.N(2) == 0)
	case "replace":
		d.forget(file)
		d.write(at, &edited{}, rand.N(2) == 0)
	case "rename":
		d.move(at, d.name(path.Dir(at)))
	case "delete":
		d.do(os.Remove(d.on(at)))
		d.drop(at)
	case "move folder":
		d.moveFolder(folder, d.word())
	case "delete folder":
		d.do(os.RemoveAll(d.on(folder)))
		for _, p := range d.below(folder) {
			d.drop(p)
		}
	}
	if d.kinds == nil {
		d.kinds = map[string]int{}
	}
	d.kinds[kind]++
	d.edits++
}

func (d *desk) on(p string) string { return filepath.Join(d.root, filepath.FromSlash(p)) }

// word returns a new one that resembles no other.
func (d *desk) word() string {
	d.words++
	letters := []byte("qx")
	for n := uint64(d.words) * 0x9e3779b97f4a7c15; len(letters) < 14; n /= 26 {
		letters = append(letters, byte('a'+n%26))
	}
	return string(letters)
}

func (d *desk) name(folder string) string { return path.Join(folder, d.word()+".md") }

// settled picks a file of which every host knows all.
func (d *desk) settled() (string, *edited) {
	for p, f := range d.files { // in random order
		if d.known(f) {
			return p, f
		}
	}
	return "", nil
}

func (d *desk) known(f *edited) bool {
	f.open = slices.DeleteFunc(f.open, func(p *promise) bool { return p.kept == len(d.tell) })
	return len(f.open) == 0
}

func (d *desk) below(folder string) []string {
	var paths []string
	for p := range d.files {
		if strings.HasPrefix(p, folder+"/") {
			paths = append(paths, p)
		}
	}
	return paths
}

func (d *desk) allSettled(folder string) bool {
	return !slices.ContainsFunc(d.below(folder), func(p string) bool { return !d.known(d.files[p]) })
}

// write adds a section with a new word to a file, in place or by a rename.
func (d *desk) write(p string, f *edited, renamed bool) {
	word := d.word()
	f.words, f.text = append(f.words, word), f.text+fmt.Sprintf("# Part %d\n\nHere stands %s alone.\n", len(f.words)+1, word)
	d.files[p] = f
	d.notes(p, f.text)
	d.do(os.MkdirAll(filepath.Dir(d.on(p)), 0o755))
	to := d.on(p)
	if renamed {
		to += "~"
	}
	d.do(os.WriteFile(to, []byte(f.text), 0o644))
	if renamed {
		d.do(os.Rename(to, d.on(p)))
	}
	d.promise(f, p, word)
}

// notes records that a path is about to have a text.
func (d *desk) notes(p, text string) {
	d.texts[p] = append(d.texts[p], text)
	d.changed = append(d.changed, change{p, time.Now()})
}

func (d *desk) promise(f *edited, p string, words ...string) {
	for _, word := range words {
		made := &promise{word: word, path: p, since: time.Now()}
		if f != nil {
			f.open = append(f.open, made)
		}
		for _, c := range d.tell {
			c <- made
		}
	}
}

func (d *desk) move(from, to string) {
	f := d.files[from]
	d.notes(to, f.text)
	d.do(os.Rename(d.on(from), d.on(to)))
	d.moved(from, to)
}

func (d *desk) moved(from, to string) {
	f := d.files[from]
	delete(d.files, from)
	d.files[to] = f
	d.changed = append(d.changed, change{from, time.Now()})
	d.promise(f, to, f.words...)
}

func (d *desk) moveFolder(from, to string) {
	paths := d.below(from)
	for _, p := range paths {
		d.notes(to+p[len(from):], d.files[p].text)
	}
	d.do(os.Rename(d.on(from), d.on(to)))
	for _, p := range paths {
		d.moved(p, to+p[len(from):])
	}
}

func (d *desk) drop(p string) {
	d.changed = append(d.changed, change{p, time.Now()})
	d.forget(d.files[p])
	delete(d.files, p)
}

func (d *desk) forget(f *edited) {
	d.promise(nil, "", f.words...)
	d.gone = append(d.gone, f.words...)
}

// had reports whether a path had this text, whole or in part, at some time; a
// file of the sample has always been as it is.
func (d *desk) had(p, text string) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	texts, ours := d.texts[p]
	return !ours || slices.ContainsFunc(texts, func(t string) bool { return strings.Contains(t, text) })
}

// touched reports whether a path changed after a time.
func (d *desk) touched(p string, after time.Time) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	return slices.ContainsFunc(d.changed, func(c change) bool { return c.path == p && c.at.After(after) })
}

// soakHost is a server at work.
type soakHost struct {
	c               *client
	desk            *desk
	todo            chan *promise
	lags            []time.Duration
	searches, reads int

	stale   int // searches that began soakSeen after an edit and did not show it
	stalest time.Duration
}

// work waits for every promise to be kept.
func (h *soakHost) work() {
	for p := range h.todo {
		for {
			before := time.Since(p.since)
			if h.shows(p.word, p.path) {
				break
			}
			if before > soakSeen {
				h.stale, h.stalest = h.stale+1, max(h.stalest, before)
			}
			if time.Since(p.since) > soakPatience {
				h.c.t.Errorf("%v: %q is not at %q %v after it was saved", h.c, p.word, p.path, soakPatience)
				break
			}
			time.Sleep(5 * time.Millisecond)
		}
		h.lags = append(h.lags, time.Since(p.since))
		h.desk.mu.Lock()
		p.kept++
		h.desk.mu.Unlock()
	}
}

// shows searches for a word and reports whether it is found at a path and
// nowhere else; with the path "" nowhere at all. All that is found must be readable.
func (h *soakHost) shows(word, p string) bool {
	h.searches++
	began := time.Now()
	answer := must[search.Answer](h.c, "manual_find", map[string]any{"query": word})
	if len(answer.Warnings) > 0 {
		h.c.t.Errorf("%v: warnings %q", h.c, answer.Warnings)
	}
	hits := must[search.Hits](h.c, "manual_hits", map[string]any{"trace_id": answer.TraceID})
	for _, hit := range hits.Items {
		h.read(hits.ManualID+hit.Ref.ManualID, hit.Ref.Path, hit.Ref.StartLine, word, began)
	}
	if p == "" {
		return len(hits.Items) == 0
	}
	return len(hits.Items) == 1 && hits.Items[0].Ref.Path == p
}

// read reads a hit: text that the file had, unless it changed just now.
func (h *soakHost) read(id, p string, line int, word string, began time.Time) {
	h.reads++
	var got struct {
		manuals.Reading
		Error *struct{ Message string }
	}
	failed := h.c.call("manual_read", map[string]any{"ref": map[string]any{"manual_id": id, "path": p, "start_line": line}}, &got)
	fresh := h.desk.touched(p, began.Add(-soakPatience))
	switch {
	case failed && !fresh:
		h.c.t.Errorf("%v: %s:%d cannot be read: %s", h.c, p, line, got.Error.Message)
	case !failed && !h.desk.had(p, got.Text):
		h.c.t.Errorf("%v: %s:%d never held %q", h.c, p, line, got.Text)
	case !failed && !fresh && got.Applied.Mode == "read" && !strings.Contains(got.Text, word):
		h.c.t.Errorf("%v: %s:%d does not hold %q: %q", h.c, p, line, word, got.Text)
	}
}

// checkAll checks every word at the end.
func (h *soakHost) checkAll() {
	for p, f := range h.desk.files {
		for _, word := range f.words {
			if !h.shows(word, p) {
				h.c.t.Errorf("%v: at the end %q is not found at %s", h.c, word, p)
			}
		}
	}
	for _, word := range h.desk.gone {
		if !h.shows(word, "") {
			h.c.t.Errorf("%v: at the end the deleted %q is found", h.c, word)
		}
	}
}

// nothingLeft looks for processes that still have this home, and for files
// that should have gone with them.
func nothingLeft(t *testing.T, home, temp string) {
	t.Helper()
	environments, err := filepath.Glob("/proc/[0-9]*/environ")
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range environments {
		if env, err := os.ReadFile(p); err == nil && bytes.Contains(env, []byte(home)) {
			t.Errorf("%s is left", filepath.Dir(p))
		}
	}
	if left, err := os.ReadDir(temp); err != nil || len(left) > 0 {
		t.Errorf("temporary files are left: %v, %v", left, err)
	}
	err = filepath.WalkDir(home, func(p string, e fs.DirEntry, err error) error {
		if err == nil && strings.Contains(strings.ToLower(e.Name()), "tmp") {
			t.Errorf("%s is left", p)
		}
		return err
	})
	if err != nil {
		t.Error(err)
	}
}
