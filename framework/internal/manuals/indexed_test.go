package manuals

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/sagasu-search/sagasu/framework/internal/corpus"
	"github.com/sagasu-search/sagasu/framework/internal/host"
	"github.com/sagasu-search/sagasu/framework/internal/index"
	"github.com/sagasu-search/sagasu/framework/internal/module"
	"github.com/sagasu-search/sagasu/framework/internal/toolset"
)

// indexedModule returns a module over files, by manual and path, that has read its index.
func indexedModule(t *testing.T, files map[string]string) (*Module, string) {
	t.Helper()
	dir := WriteFiles(t, files)
	list := func(context.Context) ([]corpus.Manual, error) { return corpus.Manuals(dir, nil) }
	x, err := index.Open(index.Options{Dir: filepath.Join(t.TempDir(), "index"), Source: corpus.ManualSource{}, Manuals: list})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { x.Close() })
	m := &Module{env: &module.Env{Strategies: &host.Host{}}, index: x, indexed: func() {}}
	m.Library = New(Options{Manuals: list, Snapshot: x.Peek})
	v, err := m.View(t.Context(), 0)
	if err != nil {
		t.Fatal(err)
	}
	v.Release()
	return m, dir
}

// sieved are files in which lines differ from what the index shows of them, and others.
var sieved = map[string]string{
	"m/plain.md":    "# Alpha beta\n\nThe disk is full.\n\n## Gamma\n\nサーバを再起動する。\n",
	"m/markup.md":   "# *Alpha* `beta`\n\nSee [x](hidden.md).\n\n## [Title](target.md) #\n\nRAID\n",
	"m/setext.md":   "Alpha\n=====\n\nBody of setext\n\nBeta\n----\nmore\n",
	"m/front.md":    "---\ntags: secret\n---\n# Alpha\n\nbody\n",
	"m/frontpre.md": "---\ntags: secret\n---\npreamble\n# Alpha\nbody\n",
	"m/blank.md":    "  \n\n# Alpha\nbody\n",
	"m/bom.md":      "\ufeff# Alpha\nbody\n",
	"m/id.md":       "# Alpha {#anchor}\nbody\n",
	"m/tab.md":      "#\tAlpha\nbody &amp; soul\n",
	"m/entity.md":   "# R&amp;D \\* x\nbody\n",
	"m/crlf.md":     "# Alpha\r\nbody\r\n## Beta\r\n",
	"m/none.md":     "no heading, disk\n",
	"m/a.json":      `{"key": "\u8fd4\u91d1", "n": 1}`,
	"m/b.json":      "{\n  \"key\": \"返金\"\n}\n",
	"n/plain.md":    "# Delta\n\nnothing of it\n",
	"n/empty.md":    "",
}

// What the index leaves out holds no line that matches, whatever is searched for; what it leaves out
// is most of what does not match.
func TestSieveLosesNothing(t *testing.T) {
	m, _ := indexedModule(t, sieved)
	snap, release := m.index.Peek()
	defer release()
	all := []string{}
	for _, src := range sieved {
		all = append(all, strings.FieldsFunc(src, func(r rune) bool { return r == '\n' || r == '\r' })...)
	}
	out := 0
	rapid.Check(t, func(t *rapid.T) {
		src := rapid.SampledFrom(all).Draw(t, "line")
		from := rapid.IntRange(0, len(src)-1).Draw(t, "from")
		literal := src[from:rapid.IntRange(from+1, len(src)).Draw(t, "to")]
		left := newSieve(t.Context(), snap, []string{literal})
		for f := range left {
			if strings.Contains(sieved[f.manual+"/"+f.path], literal) {
				t.Fatalf("%v is left out and holds %q", f, literal)
			}
		}
		out += len(left)
	})
	if out == 0 {
		t.Error("nothing is ever left out")
	}
}

