package manuals

import (
	"context"
	"fmt"
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
	"github.com/sagasu-search/sagasu/framework/internal/rootfs"
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

var linkedFiles = map[string]string{
	"m/a.md": "# 規約\n\n## 第1条（手数料）\n\n手数料は別表1のとおり。[料金](b.md#別表1)も見る。\n[gone](gone.md)、[lost](lost.md) と [図](x.png)\n\n" +
		"```\n[code](b.md)\n```\n\n### 細則\n\n第2条による。\n\n## 第2条（返金）\n\n前条による。\n",
	"m/b.md": "# 別表1\n\n| 円 |\n\n# Refunds\n\nSee \"第1条（手数料）\".\n",
	"n/c.md": "# Other\n\n[rule](../m/a.md#第1条手数料) 第2条\n",
}

// told returns a row in short.
func told(rows []LinkRow) (out []string) {
	for _, r := range rows {
		other := "broken " + r.Target
		if !r.Broken {
			other = fmt.Sprintf("%s/%s:%d %s", r.Ref.ManualID, r.Ref.Path, r.Ref.StartLine, r.Breadcrumb)
		}
		out = append(out, fmt.Sprintf("%s %s %d %s", r.Direction, r.How, r.Line, other))
	}
	return out
}

func TestLinks(t *testing.T) {
	m, _ := indexedModule(t, linkedFiles)
	line := func(n int) *int { return &n }
	out := []string{"out link 5 m/b.md:1 別表1", "out link 6 broken gone.md", "out link 6 broken lost.md", "out number 14 m/a.md:16 規約 > 第2条（返金）"}
	in := []string{"in number 18 m/a.md:16 規約 > 第2条（返金）", "in title 7 m/b.md:5 Refunds", "in link 3 n/c.md:1 Other"}
	for name, tc := range map[string]struct {
		args  LinksArgs
		want  []string
		total int
		next  int
	}{
		"both":    {LinksArgs{Ref: Ref{ManualID: "m", Path: "a.md", StartLine: line(3)}}, append(out[:4:4], in...), 7, 0},
		"out":     {LinksArgs{Ref: Ref{ManualID: "m", Path: "a.md", StartLine: line(5)}, Direction: "out"}, out, 4, 0},
		"in":      {LinksArgs{Ref: Ref{ManualID: "m", Path: "a.md", StartLine: line(3)}, Direction: "in"}, in, 3, 0},
		"page":    {LinksArgs{Ref: Ref{ManualID: "m", Path: "a.md", StartLine: line(3)}, Offset: 1, Limit: 2}, out[1:3], 7, 3},
		"moved":   {LinksArgs{Ref: Ref{ManualID: "m", Path: "a.md", StartLine: line(1), Title: "第1条（手数料）"}, Direction: "in"}, in, 3, 0},
		"nothing": {LinksArgs{Ref: Ref{ManualID: "n", Path: "c.md"}, Direction: "in"}, nil, 0, 0},
	} {
		if tc.args.Limit == 0 {
			tc.args.Limit = 50
		}
		if tc.args.Direction == "" {
			tc.args.Direction = "both"
		}
		got, err := m.Links(t.Context(), tc.args)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if diff := cmp.Diff(tc.want, told(got.Results)); diff != "" || got.Total != tc.total || deref(got.NextOffset) != tc.next || got.Truncated != (tc.next > 0) {
			t.Errorf("%s: total %d, next %v, %s\n%s", name, got.Total, got.NextOffset, got.TruncatedReason, diff)
		}
	}
	for name, tc := range map[string]struct {
		ref       Ref
		code      toolset.Code
		parameter string
	}{
		"manual": {Ref{ManualID: "x", Path: "a.md"}, toolset.NotFound, "ref.manual_id"},
		"path":   {Ref{ManualID: "m", Path: rootfs.Path("x.md")}, toolset.NotFound, "ref.path"},
		"line":   {Ref{ManualID: "m", Path: "a.md", StartLine: line(99)}, toolset.InvalidParameter, "ref.start_line"},
		"title":  {Ref{ManualID: "m", Path: "a.md", StartLine: line(3), Title: "gone"}, toolset.Conflict, "ref.title"},
	} {
		_, err := m.Links(t.Context(), LinksArgs{Ref: tc.ref, Direction: "both", Limit: 50})
		if bad := toolset.AsError(err); bad.Code != tc.code || bad.Details["parameter"] != tc.parameter {
			t.Errorf("%s: %v %v", name, err, bad.Details)
		}
	}
}

// Labels of reStructuredText and of AsciiDoc are those of the text below them.
func TestLinksFollowLabels(t *testing.T) {
	m, _ := indexedModule(t, map[string]string{
		"m/index.rst": "Guide\n=====\n\nSee :ref:`costs <The  Fees>`, :ref:`inside`, :doc:`in/fees` and :ref:`top`.\n" +
			"Neither :ref:`gone` nor :doc:`gone` nor `fees <https://example.org>`_.\n",
		"m/in/fees.rst": ".. _top:\n.. _first:\n\nCosts\n=====\n\ntext\n\n.. _`the fees`:\n\nFees\n----\n\ntext\n\n.. _inside:\n\nmore text\n",
		"m/a.adoc":      "= Book\n\nSee <<limits,the limits>>, xref:b.adoc#far[far] and <<_book>>.\n\n[[limits]]\n== Bounds\n\ntext\n",
		"m/b.adoc":      "= Other\n\nxref:a.adoc[all]\n\n[#far,role=x]\n== Far away\n\ntext\n",
		"n/other.rst":   ".. _gone:\n\nOther\n=====\n",
	})
	for path, want := range map[string][]string{
		"index.rst":   {"out link 4 m/in/fees.rst:11 Costs > Fees", "out link 4 m/in/fees.rst:4 Costs"},
		"in/fees.rst": {"in link 4 m/index.rst:1 Guide", "in link 4 m/index.rst:1 Guide"},
		"a.adoc":      {"out link 3 m/b.adoc:6 Other > Far away", "in link 3 m/b.adoc:1 Other"},
	} {
		got, err := m.Links(t.Context(), LinksArgs{Ref: Ref{ManualID: "m", Path: rootfs.Path(path)}, Direction: "both", Limit: 50})
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, told(got.Results)); diff != "" {
			t.Errorf("%s: %s", path, diff)
		}
	}
}

