package snapshot

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/RoaringBitmap/roaring/v2"
	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// split distributes files over segments. Some segments also contain older versions of files, which are deleted.
func split(t *rapid.T, dir string, schema Schema, files []file) *Snapshot {
	name, err := NextName(dir, schema.Kind)
	if err != nil {
		t.Fatal(err)
	}
	m := Manifest{Version: FormatVersion, Name: name, Kind: schema.Kind, Fields: schema.Fields}
	segments := make([][]file, rapid.IntRange(1, 3).Draw(t, "segments"))
	dead := make([]*roaring.Bitmap, len(segments))
	for i := range dead {
		dead[i] = roaring.New()
	}
	for i, f := range files {
		at := rapid.IntRange(0, len(segments)-1).Draw(t, "segment")
		if at > 0 {
			old := genFile(len(schema.Fields)).Draw(t, "old")
			old.Group, old.Path = f.Group, f.Path
			dead[at-1].Add(uint32(len(segments[at-1])))
			segments[at-1] = append(segments[at-1], old)
		}
		segments[at] = append(segments[at], files[i])
	}
	for i := range segments {
		info, err := fill(schema, segments[i]).WriteFile(context.Background(), dir, fmt.Sprintf("%s.%d.seg", name, i))
		if err != nil {
			t.Fatal(err)
		}
		if info, err = info.WithDeleted(dead[i]); err != nil {
			t.Fatal(err)
		}
		m.Segments = append(m.Segments, info)
	}
	if err := Publish(dir, m); err != nil {
		t.Fatal(err)
	}
	s, err := Open(dir, name, true)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestMergedSegmentsAreAsWrittenAnew(t *testing.T) {
	dir := t.TempDir()
	rapid.Check(t, func(t *rapid.T) {
		schema := schemaOf(rapid.IntRange(1, 2).Draw(t, "fields"))
		files := genFiles(len(schema.Fields)).Draw(t, "files")
		s := split(t, dir, schema, files)
		defer s.Close()
		var want, got bytes.Buffer
		if _, _, err := fill(schema, files).write(&want); err != nil {
			t.Fatal(err)
		}
		w := NewWriter(schema)
		if err := w.Merge(context.Background(), s.Segments()...); err != nil {
			t.Fatal(err)
		}
		if _, _, err := w.write(&got); err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(want.Bytes(), got.Bytes()) {
			t.Fatalf("the merged segment has other bytes: %d and %d", want.Len(), got.Len())
		}
		whole, err := openSegment("whole.seg", got.Bytes(), true)
		if err != nil {
			t.Fatal(err)
		}
		checkFigures(t, s, whole)
	})
}

// checkFigures checks that deleted sections do not count.
func checkFigures(t *rapid.T, s *Snapshot, whole *Segment) {
	one := &Snapshot{segments: []*Segment{whole}, bound: whole.Len(), live: roaring.New()}
	one.live.AddRange(0, uint64(whole.Len()))
	if s.Live().GetCardinality() != uint64(whole.Len()) {
		t.Fatalf("%d live sections, want %d", s.Live().GetCardinality(), whole.Len())
	}
	for f := range s.Fields() {
		if s.AvgLen(f) != one.AvgLen(f) {
			t.Fatalf("AvgLen(%d) = %v, want %v", f, s.AvgLen(f), one.AvgLen(f))
		}
	}
	for term, df := range s.Terms("") {
		if want := one.DocFreq(term); df != want || s.DocFreq(term) != want {
			t.Fatalf("%q is in %d or %d sections, want %d", term, df, s.DocFreq(term), want)
		}
	}
	if diff := cmp.Diff(slices.Collect(one.Files()), slices.Collect(s.Files())); diff != "" {
		t.Fatalf("files (-want +got):\n%s", diff)
	}
}

// TestDeletedSectionsOfLongLists counts deleted sections in lists of several blocks.
func TestDeletedSectionsOfLongLists(t *testing.T) {
	var files []file
	for i := range 1000 {
		f := page(fmt.Sprintf("%04d.md", i), "common")
		if i%3 == 0 {
			f = page(fmt.Sprintf("%04d.md", i), "rare")
		}
		files = append(files, f)
	}
	s := publish(t, t.TempDir(), ManualSchema(KindManual), files)
	for _, every := range []int{1, 2, 7, 500} {
		dead := roaring.New()
		common := 0
		for i := range files {
			if i%every == 0 {
				dead.Add(uint32(i))
			} else if i%3 != 0 {
				common++
			}
		}
		info, err := SegmentInfo{}.WithDeleted(dead)
		if err != nil {
			t.Fatal(err)
		}
		g := *s.segments[0]
		if err := g.bury(info, "test"); err != nil {
			t.Fatal(err)
		}
		list, _ := g.list(dictionaryKey("common"))
		if got := g.docFreq(list); got != common {
			t.Errorf("every %d deleted: %d sections, want %d", every, got, common)
		}
	}
}

func TestDelete(t *testing.T) {
	s := publish(t, t.TempDir(), ManualSchema(KindManual), []file{page("a.md", "x"), page("b.md", "y"), page("c.md", "z")})
	g := s.Segments()[0]
	_, left, err := g.Delete(func(_, path string) bool { return path != "b.md" })
	if err != nil || left != 1 {
		t.Errorf("%d files left, %v", left, err)
	}
	info, left, err := g.Delete(func(_, path string) bool { return false })
	if err != nil || left != 3 || info.Deleted != nil {
		t.Errorf("nothing deleted: %d files left, %v, %v", left, info.Deleted, err)
	}
}

func TestDamagedTombstones(t *testing.T) {
	dir := t.TempDir()
	s := publish(t, dir, ManualSchema(KindManual), []file{page("a.md", "x")})
	outside, err := SegmentInfo{}.WithDeleted(roaring.BitmapOf(1))
	if err != nil {
		t.Fatal(err)
	}
	for i, deleted := range [][]byte{outside.Deleted, []byte("damaged"), {0}} {
		m := s.Manifest()
		m.Name, _ = NextName(dir, KindManual)
		m.Segments = slices.Clone(m.Segments)
		m.Segments[0].Deleted = deleted
		if err := Publish(dir, m); err != nil {
			t.Fatal(err)
		}
		_, err := Open(dir, m.Name, false)
		wantCorrupt(t, err, "tombstones", i)
	}
}

func TestSuccessorVerifiesWhatIsNew(t *testing.T) {
	dir, schema := t.TempDir(), ManualSchema(KindManual)
	first := publish(t, dir, schema, []file{page("a.md", "x")})
	second := publish(t, dir, schema, []file{page("a.md", "x")}, []file{page("b.md", "y")})
	next, err := first.Successor(second.Name())
	if err != nil || next.Bound() != 2 {
		t.Fatal(next, err)
	}
	next.Close()
	damaged := filepath.Join(dir, second.Manifest().Segments[1].File)
	data, err := os.ReadFile(damaged)
	if err != nil {
		t.Fatal(err)
	}
	data[len(data)/2] ^= 1
	if err := errors.Join(os.Remove(damaged), os.WriteFile(damaged, data, 0o600)); err != nil {
		t.Fatal(err)
	}
	_, err = first.Successor(second.Name())
	wantCorrupt(t, err, "new segment", 0)
}
