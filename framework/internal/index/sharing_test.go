package index

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/gofrs/flock"

	"github.com/sagasu-search/sagasu/sdk/snapshot"
)

func TestOneBuilderAmongMany(t *testing.T) {
	b := newBench(t)
	var wg sync.WaitGroup
	for range 4 {
		x := b.open()
		for range 3 {
			wg.Go(func() {
				snap, release, err := x.acquire(t.Context())
				if err != nil {
					t.Error(err)
					return
				}
				defer release()
				if snap.Name() != "manual-000001" || snap.DocFreq("appl") != 1 {
					t.Errorf("snapshot %s", snap.Name())
				}
			})
		}
	}
	wg.Wait()
}

func TestWaitingForTheBuilderEndsWithTheContext(t *testing.T) {
	b := newBench(t)
	x := b.open()
	other := flock.New(filepath.Join(b.dir, lockFile))
	if ok, err := other.TryLock(); !ok || err != nil {
		t.Fatal(ok, err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Millisecond)
	defer cancel()
	if _, _, err := x.acquire(ctx); !errors.Is(err, context.DeadlineExceeded) {
		t.Fatalf("error %v", err)
	}
	other.Close()
	if name := b.name(x); name != "manual-000001" {
		t.Errorf("after the lock was free: %s", name)
	}
}

func TestSearchesDoNotWaitForABuilderThatHangs(t *testing.T) {
	b := newBench(t)
	x := b.open()
	x.opts.Live, x.pace.other = false, 20*time.Millisecond
	first := b.name(x)
	b.write("a/later.md", "# Later\n")
	other := flock.New(filepath.Join(b.dir, lockFile))
	if ok, err := other.TryLock(); !ok || err != nil {
		t.Fatal(ok, err)
	}
	look := func() (name, why string) {
		x.addPending(pendingChanges{all: true})
		v, err := x.View(t.Context(), time.Minute)
		if err != nil {
			t.Fatal(err)
		}
		defer v.Release()
		if v.Unwritten != nil {
			why = v.Unwritten.Message
		}
		return v.Snapshot.Name(), why
	}
	if name, why := look(); name != first || !strings.Contains(why, "another process is building it") {
		t.Errorf("while another builds: %s, %q", name, why)
	}
	other.Close()
	if name, why := look(); name == first || why != "" {
		t.Errorf("after it has ended: %s, %q", name, why)
	}
}

func TestCancelledBuildLeavesNothing(t *testing.T) {
	for _, phase := range []Phase{PhaseWalk, PhaseIndex, PhaseWrite} {
		t.Run(string(phase), func(t *testing.T) {
			b := newBench(t)
			x := b.open()
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			_, err := x.exclusive(ctx, true, func(p Progress) {
				if p.Phase == phase {
					cancel()
				}
			})
			if !errors.Is(err, context.Canceled) {
				t.Fatalf("error %v", err)
			}
			for _, file := range b.files() {
				if file != lockFile && file != useFile {
					t.Errorf("%s was left behind", file)
				}
			}
			lock := flock.New(filepath.Join(b.dir, lockFile))
			defer lock.Close()
			if ok, _ := lock.TryLock(); !ok {
				t.Error("the builder's lock is still held")
			}
		})
	}
}

func TestClose(t *testing.T) {
	b := newBench(t)
	x := b.open()
	snap, release := b.acquire(x)
	x.Close()
	if _, _, err := x.acquire(t.Context()); !errors.Is(err, ErrClosed) {
		t.Errorf("after Close: %v", err)
	}
	if snap.DocFreq("appl") != 1 {
		t.Error("an acquired snapshot was closed")
	}
	release()
	if err := snapshot.Retire(b.dir, snapshot.KindManual); err != nil {
		t.Fatal(err)
	}
	x.Close()
}

func TestSearchesWhileFilesChange(t *testing.T) {
	b := newBench(t)
	x, y := b.open(), b.open()
	stop := make(chan struct{})
	var wg sync.WaitGroup
	for _, ix := range []*Index{x, y, x} {
		wg.Go(func() {
			for {
				select {
				case <-stop:
					return
				default:
				}
				ix.addPending(pendingChanges{all: true})
				snap, release, err := ix.acquire(t.Context())
				if err != nil {
					t.Error(err)
					return
				}
				if snap.DocFreq("cherri") != 1 || snap.DocFreq("round") != 1 && snap.DocFreq("appl") != 1 {
					t.Error("an inconsistent snapshot")
				}
				release()
			}
		})
	}
	for i := range 10 {
		b.write("a/new.md.tmp", strings.Repeat("round ", i+1))
		if err := os.Rename(filepath.Join(b.root, "a/new.md.tmp"), filepath.Join(b.root, "a/one.md")); err != nil {
			t.Fatal(err)
		}
		time.Sleep(5 * time.Millisecond)
	}
	close(stop)
	wg.Wait()
}
