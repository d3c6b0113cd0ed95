package index

import (
	"context"
	"fmt"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/hashicorp/go-hclog"

	"github.com/sagasu-search/sagasu/framework/internal/corpus"
)

func TestWatchedFilesAreNotWalked(t *testing.T) {
	b := newBench(t)
	walks := make(chan struct{}, 1000)
	opts := b.options()
	manuals := opts.Manuals
	opts.Manuals = func(ctx context.Context) ([]corpus.Manual, error) { walks <- struct{}{}; return manuals(ctx) }
	x, err := Open(opts)
	if err != nil {
		t.Fatal(err)
	}
	defer x.Close()
	b.view(x)
	x.mu.Lock()
	x.checked = time.Now().Add(-time.Hour) // would be old if nobody told of changes
	x.mu.Unlock()
	before := len(walks)
	for range 5 {
		b.view(x)
	}
	if n := len(walks); n != before {
		t.Errorf("%d looks without a change", n-before)
	}
}

func TestLimitOfWatchesFallsBackToWalking(t *testing.T) {
	b, log := newBench(t), new(lockedLog)
	opts := b.options()
	opts.Logger = hclog.New(&hclog.LoggerOptions{Output: log})
	x, err := Open(opts)
	if err != nil {
		t.Fatal(err)
	}
	defer x.Close()
	b.view(x)
	x.updateLock <- struct{}{}
	x.watching().fail(fmt.Errorf("add: %w", syscall.ENOSPC))
	x.unlockUpdates()
	b.name(x)
	if said := log.String(); !strings.Contains(said, "once a second") || !strings.Contains(said, "max_user_watches") {
		t.Errorf("the log does not say why files are walked:\n%s", said)
	}
	if b.watches(x) {
		t.Fatal("still watched")
	}
	b.write("a/one.md", "# One\nfound by walking")
	b.settles(x)
	x.updateLock <- struct{}{}
	x.watchAgain = time.Now()
	x.unlockUpdates()
	b.name(x)
	if !b.watches(x) {
		t.Error("not watched again")
	}
	b.write("a/one.md", "# One\nfound by watching")
	b.settles(x)
}

func TestNoManualsYet(t *testing.T) {
	b := newBench(t)
	opts := b.options()
	opts.Manuals = func(context.Context) ([]corpus.Manual, error) {
		found, err := corpus.Manuals(b.root, nil)
		for i := range found {
			if found[i].ID == "late" {
				return found[i : i+1], err
			}
		}
		return nil, err
	}
	x, err := Open(opts)
	if err != nil {
		t.Fatal(err)
	}
	defer x.Close()
	if v := b.view(x); len(v.Sections) > 0 {
		t.Fatalf("sections %v", v.Sections)
	}
	b.write("late/first.md", "the first")
	for limit := time.Now().Add(20 * time.Second); len(b.view(x).Sections) == 0; time.Sleep(20 * time.Millisecond) {
		if time.Now().After(limit) {
			t.Fatal("the first manual is not found")
		}
	}
}

func TestNewestOfOtherProcessesIsServed(t *testing.T) {
	b := newBench(t)
	x, y := b.still(), b.still()
	b.ensure(x)
	b.view(y)
	r, err := x.Build(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	y.mu.Lock()
	y.checked = time.Now().Add(time.Hour) // no walk is due
	y.mu.Unlock()
	snap, release, err := y.acquire(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer release()
	if snap.Name() != r.Snapshot {
		t.Errorf("%s, want %s", snap.Name(), r.Snapshot)
	}
}

func TestNamesAreNotReusedWhenTheIndexIsLost(t *testing.T) {
	b := newBench(t)
	x := b.open()
	first := b.name(x)
	for _, f := range b.files() {
		if f != useFile {
			b.removeIndexFile(f)
		}
	}
	if again := b.name(x); again <= first {
		t.Errorf("%s after %s", again, first)
	}
}
