package index

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/sagasu-search/sagasu/sdk/lexical"
	"github.com/sagasu-search/sagasu/sdk/snapshot"
)

// operation is a change to the files below a root of manuals.
type operation struct {
	kind     string
	at, to   string // below the root
	version  int
	sections int
}

var operations = []string{
	"write", "write", "replace", "replace", "delete", "rename", "rename folder", "rename folder",
	"delete folder", "deep", "touch", "spoil", "rename manual",
}

func genOperation() *rapid.Generator[operation] {
	folder := rapid.SampledFrom([]string{"m0", "m1", "m0/d", "m0/d/e", "m1/d", "m2", "m0/x", "m1/d/y/z"})
	file := rapid.SampledFrom([]string{"f0.md", "f1.md", "f2.md", "f3.json"})
	return rapid.Custom(func(t *rapid.T) operation {
		o := operation{
			kind: rapid.SampledFrom(operations).Draw(t, "kind"), version: rapid.IntRange(1, 99).Draw(t, "version"),
			sections: rapid.IntRange(1, 4).Draw(t, "sections"),
		}
		o.at, o.to = folder.Draw(t, "at"), folder.Draw(t, "to")
		switch o.kind {
		case "rename folder", "delete folder":
		case "rename manual":
			o.at, o.to, _ = "m2", "m3", 0
		default:
			o.at, o.to = o.at+"/"+file.Draw(t, "file"), o.to+"/"+file.Draw(t, "other")
		}
		return o
	})
}

// text returns the content of a version of a file: every section shows which, and
// how many sections there are.
func (o operation) text() string {
	var b strings.Builder
	for i := range o.sections {
		fmt.Fprintf(&b, "# Part %d\nversion%d of%d word%d\n", i, o.version, o.sections, o.version%7)
	}
	return b.String()
}

// apply may fail as files come and go.
func (o operation) apply(root string) {
	at, to := filepath.Join(root, o.at), filepath.Join(root, o.to)
	switch o.kind {
	case "write":
		os.MkdirAll(filepath.Dir(at), 0o700)
		os.WriteFile(at, []byte(o.text()), 0o600)
	case "replace":
		os.MkdirAll(filepath.Dir(at), 0o700)
		os.WriteFile(at+".tmp", []byte(o.text()), 0o600)
		os.Rename(at+".tmp", at)
	case "deep":
		deep := filepath.Join(filepath.Dir(at), "new", "er", "est")
		os.MkdirAll(deep, 0o700)
		os.WriteFile(filepath.Join(deep, filepath.Base(at)), []byte(o.text()), 0o600)
	case "delete":
		os.Remove(at)
	case "delete folder":
		os.RemoveAll(at)
	case "touch":
		os.Chtimes(at, time.Time{}, time.Now().Add(-time.Hour))
	case "spoil":
		if _, err := os.Stat(at); err == nil {
			os.WriteFile(at, []byte("a\x00b"), 0o600)
		}
	default: // the renames
		os.MkdirAll(filepath.Dir(to), 0o700)
		os.Rename(at, to)
	}
}

// view is all that a search can see of a snapshot.
type view struct {
	Fingerprint string
	Pending     int
	Sections    []string
	Hits        map[string][]string
}

func viewOf(t testing.TB, snap *snapshot.Snapshot) view {
	v := view{Fingerprint: snap.Fingerprint(), Pending: snap.Manifest().Pending, Hits: map[string][]string{}}
	for it := snap.Live().Iterator(); it.HasNext(); {
		id := it.Next()
		s, _ := snap.Section(id)
		v.Sections = append(v.Sections, fmt.Sprintf("%s/%s#%d-%d %s|%s", s.Group, s.Path, s.Start, s.End, snap.Source(id, 0), snap.Source(id, 1)))
	}
	slices.Sort(v.Sections)
	for _, word := range []string{"word1", "word2", "version7", "of3", "part", "d"} {
		q := lexical.Query{Terms: []lexical.Term{{Text: word, Weight: 1}}, Share: []float64{1}}
		found := lexical.Search(t.Context(), snap, nil, q, lexical.Params{K1: 0.5, Weight: []float64{1, 1, 1}, B: []float64{0.5, 0.5, 0}}, 1000)
		for _, h := range found.Hits {
			s, _ := snap.Section(h.Section)
			v.Hits[word] = append(v.Hits[word], fmt.Sprintf("%.9f %s/%s#%d", h.Score, s.Group, s.Path, s.Start))
		}
		slices.Sort(v.Hits[word]) // ties are in the order of ids, which may differ
	}
	return v
}

