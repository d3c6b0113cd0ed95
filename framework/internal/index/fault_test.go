package index

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/sagasu-search/sagasu/sdk/snapshot"
)

// segments returns the paths of the segment files.
func (b *bench) segments() []string {
	b.Helper()
	paths, err := filepath.Glob(filepath.Join(b.dir, "*.seg"))
	if err != nil || len(paths) == 0 {
		b.Fatal("no segment", err)
	}
	return paths
}

// cutSegments truncates the segment files, which may be mapped.
func (b *bench) cutSegments() {
	b.Helper()
	for _, path := range b.segments() {
		if err := os.Truncate(path, 1); err != nil {
			b.Skipf("a mapped file cannot be cut here: %v", err)
		}
	}
}

// TestHarmToMappedSegments must show in the next search, without a look at the
// manuals.
func TestHarmToMappedSegments(t *testing.T) {
	for name, damage := range map[string]func(b *bench){
		"cut":     (*bench).cutSegments,
		"removed": func(b *bench) { b.removeIndexFile(filepath.Base(b.segments()[0])) },
	} {
		t.Run(name, func(t *testing.T) {
			b := newBench(t)
			b.many(200)
			x := b.open()
			want := b.view(x)
			_, release := b.acquire(x) // another search holds it
			defer release()
			damage(b)
			if diff := cmp.Diff(want, b.view(x)); diff != "" {
				t.Errorf("(-before +after):\n%s", diff)
			}
			b.wellPlaced(x)
		})
	}
}

// TestSegmentsCutWhileBuilding cuts what the build reads of the snapshot before.
func TestSegmentsCutWhileBuilding(t *testing.T) {
	for _, phase := range []Phase{PhaseWalk, PhaseIndex, PhaseWrite} {
		t.Run(string(phase), func(t *testing.T) {
			b := newBench(t)
			b.many(200)
			x := b.open()
			b.name(x)
			b.write("a/one.md", "changed")
			x.addPending(pendingChanges{all: true})
			harmed := false
			report, err := x.exclusive(t.Context(), false, func(p Progress) {
				if p.Phase == phase && !harmed {
					harmed = true
					b.cutSegments()
				}
			})
			if err != nil || !report.Built || !harmed {
				t.Fatalf("%+v, %v, harmed %v", report, err, harmed)
			}
			if diff := cmp.Diff(b.anew().Sections, b.view(x).Sections); diff != "" {
				t.Error(diff)
			}
			b.wellPlaced(x)
		})
	}
}

// TestSegmentsCutWhileMerging has the merge meet the damage, and the next
// search find it repaired.
func TestSegmentsCutWhileMerging(t *testing.T) {
	b := newBench(t)
	b.many(200)
	x := b.still()
	b.ensure(x)
	for i := range 60 {
		b.removeManual(fmt.Sprintf("a/many%03d.md", i))
	}
	b.ensure(x)
	b.cutSegments()
	more, err := x.merge(t.Context())
	if _, ok := errors.AsType[*snapshot.CorruptError](err); !ok || more {
		t.Errorf("merged %v, error %v", more, err)
	}
	if diff := cmp.Diff(b.anew().Sections, b.view(x).Sections); diff != "" {
		t.Error(diff)
	}
	b.wellPlaced(x)
}

func (b *bench) removeManual(path string) {
	b.Helper()
	if err := os.Remove(filepath.Join(b.root, path)); err != nil {
		b.Fatal(err)
	}
}

// TestSearchesWhileTheIndexIsHarmed cuts segments and removes the directory. A
// search may fail then, but none shows what is not so, and in the end all is well.
func TestSearchesWhileTheIndexIsHarmed(t *testing.T) { harmed(t, 30) }

func harmed(t *testing.T, times int) {
	b := newBench(t)
	b.many(100)
	x, y := b.open(), b.open()
	want := b.view(x)
	var searches sync.WaitGroup
	var mu sync.Mutex
	outcomes := map[string]int{}
	stop := make(chan struct{})
	for _, x := range []*Index{x, y, x} {
		searches.Go(func() {
			for !closed(stop) {
				outcome := b.searchHarmed(x, want)
				mu.Lock()
				outcomes[outcome]++
				mu.Unlock()
			}
		})
	}
	for i := range times {
		paths, _ := filepath.Glob(filepath.Join(b.dir, "*.seg"))
		for _, path := range paths {
			_ = os.Truncate(path, int64(i%30*100))
		}
		if i%3 == 0 {
			os.RemoveAll(b.dir)
		}
		time.Sleep(time.Duration(i%8) * 10 * time.Millisecond)
	}
	close(stop)
	searches.Wait()
	t.Log(outcomes)
	for _, x := range []*Index{x, y} {
		b.settles(x)
		b.wellPlaced(x)
	}
}

// searchHarmed tells how a search ended.
func (b *bench) searchHarmed(x *Index, want view) string {
	snap, release, err := x.acquire(b.Context())
	if err != nil {
		return "refused" // harmed while it was built
	}
	defer release()
	var got view
	switch err := snap.Guard(func() error { got = viewOf(b, snap); return nil }); {
	case err != nil:
		return "met the damage"
	case snap.Check() != nil:
		return "harmed since"
	case got.Pending > 0:
		return "part"
	}
	if !slices.Equal(want.Sections, got.Sections) {
		b.Errorf("an intact snapshot shows %d sections of %d", len(got.Sections), len(want.Sections))
	}
	return "whole"
}
