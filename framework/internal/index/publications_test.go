package index

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/sagasu-search/sagasu/framework/internal/corpus"
	"github.com/sagasu-search/sagasu/framework/internal/patents/publication"
)

// newShelf returns a folder of publications and an index directory for it; only is the one
// file that belongs to the collection, "" for all.
func newShelf(t *testing.T, only string) (*bench, Options) {
	b := &bench{t, filepath.Join(t.TempDir(), "publications"), filepath.Join(t.TempDir(), "index")}
	b.write("a.jsonl", record("JP2020-000001A")+record("JP2020-000002A"))
	b.write("more/b.jsonl", record("JP2020-000003A"))
	b.write("notes.md", "# no publication\n")
	return b, Options{Live: true, Dir: b.dir, Source: publication.Source{}, Manuals: func(context.Context) ([]corpus.Manual, error) {
		return []corpus.Manual{{ID: "publications", Dir: b.root, Only: only}}, nil
	}}
}

func record(id string) string { return `{"pub_id": "` + id + `", "title": "` + id + `"}` + "\n" }

func openShelf(b *bench, opts Options) *Index {
	b.Helper()
	x, err := Open(opts)
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { x.Close() })
	return x
}

// numbers returns the publications that the index holds, sorted.
func (b *bench) numbers(x *Index) []string {
	b.Helper()
	snap, release := b.acquire(x)
	defer release()
	out := []string{}
	for it := snap.Live().Iterator(); it.HasNext(); {
		sec, _ := snap.Section(it.Next())
		out = append(out, strings.Clone(strings.TrimPrefix(sec.Title, "JP2020-"))) // the snapshot may be unmapped
	}
	slices.Sort(out)
	return out
}

func TestPublicationsFollowTheirFiles(t *testing.T) {
	b, opts := newShelf(t, "")
	x := openShelf(b, opts)
	for _, step := range []struct {
		name string
		do   func()
		want []string
		// refused are the files that lack records, as a process reads them that did not build.
		refused map[string]int
	}{
		{"first", func() {}, []string{"000001A", "000002A", "000003A"}, nil},
		{"a file grows", func() { b.write("more/b.jsonl", record("JP2020-000003A")+record("JP2020-000004A")) }, []string{"000001A", "000002A", "000003A", "000004A"}, nil},
		{"a number that another file has", func() { b.write("c.jsonl", record("特開2020-1")+record("JP2020-000005A")) }, []string{"000001A", "000002A", "000003A", "000004A", "000005A"}, map[string]int{"c.jsonl": 1}},
		{"broken lines", func() { b.write("d.jsonl", "{\n[]\n\n"+record("JP2020-000006A")+"{}\n") }, []string{"000001A", "000002A", "000003A", "000004A", "000005A", "000006A"}, map[string]int{"c.jsonl": 1, "d.jsonl": 3}},
		{"a file is gone", func() { os.Remove(filepath.Join(b.root, "a.jsonl")) }, []string{"000003A", "000004A", "000005A", "000006A"}, map[string]int{"c.jsonl": 1, "d.jsonl": 3}},
		{"its number comes again", func() { b.write("e.jsonl", record("JP2020-000002A")) }, []string{"000002A", "000003A", "000004A", "000005A", "000006A"}, map[string]int{"c.jsonl": 1, "d.jsonl": 3}},
	} {
		step.do()
		if diff := cmp.Diff(step.want, b.numbers(x)); diff != "" {
			t.Fatalf("%s: %s", step.name, diff)
		}
		if diff := cmp.Diff(step.refused, refusedOf(t, opts)); diff != "" {
			t.Fatalf("%s, what was refused: %s", step.name, diff)
		}
	}
	report, err := x.Build(t.Context())
	if err != nil || report.RefusedCount != 3 || len(report.Refused) != 1 || report.Refused[0].Source != "d.jsonl" || report.Refused[0].Line != 1 {
		t.Errorf("refused %d: %+v, %v", report.RefusedCount, report.Refused, err)
	}
	if diff := cmp.Diff([]string{"000002A", "000003A", "000004A", "000005A", "000006A", "特開2020-1"}, b.numbers(x)); diff != "" {
		t.Errorf("built anew, the number that was refused is there: %s", diff)
	}
	if diff := cmp.Diff(map[string]int{"d.jsonl": 3}, refusedOf(t, opts)); diff != "" {
		t.Errorf("built anew, refused: %s", diff)
	}
}