// Anchors that headings give themselves are those of their file, and go before titles.
func TestLinksFollowAnchors(t *testing.T) {
	m, _ := indexedModule(t, map[string]string{
		"m/a.md": "\ufeff# 案内 {#top}\n\nSee [x](b.mdx#keep), [y](b#fees), [z](#limits).\n\n# 制限 {/*limits*/}\n\nSee [t](#top).\n",
		"m/b.mdx": "# Other {#fees}\n\nSee [limits](#limits), [both](#keep).\n\n# Keep\n\ntext\n\n# 保存 {: #keep }\n\ntext\n\n" +
			"# Limits\n\ntext\n",
		"m/c.md": "<h2 id=\"one\">料金</h2>\n\n[x](#two)\n\n<h2 class=n id=two>Late <i>fees</i></h2>\n\ntext\n",
	})
	for _, tc := range []struct {
		path rootfs.Path
		line int
		want []string
	}{
		{"a.md", 1, []string{"out link 3 m/b.mdx:9 保存", "out link 3 m/b.mdx:1 Other", "out link 3 m/a.md:5 制限"}},
		{"a.md", 5, []string{"out link 7 m/a.md:1 案内"}},
		{"b.mdx", 1, []string{"out link 3 m/b.mdx:13 Limits", "out link 3 m/b.mdx:9 保存"}},
		{"c.md", 1, []string{"out link 3 m/c.md:5 Late fees"}},
	} {
		ref := Ref{ManualID: "m", Path: tc.path, StartLine: &tc.line}
		got, err := m.Links(t.Context(), LinksArgs{Ref: ref, Direction: "out", Limit: 50})
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(tc.want, told(got.Results)); diff != "" {
			t.Errorf("%s:%d: %s", tc.path, tc.line, diff)
		}
	}
}

// Links in HTML and in components are links, also from another manual.
func TestLinksFollowHTML(t *testing.T) {
	m, _ := indexedModule(t, map[string]string{
		"m/a.md":  "# A\n\ntext\n",
		"n/b.mdx": "# B\n\n<Card title=\"A\" href=\"../m/a.md\" />\n",
	})
	line := 1
	got, err := m.Links(t.Context(), LinksArgs{Ref: Ref{ManualID: "m", Path: "a.md", StartLine: &line}, Direction: "in", Limit: 50})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"in link 3 n/b.mdx:1 B"}, told(got.Results)); diff != "" {
		t.Error(diff)
	}
}

// A site leaves out the numbers that put files in order, and names that repeat their folder's.
func TestLinksFollowRoutes(t *testing.T) {
	m, _ := indexedModule(t, map[string]string{
		"m/docs/010_guide/020_login/020_login.md": "# Log in\n\nSee [a](/guide/keys#make), [b](/guide/fees/), [c](/guide/login/login), [d](/none), " +
			"[e](/2024-10-25-news), [f](../keys).\n",
		"m/docs/010_guide/030-Keys.md":        "# Keys\n\ntext\n\n## Make\n\ntext\n",
		"m/docs/010_guide/4. fees/README.md":  "# Fees\n\ntext\n",
		"m/docs/2024-10-25-news.md":           "# News\n\ntext\n",
		"other/docs/010_guide/010_keys.md":    "# No\n",
		"m/docs/010_guide/050_login/index.md": "# Also\n",
	})
	line := 1
	ref := Ref{ManualID: "m", Path: "docs/010_guide/020_login/020_login.md", StartLine: &line}
	got, err := m.Links(t.Context(), LinksArgs{Ref: ref, Direction: "out", Limit: 50})
	if err != nil {
		t.Fatal(err)
	}
	want := []string{
		"out link 3 m/docs/010_guide/030-Keys.md:5 Keys > Make", "out link 3 m/docs/010_guide/4. fees/README.md:1 Fees",
		"out link 3 m/docs/2024-10-25-news.md:1 News", "out link 3 m/docs/010_guide/030-Keys.md:1 Keys",
	}
	if diff := cmp.Diff(want, told(got.Results)); diff != "" {
		t.Error(diff)
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