// anew returns the view of an index built from scratch.
func (b *bench) anew() view {
	b.Helper()
	opts := b.options()
	opts.Dir, opts.Live = b.TempDir(), false
	x, err := Open(opts)
	if err != nil {
		b.Fatal(err)
	}
	defer x.Close()
	if _, err := x.Build(b.Context()); err != nil {
		b.Fatal(err)
	}
	return b.view(x)
}

// view acquires as a search does.
func (b *bench) view(x *Index) view {
	b.Helper()
	snap, release, err := x.acquire(b.Context())
	if err != nil {
		b.Fatal(err)
	}
	defer release()
	return viewOf(b, snap)
}

// settles waits until x shows what an index built from scratch does.
func (b *bench) settles(x *Index) {
	b.Helper()
	want := b.anew()
	diff := "not tried"
	for limit := time.Now().Add(20 * time.Second); diff != "" && time.Now().Before(limit); time.Sleep(5 * time.Millisecond) {
		diff = cmp.Diff(want, b.view(x))
	}
	if diff != "" {
		b.Fatalf("the index does not follow (-anew +followed):\n%s", diff)
	}
}

// checkWhole checks that every file is there in one version, with all its
// sections.
func checkWhole(t testing.TB, snap *snapshot.Snapshot) {
	type shown struct{ version, sections, count int }
	files := map[string]shown{}
	for it := snap.Live().Iterator(); it.HasNext(); {
		id := it.Next()
		s, ok := snap.Section(id)
		if !ok {
			t.Errorf("section %d of %s is not there", id, snap.Name())
		}
		var version, of int
		if n, _ := fmt.Sscanf(snap.Source(id, 1), "version%d of%d", &version, &of); n < 2 || s.Node == snapshot.NodeJSON {
			continue // empty while it is being written
		}
		f, again := files[s.Group+"/"+s.Path]
		if again && (f.version != version || f.sections != of) {
			t.Errorf("%s shows %s/%s in two versions", snap.Name(), s.Group, s.Path)
		}
		files[s.Group+"/"+s.Path] = shown{version, of, f.count + 1}
	}
	for path, f := range files {
		if f.count != f.sections {
			t.Errorf("%s shows %d of %d sections of %s", snap.Name(), f.count, f.sections, path)
		}
	}
	if err := snap.Err(); err != nil {
		t.Error(err)
	}
}

// searching searches until the returned function is called.
func searching(t testing.TB, x *Index) (stop func()) {
	ctx, cancel := context.WithCancel(t.Context())
	var wg sync.WaitGroup
	wg.Go(func() {
		for ctx.Err() == nil {
			snap, release, err := x.acquire(ctx)
			if err != nil {
				if !errors.Is(err, context.Canceled) {
					t.Error(err)
				}
				return
			}
			checkWhole(t, snap)
			release()
			time.Sleep(time.Millisecond)
		}
	})
	return func() { cancel(); wg.Wait() }
}

// follows applies random operations while two hosts search, and waits for both
// to show what an index built from scratch does.
func follows(t *testing.T, seed, most int) {
	b := newBench(t)
	x, y := b.open(), b.open()
	stopX, stopY := searching(t, x), searching(t, y)
	for i, o := range rapid.SliceOfN(genOperation(), most/2, most).Example(seed) {
		o.apply(b.root)
		if i%3 == 0 {
			time.Sleep(time.Duration(seed%5) * 10 * time.Millisecond)
		}
	}
	stopX()
	stopY()
	b.settles(x)
	b.settles(y)
}

