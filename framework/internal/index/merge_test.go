package index

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/sagasu-search/sagasu/sdk/snapshot"
)

// still has no background: neither watching nor merging.
func (b *bench) still() *Index {
	b.Helper()
	opts := b.options()
	opts.Live = false
	x, err := Open(opts)
	if err != nil {
		b.Fatal(err)
	}
	x.merging = true
	b.Cleanup(func() { x.Close() })
	return x
}

func (b *bench) ensure(x *Index) Report {
	b.Helper()
	r, err := x.exclusive(b.Context(), false, nil)
	if err != nil {
		b.Fatal(err)
	}
	return r
}

func TestSmallChangesMakeSmallSegments(t *testing.T) {
	b := newBench(t)
	b.many(20)
	x := b.still()
	b.ensure(x)
	first := x.base().Segments()[0].Info()
	b.write("a/one.md", "# One\nchanged")
	os.Remove(filepath.Join(b.root, "b/data.json"))
	b.ensure(x)
	segments := x.base().Segments()
	if len(segments) != 2 || segments[0].Info().CRC != first.CRC || segments[1].Len() != 1 {
		t.Fatalf("segments %+v", x.base().Manifest().Segments)
	}
	if dead := segments[0].Deleted().GetCardinality(); dead != 3 {
		t.Errorf("%d deleted sections, want 2 of the changed file and 1 of the removed one", dead)
	}
	os.Remove(filepath.Join(b.root, "a/one.md"))
	b.ensure(x)
	if n := len(x.base().Segments()); n != 1 {
		t.Errorf("%d segments after the only file of one was removed", n)
	}
	if diff := cmp.Diff(b.anew(), viewOf(t, x.base())); diff != "" {
		t.Errorf("(-anew +updated):\n%s", diff)
	}
}

func TestMerging(t *testing.T) {
	b := newBench(t)
	b.many(20)
	x := b.still()
	b.ensure(x)
	for i := range 12 {
		b.write(fmt.Sprintf("a/small%d.md", i), "# Small\nsegment")
		b.ensure(x)
	}
	if n := len(x.base().Segments()); n != 13 {
		t.Fatalf("%d segments before", n)
	}
	before := viewOf(t, x.base())
	if err := x.mergeAll(t.Context()); err != nil {
		t.Fatal(err)
	}
	if n := len(x.base().Segments()); n > maxSegments {
		t.Errorf("%d segments after", n)
	}
	if diff := cmp.Diff(before, viewOf(t, x.base())); diff != "" {
		t.Errorf("merging changed what is found (-before +after):\n%s", diff)
	}
	if r := b.ensure(x); r.Built {
		t.Error("built after merging without a change")
	}
	if slices.Contains(b.files(), mergeFile(snapshot.KindManual)) {
		t.Error("the merged segment's file was left behind")
	}
}

func TestChangesWhileMerging(t *testing.T) {
	b := newBench(t)
	x := b.still()
	b.ensure(x)
	b.write("a/new.md", "# New\nfile")
	b.ensure(x)
	snap, release := x.held()
	defer release()
	w := snapshot.NewWriter(snapshot.ManualSchema(snapshot.KindManual))
	if err := w.Merge(t.Context(), snap.Segments()...); err != nil {
		t.Fatal(err)
	}
	info, err := w.WriteFile(t.Context(), b.dir, mergeFile(snapshot.KindManual))
	if err != nil {
		t.Fatal(err)
	}
	b.write("a/one.md", "# One\nedited while merging")
	os.Remove(filepath.Join(b.root, "a/new.md"))
	b.write("a/late.md", "# Late\nadded while merging")
	b.ensure(x)
	if more, err := x.replace(t.Context(), snap.Segments(), w.Files(), info); !more || err != nil {
		t.Fatalf("replace: %v, %v", more, err)
	}
	if diff := cmp.Diff(b.anew(), viewOf(t, x.base())); diff != "" {
		t.Errorf("(-anew +merged):\n%s", diff)
	}
	if _, err := snapshot.Open(b.dir, x.base().Name(), true); err != nil {
		t.Error(err)
	}
}

func TestMergeAfterARebuildIsDropped(t *testing.T) {
	b := newBench(t)
	x := b.still()
	b.ensure(x)
	snap, release := x.held()
	defer release()
	if _, err := x.Build(t.Context()); err != nil {
		t.Fatal(err)
	}
	name := x.base().Name()
	if more, err := x.replace(t.Context(), snap.Segments(), nil, snapshot.SegmentInfo{}); more || err != nil || x.base().Name() != name {
		t.Errorf("replace: %v, %v, %s", more, err, x.base().Name())
	}
}

func TestTombstonesAreMergedAway(t *testing.T) {
	b := newBench(t)
	b.many(10)
	x := b.open()
	b.view(x)
	for i := range 5 {
		os.Remove(filepath.Join(b.root, fmt.Sprintf("a/many%03d.md", i)))
	}
	b.settles(x)
	for limit := time.Now().Add(20 * time.Second); ; time.Sleep(5 * time.Millisecond) {
		st, err := x.State(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		snap, release := x.held()
		deleted := int(snap.Bound()) - st.Sections
		release()
		if deleted == 0 && st.Fresh {
			return
		}
		if time.Now().After(limit) {
			t.Fatalf("%d deleted sections stay", deleted)
		}
	}
}