// A search finds the same with an index and without, also where files changed since.
func TestSearchIsTheSameWithAnIndex(t *testing.T) {
	m, dir := indexedModule(t, sieved)
	time.Sleep(2100 * time.Millisecond) // a file that changed just before it was read is not trusted
	if _, err := m.index.Build(t.Context()); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "n", "plain.md"), []byte("# Delta\n\nAlpha of late\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	bare := New(Options{Manuals: m.Library.options.Manuals})
	narrowed := false
	for _, tc := range [][2]string{
		{"plain", "Alpha"}, {"plain", "secret"}, {"plain", "hidden"}, {"plain", "#anchor"}, {"plain", "# Alpha"}, {"plain", "===="}, {"plain", "返金"},
		{"plain", `\u8fd4`}, {"plain", "of late"}, {"plain", "zzz"}, {"regex", "Al(pha|beta)"}, {"regex", "(?i)alpha"}, {"regex", "disk|secret"},
		{"regex", "^$"}, {"regex", "b.*y"}, {"loose", "alphabeta"}, {"loose", "ｻｰﾊﾞ"}, {"regex", "&amp;"}, {"plain", "\ufeff"},
	} {
		args := SearchArgs{Mode: tc[0], Query: tc[1], Limit: 1000}
		want, err := bare.Search(t.Context(), args)
		if err != nil {
			t.Fatal(err)
		}
		got, err := m.Search(t.Context(), args)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s %q (-without +with an index):\n%s", tc[0], tc[1], diff)
		}
		files, _, err := corpus.Walk(t.Context(), corpus.Manual{ID: "m", Dir: filepath.Join(dir, "m")})
		if err != nil {
			t.Fatal(err)
		}
		s := m.sieve(t.Context(), corpus.Required(tc[0], tc[1]))
		for _, f := range files {
			_, passes := s.passes(f)
			narrowed = narrowed || !passes
		}
	}
	if !narrowed {
		t.Error("the index narrows nothing")
	}
}

func TestRequired(t *testing.T) {
	for query, want := range map[string][]string{
		`ERR-\d+`: {"ERR-"}, `(?i)err`: nil, `a|b`: nil, `aa|bb`: {"aa", "bb"}, `abc|abd`: {"ab"}, `x*`: nil, `(foo)+bar?`: {"foo"}, `.*`: nil, `a(longer|x)b`: {"a"},
		`第\d条|別表`: {"第", "別表"}, `[ab]c`: {"c"}, `a{3}`: {"a"}, `(a|b*)c`: {"c"},
	} {
		got := corpus.Required(corpus.ModeRegex, query)
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s: %s", query, diff)
		}
	}
}

// A search that is out of time gives what it has and says so.
func TestSearchEndsInTime(t *testing.T) {
	m, _ := indexedModule(t, map[string]string{"m/a.md": strings.Repeat("disk\n", 1000)})
	l := New(Options{Manuals: m.Library.options.Manuals, SearchTime: time.Nanosecond})
	got, err := l.Search(t.Context(), SearchArgs{Mode: corpus.ModeRegex, Query: ".*", Limit: 5})
	if err != nil || got.TruncatedReason != reasonTime || !got.Truncated {
		t.Errorf("%+v, %v", got, err)
	}
}

// FuzzSearch checks that arguments of manual_search are refused by name or answered with lines that
// match, within limit and max_tokens.
func FuzzSearch(f *testing.F) {
	for _, seed := range []string{
		`{"query":"disk"}`, `{"query":"(","mode":"regex"}`, `{"query":".*","mode":"regex","limit":3,"max_tokens":100}`, `{"query":"・","mode":"loose"}`,
		`{"query":"RAID 1","mode":"loose","context":5,"max_tokens":"130"}`, `{"query":"a","glob":"[","manual_id":".."}`, `{"query":"","offset":-1}`,
		`{"query":"(a{500}){500}","mode":"regex"}`, `{"query":"\n","context":1}`, `{"query":"e","offset":3,"limit":1}`,
	} {
		f.Add(seed)
	}
	dir := f.TempDir()
	for name, content := range sieved {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if os.MkdirAll(filepath.Dir(path), 0o700) != nil || os.WriteFile(path, []byte(content), 0o600) != nil {
			f.Fatal(path)
		}
	}
	l := New(Options{Manuals: func(context.Context) ([]corpus.Manual, error) { return corpus.Manuals(dir, nil) }})
	f.Fuzz(func(t *testing.T, raw string) {
		given, bad := toolset.ParseArguments([]byte(raw))
		if bad != nil {
			return
		}
		args, err := toolset.Decode[SearchArgs](given)
		if err != nil {
			return
		}
		got, err := l.Search(t.Context(), args)
		if err != nil {
			if e := toolset.AsError(err); e.Code == toolset.Internal || e.Details["parameter"] == nil {
				t.Fatalf("%s: %v %v", raw, err, e.Details)
			}
			return
		}
		if args.MaxTokens != nil && toolset.Cost(got) > *args.MaxTokens || len(got.Results) > args.Limit {
			t.Errorf("%s: %d rows, %d tokens", raw, len(got.Results), toolset.Cost(got))
		}
		match, err := corpus.NewMatcher(args.Mode, args.Query)
		if err != nil {
			t.Fatal(err)
		}
		for _, r := range got.Results {
			src := sieved[r.ManualID+"/"+r.Path]
			if from, _ := match(t.Context(), corpus.NewLines([]byte(src)).Text([]byte(src), r.Line)); from < 0 {
				t.Errorf("%s: %+v does not match", raw, r)
			}
		}
	})
}

