package index

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/sagasu-search/sagasu/sdk/snapshot"
)

// clear removes the index directory.
func (b *bench) clear() {
	b.Helper()
	if err := os.RemoveAll(b.dir); err != nil {
		b.Skipf("a directory in use cannot be removed here: %v", err)
	}
}

// other returns a bench with another text and the same index directory.
func (b *bench) other() *bench {
	o := &bench{b.T, filepath.Join(b.TempDir(), "manuals"), b.dir}
	o.write("a/one.md", "# Other\nzebra\n")
	return o
}

// TestIndexDirectoryRemovedUnderIt removes or replaces the directory; the next
// search must get a snapshot that others can open, of the right files.
func TestIndexDirectoryRemovedUnderIt(t *testing.T) {
	for name, damage := range map[string]func(b *bench){
		"removed":       (*bench).clear,
		"emptied":       func(b *bench) { b.clear(); os.Mkdir(b.dir, 0o700) },
		"renamed":       func(b *bench) { os.Rename(b.dir, b.dir+".old") },
		"anew by other": func(b *bench) { b.clear(); b.name(b.open()) },
		"foreign": func(b *bench) { // its snapshot has the name that the right one had
			b.clear()
			o := b.other()
			x := o.open()
			o.name(x)
			x.Close()
		},
		"only its mark": func(b *bench) { os.Remove(filepath.Join(b.dir, useFile)) },
	} {
		for _, live := range []bool{true, false} {
			t.Run(name+map[bool]string{true: " live"}[live], func(t *testing.T) {
				b := newBench(t)
				opts := b.options()
				opts.Live = live
				x, err := Open(opts)
				if err != nil {
					t.Fatal(err)
				}
				defer x.Close()
				want := b.view(x)
				damage(b)
				if diff := cmp.Diff(want, b.view(x)); diff != "" {
					t.Errorf("(-before +after):\n%s", diff)
				}
				b.wellPlaced(x)
			})
		}
	}
}

// wellPlaced checks that what x gives can be opened by others, and that the
// directory is marked as in use.
func (b *bench) wellPlaced(x *Index) {
	b.Helper()
	snap, release, err := x.acquire(b.Context())
	if err != nil {
		b.Fatal(err)
	}
	defer release()
	again, err := snapshot.Open(b.dir, snap.Name(), true)
	if err != nil {
		b.Fatal(err)
	}
	defer again.Close()
	if again.Fingerprint() != snap.Fingerprint() {
		b.Error("the directory holds another snapshot of that name")
	}
	if _, ok := tryLock(b.dir, useFile); ok {
		b.Error("the directory is not marked as in use")
	}
}

// TestNamesAreNotReused has another host begin to count anew.
func TestNamesAreNotReused(t *testing.T) {
	b := newBench(t)
	x := b.open()
	for range 2 {
		if _, err := x.Build(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	before := b.name(x)
	b.clear()
	if y := b.open(); newer(b.name(y), before) {
		t.Fatalf("the other host goes on from %s", before)
	}
	snap, release, err := x.acquire(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer release()
	if !newer(snap.Name(), before) {
		t.Errorf("%s, after the other %s", snap.Name(), before)
	}
	if again := b.name(x); again != snap.Name() {
		t.Errorf("published again: %s", again)
	}
}

// TestPublishingNeedsAValidLock removes the lock between writing and publishing.
func TestPublishingNeedsAValidLock(t *testing.T) {
	b := newBench(t)
	x := b.open()
	want := b.name(x)
	m, err := x.manifest()
	if err != nil {
		t.Fatal(err)
	}
	m.Segments = x.base().Manifest().Segments
	lock, err := tryFileLock(b.dir, lockFile, false)
	if err != nil {
		t.Fatal(err)
	}
	defer lock.unlock()
	b.removeIndexFile(lockFile)
	if err := x.publish(m, lock); !errors.Is(err, errRemoved) {
		t.Errorf("error %v", err)
	}
	if got := b.name(x); got != want {
		t.Errorf("published %s", got)
	}
}

func TestSnapshotInUseOutlivesItsDirectory(t *testing.T) {
	b := newBench(t)
	x := b.open()
	want := b.anew()
	snap, release := b.acquire(x)
	defer release()
	b.clear()
	b.name(x)
	if diff := cmp.Diff(want.Sections, viewOf(t, snap).Sections); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// TestDirectoryRemovedWhileBuilding removes it at each step of a build.
func TestDirectoryRemovedWhileBuilding(t *testing.T) {
	for _, phase := range []Phase{PhaseWalk, PhaseIndex, PhaseWrite} {
		t.Run(string(phase), func(t *testing.T) {
			b := newBench(t)
			x := b.open()
			want, harmed := b.view(x), 0
			report, err := x.exclusive(t.Context(), true, func(p Progress) {
				if p.Phase == phase && harmed < maxTries-1 {
					harmed++
					b.clear()
				}
			})
			if err != nil || !report.Built || harmed == 0 {
				t.Fatalf("%+v, %v, removed %d times", report, err, harmed)
			}
			if diff := cmp.Diff(want, b.view(x)); diff != "" {
				t.Error(diff)
			}
			b.wellPlaced(x)
		})
	}
}

// TestDirectoryRemovedAgainAndAgain ends with an error, not never.
func TestDirectoryRemovedAgainAndAgain(t *testing.T) {
	b := newBench(t)
	x := b.open()
	if _, err := x.exclusive(t.Context(), true, func(p Progress) {
		if p.Phase == PhaseWrite {
			b.clear()
		}
	}); !errors.Is(err, errRemoved) {
		t.Errorf("error %v", err)
	}
	b.name(x)
}

// TestLockOfARemovedFileProtectsNothing has another builder at work in the
// directory that took the place of the one in which a build began.
func TestLockOfARemovedFileProtectsNothing(t *testing.T) {
	for _, phase := range []Phase{PhaseIndex, PhaseWrite} {
		t.Run(string(phase), func(t *testing.T) {
			b := newBench(t)
			x := b.open()
			ctx, cancel := context.WithTimeout(t.Context(), 200*time.Millisecond)
			defer cancel()
			var other *fileLock
			_, err := x.exclusive(ctx, true, func(p Progress) {
				if p.Phase != phase || other != nil {
					return
				}
				b.clear()
				os.Mkdir(b.dir, 0o700)
				other, _ = tryFileLock(b.dir, lockFile, false)
			})
			defer other.unlock()
			if !errors.Is(err, context.DeadlineExceeded) {
				t.Errorf("beside another builder it gave %v", err)
			}
			if got := b.files(); !slices.Equal(got, []string{lockFile, useFile}) {
				t.Errorf("beside another builder it wrote %v", got)
			}
		})
	}
}
