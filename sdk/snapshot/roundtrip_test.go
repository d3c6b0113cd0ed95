package snapshot

import (
	"bytes"
	"maps"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/RoaringBitmap/roaring/v2"
	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/sagasu-search/sagasu/sdk/text"
)

func TestRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		fields := rapid.IntRange(1, 3).Draw(t, "fields")
		files := genFiles(fields).Draw(t, "files")
		g, err := openSegment("x.seg", segmentBytes(t, fields, files), true)
		if err != nil {
			t.Fatal(err)
		}
		s := &Snapshot{segments: []*Segment{g}, bound: g.Len(), live: roaring.New()}
		s.live.AddRange(0, uint64(g.Len()))
		checkSections(t, s, flatten(files))
		checkPostings(t, s, flatten(files))
		checkKeywords(t, s, flatten(files))
		checkStarts(t, s)
		if diff := cmp.Diff(fileRows(files), slices.Collect(s.Files())); diff != "" {
			t.Fatalf("files (-want +got):\n%s", diff)
		}
		if err := s.Err(); err != nil {
			t.Fatal(err)
		}
	})
}

func segmentBytes(t *rapid.T, fields int, files []file) []byte {
	var out bytes.Buffer
	if _, _, err := fill(schemaOf(fields), files).write(&out); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

func fileRows(files []file) []File {
	var out []File
	for _, f := range files {
		out = append(out, f.File)
	}
	return out
}

func checkSections(t *rapid.T, s *Snapshot, docs []doc) {
	if int(s.Bound()) != len(docs) {
		t.Fatalf("Bound = %d, want %d", s.Bound(), len(docs))
	}
	sums := map[int]float64{}
	for id, d := range docs {
		got, ok := s.Section(uint32(id))
		if diff := cmp.Diff(d.Section, got); !ok || diff != "" {
			t.Fatalf("Section(%d) (-want +got):\n%s", id, diff)
		}
		for f, src := range d.texts {
			length := s.Segments()[0].Lengths(f)[id]
			sums[f] += float64(length)
			if s.Source(uint32(id), f) != src || s.Normalized(uint32(id), f) != text.Normalize(src).Norm {
				t.Fatalf("texts of %d, field %d differ", id, f)
			}
			if want := naiveLength(src); length != want {
				t.Fatalf("length of %q = %d, want %d", src, length, want)
			}
		}
	}
	for f, sum := range sums {
		if got := s.AvgLen(f); got != sum/float64(len(docs)) {
			t.Fatalf("AvgLen(%d) = %v", f, got)
		}
	}
	if _, ok := s.Section(s.Bound()); ok {
		t.Fatal("a section beyond the bound")
	}
}

// postingsOf returns the entries of a whole list.
func postingsOf(s *Snapshot, term string) map[uint32][]uint8 {
	out := map[uint32][]uint8{}
	var p Postings
	for _, g := range s.Segments() {
		if !g.Postings(term, &p) {
			continue
		}
		for p.Next() {
			for i, d := range p.Docs {
				row := make([]uint8, p.Fields())
				for f := range row {
					row[f] = p.Freq(f, i)
				}
				out[g.Base()+d] = row
			}
		}
	}
	return out
}

func checkPostings(t *rapid.T, s *Snapshot, docs []doc) {
	want := naive(docs)
	got := maps.Collect(s.Terms(""))
	if len(got) != len(want) {
		t.Fatalf("%d terms, want %d", len(got), len(want))
	}
	for term, row := range want {
		if got[term] != len(row) || s.DocFreq(term) != len(row) {
			t.Fatalf("DocFreq(%q) = %d, Terms %d, want %d", term, s.DocFreq(term), got[term], len(row))
		}
		if diff := cmp.Diff(row, postingsOf(s, term)); diff != "" {
			t.Fatalf("postings of %q (-want +got):\n%s", term, diff)
		}
	}
	if s.DocFreq("no such term") != 0 {
		t.Fatal("an absent term has sections")
	}
}

// checkStarts compares the result for every other section with the rows.
func checkStarts(t *rapid.T, s *Snapshot) {
	type row struct {
		Group, Path string
		Line        int
	}
	var want, got []row
	some := roaring.New()
	for it := s.Live().Iterator(); it.HasNext(); {
		if id := it.Next(); id%2 == 0 {
			some.Add(id)
			sec, _ := s.Section(id)
			want = append(want, row{sec.Group, sec.Path, sec.Start})
			if f, ok := s.FileOf(id); !ok || f.Group != sec.Group || f.Path != sec.Path {
				t.Errorf("section %d of %s/%s lies in %s/%s", id, sec.Group, sec.Path, f.Group, f.Path)
			}
		}
	}
	some.Add(s.Bound() + 7) // not a section
	if f, ok := s.FileOf(s.Bound() + 7); ok {
		t.Errorf("no section lies in %s", f.Path)
	}
	s.Starts(some, func(group, path string, lines []uint32) {
		for _, l := range lines {
			got = append(got, row{group, path, int(l)})
		}
	})
	if diff := cmp.Diff(want, got); diff != "" {
		t.Fatalf("starts (-want +got):\n%s", diff)
	}
}

func checkKeywords(t *rapid.T, s *Snapshot, docs []doc) {
	want := map[string]int{}
	for _, d := range docs {
		for _, k := range append([]string{"group:" + d.Group, "file:" + d.Group + "/" + d.Path}, d.keywords...) {
			want[k]++
			if !s.Keyword(k).Contains(d.ID) {
				t.Fatalf("Keyword(%q) lacks %d", k, d.ID)
			}
		}
	}
	if diff := cmp.Diff(want, maps.Collect(s.Keywords(""))); diff != "" {
		t.Fatalf("keywords (-want +got):\n%s", diff)
	}
	for k := range s.Keywords("group:") {
		if !strings.HasPrefix(k, "group:") {
			t.Fatalf("Keywords(group:) yields %q", k)
		}
	}
}

// manual returns a fixed corpus of n sections that fills several blocks and batches.
func manual(n int) []file {
	f := file{File: File{Group: "m", Path: "a.md"}}
	for i := range n {
		body := strings.Repeat("common ", 1+i%5) + words[i%8] + " 契約の条件 "
		if i%3 == 0 {
			body += "third "
		}
		f.docs = append(f.docs, doc{Section: Section{Title: words[i%8], Node: NodeHeading, Parent: None}, texts: []string{words[i%8], body, ""}})
	}
	return []file{f}
}

func TestSameInputSameBytes(t *testing.T) {
	schema := ManualSchema(KindManual)
	files := manual(20000) // several batches
	first := encode(t, schema, files)
	for range 2 {
		if !bytes.Equal(first, encode(t, schema, files)) {
			t.Fatal("the same input gave other bytes")
		}
	}
	brief := NewWriter(schema)
	brief.Brief()
	var out bytes.Buffer
	if _, _, err := feed(brief, files).write(&out); err != nil || !bytes.Equal(first, out.Bytes()) {
		t.Fatalf("%d batches gave other bytes: %v", len(brief.batches), err)
	}
}

func TestSeveralBatchesAgreeWithNaive(t *testing.T) {
	if testing.Short() {
		t.Skip("nothing runs at once")
	}
	files := manual(20000)
	w := fill(ManualSchema(KindManual), files)
	var out bytes.Buffer
	if _, _, err := w.write(&out); err != nil {
		t.Fatal(err)
	}
	if len(w.batches) < 2 {
		t.Fatal("the corpus is too small for this test")
	}
	g, err := openSegment("x.seg", out.Bytes(), true)
	if err != nil {
		t.Fatal(err)
	}
	s := &Snapshot{segments: []*Segment{g}, bound: g.Len()}
	for term, want := range naive(flatten(files)) {
		if diff := cmp.Diff(want, postingsOf(s, term)); diff != "" {
			t.Fatalf("postings of %q (-want +got):\n%s", term, diff)
		}
	}
}

func TestLongTermsStayApart(t *testing.T) {
	long := strings.Repeat("a", 300)
	a, b := dictionaryKey(long+"x"), dictionaryKey(long+"y")
	if a == b || len(a) != maxTerm || len(b) != maxTerm {
		t.Fatalf("keys %q and %q", a, b)
	}
	if k := dictionaryKey("short"); k != "short" {
		t.Fatalf("short key %q", k)
	}
}

func TestConcurrentReads(t *testing.T) {
	s := publish(t, t.TempDir(), ManualSchema(KindManual), manual(2000))
	want := postingsOf(s, "common")
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			if diff := cmp.Diff(want, postingsOf(s, "common")); diff != "" {
				t.Error(diff)
			}
			n := 0
			for _, df := range s.Terms("") {
				n += df
			}
			if n == 0 || s.Keyword("group:m").GetCardinality() != 2000 {
				t.Error("a concurrent read lost entries")
			}
		})
	}
	wg.Wait()
}

// TestGolden reads a file of this format version and writes the same bytes again. If it fails for an intended change,
// raise FormatVersion and run it with SAGASU_UPDATE=1.
func TestGolden(t *testing.T) {
	const path = "testdata/golden.seg"
	// Plain words, so that the rules of tokenising may change without a new format.
	texts := slices.Repeat([]string{"alpha", "alpha beta alpha"}, 70)
	got := encode(t, ManualSchema(KindManual), []file{page("a.md", texts...), page("b.md", "gamma")})
	if os.Getenv("SAGASU_UPDATE") != "" {
		if err := os.WriteFile(path, got, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := openSegment("golden.seg", want, true); err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		t.Fatal("the writer's bytes changed but not the format version")
	}
}