// The rows of the index say which of them show less than their lines.
func TestAltered(t *testing.T) {
	want := map[string]bool{
		"m/plain.md": false, "m/markup.md": true, "m/setext.md": true, "m/front.md": true, "m/frontpre.md": false, "m/blank.md": true,
		"m/bom.md": true, "m/id.md": true, "m/tab.md": true, "m/entity.md": true, "m/crlf.md": false, "m/none.md": false,
		"m/a.json": true, "m/b.json": false, "n/plain.md": false, "n/empty.md": false,
	}
	for name, src := range sieved {
		altered := slices.ContainsFunc(corpus.Cut(name, []byte(src)), func(s corpus.Section) bool { return s.Altered })
		if altered != want[name] {
			t.Errorf("%s: altered %v", name, altered)
		}
	}
}

// unread are documents that cannot be read, but for what is kept of them by now.
type unread struct{ kept map[string]string }

func (unread) Reads(name string) bool { return strings.HasSuffix(name, ".doc") }

func (unread) Version() string { return "" }

func (unread) Read(_ context.Context, d corpus.Stored) (corpus.File, error) {
	return corpus.File{}, toolset.Errorf(toolset.NotAvailable, "not read").With("reason", d.Path+" is given up")
}

func (u *unread) Kept(name string, _ [32]byte) (corpus.File, string) {
	if failed, ok := u.kept[name]; ok {
		return corpus.File{Path: name}, failed
	}
	return corpus.File{}, ""
}

// A listing names what the index names, also in a process that has not searched, unless more is kept by now, and what
// no search has seen.
func TestLsNamesWhatIsNotIndexed(t *testing.T) {
	dir := WriteFiles(t, map[string]string{"m/a.md": "# A\n", "m/now.doc": "x", "m/known.doc": "y", "m/read.doc": "z"})
	u := &unread{}
	o := index.Options{Dir: filepath.Join(t.TempDir(), "index"), Source: corpus.ManualSource{Documents: u},
		Manuals: func(context.Context) ([]corpus.Manual, error) { return corpus.Manuals(dir, u) }}
	const given, yet = "now.doc is given up", corpus.NotConverted
	for _, tc := range []struct {
		what string
		do   func(x *index.Index)
		want map[string]string
	}{
		{"before a search", func(*index.Index) {}, map[string]string{"now.doc": yet, "known.doc": yet, "read.doc": yet}},
		{"after one", func(x *index.Index) {
			if _, err := x.Build(t.Context()); err != nil {
				t.Fatal(err)
			}
			u.kept = map[string]string{"known.doc": "it is encrypted", "read.doc": ""}
		}, map[string]string{"now.doc": given, "known.doc": "it is encrypted"}},
		{"in another process, with a new document", func(*index.Index) {
			if err := os.WriteFile(filepath.Join(dir, "m", "new.doc"), nil, 0o600); err != nil {
				t.Fatal(err)
			}
		}, map[string]string{"now.doc": given, "known.doc": "it is encrypted", "new.doc": yet}},
	} {
		x, err := index.Open(o)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { x.Close() })
		tc.do(x)
		got, err := New(Options{Manuals: o.Manuals, Files: x.Files}).Ls(t.Context(), LsArgs{ID: "m"})
		if err != nil {
			t.Fatal(err)
		}
		skipped := map[string]string{}
		for _, item := range got.Items {
			if item.Skipped != "" {
				skipped[item.Name] = item.Skipped
			}
		}
		if diff := cmp.Diff(tc.want, skipped); diff != "" {
			t.Errorf("%s: %s", tc.what, diff)
		}
	}
}
