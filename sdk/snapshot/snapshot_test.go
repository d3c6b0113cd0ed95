package snapshot

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/gofrs/flock"
	"github.com/google/go-cmp/cmp"
	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// page returns a file in a group, with a section per text.
func page(path string, texts ...string) file {
	f := file{File: File{Group: "m", Path: path, SHA256: [32]byte{byte(len(texts))}}}
	for i, s := range texts {
		d := doc{Section: Section{Title: s, Node: NodeHeading, Level: 1, Start: i + 1, Parent: None}, texts: []string{"head", s, "name"}}
		if i > 0 {
			d.Parent = 0
		}
		f.docs = append(f.docs, d)
	}
	return f
}

func TestSeveralSegmentsWithTombstones(t *testing.T) {
	dir, schema := t.TempDir(), ManualSchema(KindManual)
	old := []file{page("a.md", "apple", "banana"), page("b.md", "apple", "cherry")}
	add := []file{page("a.md", "apple", "banana", "date")}
	s := publish(t, dir, schema, old, add)
	if diff := cmp.Diff(map[uint32][]uint8{0: {0, 1, 0}, 2: {0, 1, 0}, 4: {0, 1, 0}}, postingsOf(s, "appl")); diff != "" {
		t.Fatalf("postings over two segments (-want +got):\n%s", diff)
	}
	m := s.Manifest()
	m.Name, _ = NextName(dir, KindManual)
	m.Segments = slices.Clone(m.Segments)
	var err error
	left := 0
	m.Segments[0], left, err = s.Segments()[0].Delete(func(group, path string) bool { return group == "m" && path == "a.md" })
	if err != nil || left != 1 {
		t.Fatalf("%d files left, %v", left, err)
	}
	if err := Publish(dir, m); err != nil {
		t.Fatal(err)
	}
	s = open(t, dir, m.Name)
	if got := s.Live().ToArray(); !slices.Equal(got, []uint32{2, 3, 4, 5, 6}) {
		t.Errorf("live %v", got)
	}
	if got := s.Keyword("file:m/a.md").ToArray(); !slices.Equal(got, []uint32{4, 5, 6}) {
		t.Errorf("file keyword %v", got)
	}
	if _, ok := s.Section(1); ok || s.Source(1, 1) != "" || s.Normalized(1, 1) != "" {
		t.Error("a deleted section is visible")
	}
	if sec, ok := s.Section(5); !ok || sec.Parent != 4 || sec.Path != "a.md" || s.Source(5, 1) != "banana" {
		t.Errorf("section 5 = %+v, %v", sec, ok)
	}
	if n := s.DocFreq("appl"); n != 2 {
		t.Errorf("document frequency %d of the live sections: want 2", n)
	}
	checkMerged(t, s)
}

func checkMerged(t *testing.T, s *Snapshot) {
	t.Helper()
	var files []string
	for f := range s.Files() {
		files = append(files, f.Path+" "+string('0'+rune(f.SHA256[0])))
	}
	if diff := cmp.Diff([]string{"a.md 3", "b.md 2"}, files); diff != "" {
		t.Errorf("files (-want +got):\n%s", diff)
	}
	var keys []string
	for k, n := range s.Keywords("file:") {
		keys = append(keys, k+" "+string('0'+rune(n)))
	}
	if diff := cmp.Diff([]string{"file:m/a.md 3", "file:m/b.md 2"}, keys); diff != "" {
		t.Errorf("keywords (-want +got):\n%s", diff)
	}
	var terms []string
	for term := range s.Terms("ba") {
		terms = append(terms, term)
	}
	if len(terms) != 1 || s.DocFreq(terms[0]) != 1 {
		t.Errorf("terms with ba: %v", terms)
	}
}

// A table counts a term once, however many rows repeat it.
func TestRowsCountATermOnce(t *testing.T) {
	const table = "| plan | refund |\n|---|---|\n  | gold | refund |\r\n| basic | refund |\n"
	for body, want := range map[string]uint8{
		table: 1, "refund\n" + table + "\nA refund, a refund.\n" + table: 4, "refund | refund\n| refund | refund\n": 4, "| refund refund |": 1,
	} {
		s := publish(t, t.TempDir(), ManualSchema(KindManual), []file{page("a.md", body), page("b.md", body)})
		if diff := cmp.Diff(map[uint32][]uint8{0: {0, want, 0}, 1: {0, want, 0}}, postingsOf(s, "refund")); diff != "" {
			t.Errorf("%q: %s", body, diff)
		}
	}
}