func TestFollowsRandomChanges(t *testing.T) {
	for seed := range 10 {
		t.Run(fmt.Sprint(seed), func(t *testing.T) { follows(t, seed, 40) })
	}
}

func TestFollowsTheTraps(t *testing.T) {
	for name, steps := range map[string][]func(b *bench){
		"files in new nested folders": {
			func(b *bench) { b.write("a/n/e/s/t/deep.md", "deep") },
			func(b *bench) { b.write("a/n/e/s/t/deep.md", "deeper") },
		},
		"files in a renamed folder": {
			func(b *bench) { b.rename("a/sub", "a/other") },
			func(b *bench) { b.write("a/other/two.md", "edited") },
			func(b *bench) { b.rename("a/other", "b/sub") },
			func(b *bench) { b.write("b/sub/two.md", "edited again") },
			func(b *bench) { b.rename("b/sub", "a/sub"); b.write("a/sub/two.md", "back") },
		},
		"folders change places": {
			func(b *bench) { b.write("a/x/k/f.md", "one"); b.write("a/y/k/f.md", "two") },
			func(b *bench) { b.rename("a/x", "a/z"); b.rename("a/y", "a/x"); b.rename("a/z", "a/y") },
			func(b *bench) { b.write("a/x/k/f.md", "three") },
			func(b *bench) { b.write("a/y/k/f.md", "four") },
		},
		"atomic replacement": {
			func(b *bench) { b.write("a/one.md.tmp", "replaced"); b.rename("a/one.md.tmp", "a/one.md") },
			func(b *bench) { b.write("a/one.md.tmp", "replaced twice"); b.rename("a/one.md.tmp", "a/one.md") },
		},
		"names change only their case": {
			func(b *bench) { b.rename("a/one.md", "a/x"); b.rename("a/x", "a/One.md") },
			func(b *bench) { b.write("a/One.md", "edited") },
			func(b *bench) { b.rename("a/sub", "a/x"); b.rename("a/x", "a/Sub") },
			func(b *bench) { b.write("a/Sub/two.md", "edited") },
		},
		"a manual comes and goes": {
			func(b *bench) { b.write("c/new.md", "new manual") },
			func(b *bench) { b.write("c/new.md", "edited manual") },
			func(b *bench) { b.rename("c", "d") },
			func(b *bench) { b.write("d/new.md", "edited after renaming") },
			func(b *bench) { os.RemoveAll(filepath.Join(b.root, "d")) },
		},
		"another root in its place": {
			func(b *bench) {
				b.write("../next/e/f.md", "another")
				b.rename(".", "../last")
				b.rename("../next", ".")
			},
			func(b *bench) { b.write("e/f.md", "edited") },
		},
		"a file becomes a folder and a link": {
			func(b *bench) { os.Remove(filepath.Join(b.root, "a/one.md")); b.write("a/one.md/in.md", "inner") },
			func(b *bench) {
				os.RemoveAll(filepath.Join(b.root, "a/one.md"))
				os.Symlink("sub/two.md", filepath.Join(b.root, "a/one.md"))
			},
		},
		"a folder leaves": {
			func(b *bench) { b.rename("a/sub", "../outside") },
			func(b *bench) { b.write("../outside/two.md", "not ours"); b.write("a/one.md", "ours") },
			func(b *bench) { b.rename("../outside", "a/back") },
		},
	} {
		t.Run(name, func(t *testing.T) {
			b := newBench(t)
			x := b.open()
			b.view(x)
			for _, step := range steps {
				step(b)
				b.settles(x)
			}
			if !b.watches(x) {
				t.Error("not followed by watching")
			}
		})
	}
}

func (b *bench) rename(from, to string) {
	b.Helper()
	if err := os.Rename(filepath.Join(b.root, from), filepath.Join(b.root, to)); err != nil {
		b.Fatal(err)
	}
}
