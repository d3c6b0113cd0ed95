package publication_test

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/sagasu-search/sagasu/framework/internal/corpus"
	"github.com/sagasu-search/sagasu/framework/internal/patents/publication"
	"github.com/sagasu-search/sagasu/sdk/snapshot"
	"github.com/sagasu-search/sagasu/sdk/text"
	"github.com/sagasu-search/sagasu/sdk/x/patentquery"
)

// collection returns a snapshot of the JSON Lines files of a folder, and what was refused.
func collection(t testing.TB, dir string) (*snapshot.Snapshot, []publication.Refused) {
	t.Helper()
	w := snapshot.NewWriter(snapshot.PublicationSchema())
	files, err := filepath.Glob(filepath.Join(dir, "*.jsonl"))
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	var refused []publication.Refused
	seen := map[string]bool{}
	claim := func(number string) bool { old := seen[number]; seen[number] = true; return !old }
	for _, path := range files {
		f, err := os.Open(path)
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		w.AddFile(snapshot.File{Path: filepath.Base(path)})
		if err := (publication.Source{}).AddRecords(context.Background(), addTo(w), f, claim, func(r publication.Refused) { refused = append(refused, r) }); err != nil {
			t.Fatal(err)
		}
	}
	index := t.TempDir()
	info, err := w.WriteFile(context.Background(), index, snapshot.SegmentFile("publication-000001"))
	if err != nil {
		t.Fatal(err)
	}
	m := snapshot.Manifest{
		Version: snapshot.FormatVersion, Name: "publication-000001", Kind: snapshot.KindPublication,
		Fields: snapshot.PublicationSchema().Fields, Segments: []snapshot.SegmentInfo{info},
	}
	if err := snapshot.Publish(index, m); err != nil {
		t.Fatal(err)
	}
	s, err := snapshot.Open(index, m.Name, true)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return s, refused
}

func samplePublications(t testing.TB) *snapshot.Snapshot {
	s, refused := collection(t, filepath.Join("..", "..", "..", "..", "testdata", "publications"))
	if len(refused) > 0 || s.Bound() < 300 {
		t.Fatalf("%d sections, refused %v", s.Bound(), refused)
	}
	return s
}

func TestPublicationsOfASnapshot(t *testing.T) {
	s := samplePublications(t)
	for _, filters := range []string{
		`[{"lop":"and","field":"fi","op":"in","value":["G06V10/82A"]}]`,
		`[{"lop":"and","field":"fi","op":"prefix","value":"G06V"}]`,
		`[{"lop":"and","field":"date","op":"range","value":["2020","2021-06"]}]`,
		`[{"lop":"and","field":"country","op":"=","value":"US"},{"lop":"and","field":"cpc","op":"prefix","value":"H01M10"}]`,
		`[{"lop":"and","field":"ft","op":"prefix","value":"5L096AA01"},{"lop":"not","field":"applicant","op":"contains","value":"アオゾラ"}]`,
	} {
		fs, bad := publication.ParseFilters(json.RawMessage(filters))
		if bad != nil {
			t.Fatal(bad)
		}
		got, count := fs.Sections(s), 0
		for id := range s.Bound() {
			p, err := publication.Stored(s, id, publication.Texts()...)
			if err != nil {
				t.Fatal(err)
			}
			if fs.Match(p) {
				count++
			}
			if fs.Match(p) != got.Contains(id) {
				t.Errorf("%s: section %d and its record differ", filters, id)
			}
		}
		if count == 0 || count == int(s.Bound()) {
			t.Errorf("%s selects %d publications", filters, count)
		}
	}
}