// If a text begins with its heading, these words count only as words of the heading.
func TestRepeatedTitlesCountOnce(t *testing.T) {
	const title = "Refund plan"
	for _, c := range []struct {
		heading, body string
		want          uint8
	}{
		{"Guide > Refund plan", "Refund plan", 0},
		{"Guide > Refund plan", "\n\n**Refund plan**\n\nA refund.", 1},
		{"Guide > Refund plan", "Refund plans of a refund", 1},
		{"Guide > Refund plan", "refund plan", 1},
		{"Guide > Refund plan", "See: Refund plan", 1},
		{"Guide", "Refund plan", 1},
	} {
		f := page("a.md", title)
		f.docs[0].texts = []string{c.heading, c.body, "name"}
		s := publish(t, t.TempDir(), ManualSchema(KindManual), []file{f})
		var got uint8
		if freqs := postingsOf(s, "refund")[0]; freqs != nil {
			got = freqs[FieldBody]
		}
		if got != c.want {
			t.Errorf("%q below %q: %d, want %d", c.body, c.heading, got, c.want)
		}
	}
}

func TestEmptyCorpus(t *testing.T) {
	s := publish(t, t.TempDir(), ManualSchema(KindManual), nil)
	if s.Bound() != 0 || !s.Live().IsEmpty() || s.DocFreq("a") != 0 || s.AvgLen(0) != 0 {
		t.Error("an empty corpus holds something")
	}
	for k := range s.Terms("") {
		t.Errorf("term %q", k)
	}
}

func TestPublishAndCurrent(t *testing.T) {
	dir, schema := t.TempDir(), ManualSchema(KindManual)
	if _, err := Current(dir, KindManual); !errors.Is(err, fs.ErrNotExist) {
		t.Fatalf("Current of an empty directory: %v", err)
	}
	first := publish(t, dir, schema, manual(3))
	second := publish(t, dir, schema, manual(4))
	if first.Name() != "manual-000001" || second.Name() != "manual-000002" {
		t.Fatalf("names %q, %q", first.Name(), second.Name())
	}
	if name, err := Current(dir, KindManual); name != second.Name() || err != nil {
		t.Fatalf("Current = %q, %v", name, err)
	}
	if _, err := Current(dir, KindVault); !errors.Is(err, fs.ErrNotExist) {
		t.Fatalf("Current of another kind: %v", err)
	}
	if err := Publish(dir, first.Manifest()); !errors.Is(err, fs.ErrExist) {
		t.Fatalf("a name was used again: %v", err)
	}
	if first.Bound() != 3 || first.Source(2, 0) == "" {
		t.Fatal("the old snapshot is not readable any more")
	}
	if first.Dir() != dir || first.Kind() != KindManual || len(first.Fields()) != 3 {
		t.Fatal("the snapshot does not know itself")
	}
}