// refusedOf opens an index anew and counts the records that its files lack.
func refusedOf(t *testing.T, opts Options) (files map[string]int) {
	t.Helper()
	x, err := Open(opts)
	if err != nil {
		t.Fatal(err)
	}
	defer x.Close()
	st, err := x.State(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range st.Refused {
		if files == nil {
			files = map[string]int{}
		}
		files[r.First.Source] = r.Count
		if r.First.Line == 0 || r.First.Reason == "" {
			t.Errorf("refused without line or reason: %+v", r)
		}
	}
	return files
}

func TestOneFileOfPublications(t *testing.T) {
	b, opts := newShelf(t, "a.jsonl")
	x := openShelf(b, opts)
	if diff := cmp.Diff([]string{"000001A", "000002A"}, b.numbers(x)); diff != "" {
		t.Error(diff)
	}
	b.write("a.jsonl", record("JP2020-000009A"))
	if diff := cmp.Diff([]string{"000009A"}, b.numbers(x)); diff != "" {
		t.Error(diff)
	}
}

// What does not fit into memory becomes several segments, also of one file, which are published at once
// and not merged again.
func TestPublicationsInParts(t *testing.T) {
	for _, live := range []bool{true, false} {
		b, opts := newShelf(t, "")
		opts.Live = live
		x := openShelf(b, opts)
		x.pace.most = 1
		want := []string{"000001A", "000002A", "000003A"}
		if diff := cmp.Diff(want, b.numbers(x)); diff != "" {
			t.Error(diff)
		}
		report, err := x.Build(t.Context())
		if diff := cmp.Diff(want, b.numbers(x)); err != nil || diff != "" || report.Sections != 3 {
			t.Errorf("built anew: %+v, %v %s", report, err, diff)
		}
		snap, release := b.acquire(x)
		if n := len(snap.Segments()); n != 3 {
			t.Errorf("%d segments, want one per record", n)
		}
		fingerprint := snap.Fingerprint()
		release()
		if err := os.Remove(filepath.Join(b.root, "more", "b.jsonl")); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff([]string{"000001A", "000002A"}, b.numbers(x)); diff != "" {
			t.Errorf("without a file: %s", diff)
		}
		b.write("more/b.jsonl", record("JP2020-000003A"))
		b.write("a.jsonl", record("JP2020-000001A")+record("JP2020-000002A")+record("JP2020-000007A"))
		if diff := cmp.Diff(append(want, "000007A"), b.numbers(x)); diff != "" {
			t.Errorf("with a file that is longer: %s", diff)
		}
		b.write("a.jsonl", record("JP2020-000001A")+record("JP2020-000002A"))
		x.pace.most = 0
		if _, err := x.Build(t.Context()); err != nil {
			t.Fatal(err)
		}
		snap, release = b.acquire(x)
		if n := len(snap.Segments()); n != 1 || snap.Fingerprint() != fingerprint {
			t.Errorf("in %d segments the fingerprint is %s, in three %s", n, snap.Fingerprint(), fingerprint)
		}
		release()
	}
}

// The order in which files come does not matter to the fingerprint, the content does.
func TestTheFingerprintOfPublications(t *testing.T) {
	b, opts := newShelf(t, "")
	x := openShelf(b, opts)
	print := func() string {
		snap, release := b.acquire(x)
		defer release()
		return snap.Fingerprint()
	}
	first := print()
	b.write("c.jsonl", record("JP2020-000008A"))
	second := print()
	os.Remove(filepath.Join(b.root, "c.jsonl"))
	if third := print(); first == second || first != third {
		t.Errorf("fingerprints %s, %s, %s", first, second, third)
	}
}

// A build that starts over takes the records that it had taken, and refuses once.
func TestPublicationsBuiltAgain(t *testing.T) {
	for name, damage := range map[string]func(b *bench){
		"directory removed": func(b *bench) { os.RemoveAll(b.dir) },
		"segments cut":      (*bench).cutSegments,
	} {
		for _, most := range []int64{0, 1} { // in one part, in several
			t.Run(fmt.Sprint(name, most), func(t *testing.T) {
				b, opts := newShelf(t, "")
				x := openShelf(b, opts)
				b.numbers(x)
				b.write("c.jsonl", record("JP2020-000003A")+record("JP2020-000004A"))
				x.pace.most = most
				harmed := false
				report, err := x.exclusive(t.Context(), true, func(p Progress) {
					if p.Phase == PhaseWrite && !harmed {
						harmed = true
						damage(b)
					}
				})
				if err != nil || !harmed || report.RefusedCount != 1 || len(report.Refused) != 1 {
					t.Errorf("harmed %v: %+v, %v", harmed, report, err)
				}
				if diff := cmp.Diff([]string{"000001A", "000002A", "000003A", "000004A"}, b.numbers(x)); diff != "" {
					t.Error(diff)
				}
			})
		}
	}
}