func TestAPublicationComesBackWhole(t *testing.T) {
	s := samplePublications(t)
	f, err := os.Open(filepath.Join("..", "..", "..", "..", "testdata", "publications", "en.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	in := publication.NewReader(f)
	for id := range uint32(100) { // the files are added by name
		want, err := in.Next()
		if err != nil {
			t.Fatal(err)
		}
		got, err := publication.Stored(s, id, publication.Texts()...)
		if diff := cmp.Diff(want, got); err != nil || diff != "" {
			t.Fatalf("%v (-want +got):\n%s", err, diff)
		}
		if sec, ok := s.Section(id); !ok || sec.Start != in.Line() || sec.Path != "en.jsonl" || sec.Title != want.PubID {
			t.Errorf("section %+v", sec)
		}
		keys, bad := publication.LookupKeys("app_id", want.AppID)
		if found, ok := publication.Find(s, keys); bad != nil || !ok || found != id {
			t.Errorf("%s leads to %d, %v", want.AppID, found, ok)
		}
		letter := want.PubID[:len(want.PubID)-1] // US20240031571A
		keys, _ = publication.LookupKeys("pub_id", letter)
		if found, ok := publication.Find(s, keys); !ok || found != id {
			t.Errorf("%s leads to %d, %v", letter, found, ok)
		}
	}
	if _, ok := publication.Find(s, []string{"pub_id:none"}); ok {
		t.Error("an unknown number was found")
	}
}

func TestFieldsHaveTheirOwnStatistics(t *testing.T) {
	s := samplePublications(t)
	if got := s.AvgLen(snapshot.FieldRecord); got != 0 {
		t.Errorf("the record has a mean length of %v", got)
	}
	if title, desc := s.AvgLen(snapshot.FieldTitle), s.AvgLen(snapshot.FieldDesc); title < 3 || desc < 10*title {
		t.Errorf("mean lengths: title %v, desc %v", title, desc)
	}
	for _, word := range []string{"f0001", "aozora"} { // stand in records only
		if n := s.DocFreq(word); n > 0 {
			t.Errorf("%q of a record is a term of %d sections", word, n)
		}
	}
	if s.Source(0, snapshot.FieldRecord) == "" || s.Normalized(0, snapshot.FieldRecord) != "" {
		t.Error("the record is not stored as such")
	}
}

// Patterns find candidates by terms of the index: all that match, by a stem no others.
func TestPatternsOverASnapshot(t *testing.T) {
	s := samplePublications(t)
	pattern, count := patentquery.NewPattern(patentquery.Term{Text: "electrolytes"}), 0
	for id := range s.Bound() {
		if slices.ContainsFunc(patentquery.Fields[:], func(f patentquery.Field) bool {
			t := text.Normalize(s.Source(id, slices.Index(patentquery.Fields[:], f)))
			return pattern.In(&t)
		}) {
			count++
		}
	}
	if got := s.DocFreq(pattern.Stem()); got != count || got == 0 {
		t.Errorf("%q is in %d texts, the index holds it in %d", pattern.Stem(), count, got)
	}
}

func TestDamagedCollectionsCostTheirRecordsOnly(t *testing.T) {
	dir := t.TempDir()
	lines := []string{`{"pub_id":"JP2023-000001A","title":"甲"}`, `{"pub_id":`, `{"pub_id":"JP2023000001A","title":"again"}`, `{"pub_id":"JP2023-000002A","title":"乙"}`}
	if err := os.WriteFile(filepath.Join(dir, "a.jsonl"), []byte(strings.Join(lines, "\n")), 0o600); err != nil {
		t.Fatal(err)
	}
	s, refused := collection(t, dir)
	if s.Bound() != 2 || len(refused) != 2 || refused[0].Line != 2 || !strings.Contains(refused[1].Reason, "already") {
		t.Errorf("%d sections, refused %+v", s.Bound(), refused)
	}
}

// Real applications are read, kept and found by their numbers.
func TestRealPublications(t *testing.T) {
	shared := os.Getenv("SAGASU_SHARED")
	if shared == "" {
		t.Skip("SAGASU_SHARED names no larger corpora")
	}
	s, refused := collection(t, filepath.Join(shared, "eval", "patents"))
	if s.Bound() < 600 || len(refused) > 5 {
		t.Errorf("%d sections, refused %v", s.Bound(), refused)
	}
	p, err := publication.Stored(s, 0, publication.Texts()...)
	if err != nil || p.PublicationDate.Year < 2000 || p.Country != "US" || p.Claim == "" {
		t.Errorf("%v: %+v", err, p)
	}
}

func addTo(w *snapshot.Writer) func(corpus.Row) error {
	return func(r corpus.Row) error { w.Add(r.Section, r.Fields, r.Keywords...); return nil }
}