func TestNamesAreNotReused(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"manual-000007.seg.damaged", "vault-000009.json", "manual-x.seg", "CURRENT-vault"} {
		if err := os.WriteFile(filepath.Join(dir, name), nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if name, err := NextName(dir, KindManual); name != "manual-000008" || err != nil {
		t.Fatalf("NextName = %q, %v", name, err)
	}
	if err := os.WriteFile(filepath.Join(dir, "CURRENT-manual"), []byte("manual-000041\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if name, err := NextName(dir, KindManual); name != "manual-000042" || err != nil {
		t.Fatalf("NextName = %q, %v", name, err)
	}
}

func TestNamesAreNotPaths(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"", "manual", "../manual-000001", "manual-1", "manual-000000", "a/b-000001", "manual-000001.json", "-000001"} {
		if _, err := Open(dir, name, true); !errors.Is(err, fs.ErrInvalid) {
			t.Errorf("Open(%q): %v", name, err)
		}
	}
	if err := os.WriteFile(filepath.Join(dir, "CURRENT-manual"), []byte("../x-000001\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	_, err := Current(dir, KindManual)
	wantCorrupt(t, err, "CURRENT", 0)
}

func TestFlippedManifestIsDetected(t *testing.T) {
	dir := t.TempDir()
	s := publish(t, dir, ManualSchema(KindManual), manual(3))
	path := filepath.Join(dir, s.Name()+".json")
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for at := range data {
		bad := slices.Clone(data)
		bad[at] ^= 1 << (at % 7)
		_, err := decodeManifest(&damage{}, s.Name(), bad)
		wantCorrupt(t, err, "manifest flip", at)
	}
	m := s.Manifest()
	m.Segments = []SegmentInfo{{File: "../" + m.Segments[0].File}}
	outside, _ := m.encode()
	_, err = decodeManifest(&damage{}, s.Name(), outside)
	wantCorrupt(t, err, "outside", 0)
}

func TestMissingAndForeignSegments(t *testing.T) {
	dir := t.TempDir()
	first := publish(t, dir, ManualSchema(KindManual), manual(3))
	second := publish(t, dir, ManualSchema(KindManual), manual(4))
	seg := func(s *Snapshot) string { return filepath.Join(dir, s.Manifest().Segments[0].File) }
	if err := os.Rename(seg(second), seg(first)); err != nil {
		t.Fatal(err)
	}
	_, err := Open(dir, first.Name(), false)
	wantCorrupt(t, err, "swapped segment", 0)
	if _, err := Open(dir, second.Name(), false); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("missing segment: %v", err)
	}
}

func TestOpenHoldsASharedLock(t *testing.T) {
	dir := t.TempDir()
	s := publish(t, dir, ManualSchema(KindManual), manual(3))
	other, err := Open(dir, s.Name(), false) // shared with s
	if err != nil {
		t.Fatal(err)
	}
	lock := flock.New(filepath.Join(dir, s.Name()+".json"))
	for _, held := range []*Snapshot{s, other} {
		if ok, err := lock.TryLock(); ok || err != nil {
			t.Fatalf("a snapshot in use could be locked: %v, %v", ok, err)
		}
		held.Close()
	}
	if ok, err := lock.TryLock(); !ok || err != nil {
		t.Fatalf("a closed snapshot is still locked: %v, %v", ok, err)
	}
	lock.Close()
}

func TestReadOnlyDirectory(t *testing.T) {
	dir := t.TempDir()
	name := publish(t, dir, ManualSchema(KindManual), manual(3)).Name()
	if err := os.Chmod(dir, 0o500); err != nil {
		t.Fatal(err)
	}
	defer os.Chmod(dir, 0o700)
	s, err := Open(dir, name, true)
	if err != nil {
		t.Fatal(err)
	}
	s.Close()
}

func TestFailedWriteLeavesNothing(t *testing.T) {
	dir := t.TempDir()
	broken := errors.New("disk full")
	err := writeFile(dir, "x.seg", true, func(w io.Writer) error {
		w.Write([]byte("half"))
		return broken
	})
	if !errors.Is(err, broken) {
		t.Fatalf("error %v", err)
	}
	writes := 0
	_, _, err = fill(ManualSchema(KindManual), manual(3)).write(writerFunc(func(p []byte) (int, error) {
		if writes++; writes == 1 {
			return 0, broken
		}
		return len(p), nil
	}))
	if !errors.Is(err, broken) {
		t.Fatalf("the header was not written, and the error is %v", err)
	}
	w := fill(ManualSchema(KindManual), manual(3))
	w.keyword(strings.Repeat("k", maxKeyword+1)).Add(0)
	if _, err := w.WriteFile(t.Context(), dir, "y.seg"); err == nil {
		t.Fatal("a keyword that is too long was written")
	}
	if entries, _ := os.ReadDir(dir); len(entries) != 0 {
		t.Fatalf("left behind: %v", entries)
	}
}

func TestCancelledWriteLeavesNothing(t *testing.T) {
	dir := t.TempDir()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	w := fill(ManualSchema(KindManual), manual(20000))
	if _, err := w.WriteFile(ctx, dir, "x.seg"); !errors.Is(err, context.Canceled) {
		t.Fatalf("error %v", err)
	}
	if entries, _ := os.ReadDir(dir); len(entries) != 0 {
		t.Fatalf("left behind: %v", entries)
	}
}

func TestVerify(t *testing.T) {
	dir := t.TempDir()
	info, err := fill(ManualSchema(KindManual), manual(3)).WriteFile(t.Context(), dir, "x.seg")
	if err != nil {
		t.Fatal(err)
	}
	if err := Verify(dir, info); err != nil {
		t.Fatal(err)
	}
	data, _ := os.ReadFile(filepath.Join(dir, "x.seg"))
	data[len(data)/2] ^= 1
	if err := os.WriteFile(filepath.Join(dir, "x.seg"), data, 0o600); err != nil {
		t.Fatal(err)
	}
	wantCorrupt(t, Verify(dir, info), "verify", len(data)/2)
}

func TestFingerprint(t *testing.T) {
	a := File{Group: "m", Path: "a.md", SHA256: [32]byte{1}}
	b := File{Group: "m", Path: "b.md", SHA256: [32]byte{2}}
	touched := a
	touched.ModTime = 5
	base := Fingerprint([]File{a, b})
	if Fingerprint([]File{b, touched}) != base {
		t.Error("order or times changed the fingerprint")
	}
	moved, edited := a, a
	moved.Path, edited.SHA256[0] = "c.md", 9
	for _, other := range [][]File{{a}, {moved, b}, {edited, b}, nil} {
		if Fingerprint(other) == base {
			t.Errorf("%v has the same fingerprint", other)
		}
	}
}

func TestDiscardEndsTheWriter(t *testing.T) {
	w := fill(ManualSchema(KindManual), manual(20000)) // starts batches
	w.Discard()
	w.Discard() // goleak in TestMain finds goroutines that remain
}
