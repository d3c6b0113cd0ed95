package index

import (
	"bytes"
	"context"
	"errors"
	"iter"
	"regexp"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/hashicorp/go-hclog"

	"github.com/sagasu-search/sagasu/framework/internal/corpus"
	"github.com/sagasu-search/sagasu/sdk/x/guard"
)

// breaking is a source that panics where it is told to.
type breaking struct {
	corpus.ManualSource
	at *atomic.Value // the method, "" for none
}

func (s breaking) breaks(at string) {
	if s.at.Load() == at {
		panic("a broken " + at)
	}
}

func (s breaking) Cut(path string, src []byte) iter.Seq[corpus.Row] {
	if strings.HasPrefix(path, "one") {
		s.breaks("Cut")
	}
	return s.ManualSource.Cut(path, src)
}

func (s breaking) Text(path string, src []byte) ([]byte, string) {
	if strings.HasPrefix(path, "one") {
		s.breaks("Text")
	}
	return s.ManualSource.Text(path, src)
}

func (s breaking) Reach(path string) corpus.Reach {
	s.breaks("Reach")
	return s.ManualSource.Reach(path)
}

// breakingIndex opens an index whose source and list of manuals can be made to panic.
func breakingIndex(b *bench) (x *Index, at *atomic.Value, log *lockedLog) {
	at, log = new(atomic.Value), new(lockedLog)
	at.Store("")
	o := b.options()
	o.Source = breaking{at: at}
	o.Logger = hclog.New(&hclog.LoggerOptions{Output: log, Level: hclog.Debug})
	manuals := o.Manuals
	o.Manuals = func(ctx context.Context) ([]corpus.Manual, error) {
		o.Source.(breaking).breaks("Manuals")
		return manuals(ctx)
	}
	x, err := Open(o)
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { x.Close() })
	return x, at, log
}

// A source that panics on a file costs that file.
func TestASourceThatPanicsCostsTheFile(t *testing.T) {
	for _, where := range []string{"Cut", "Text"} {
		b := newBench(t)
		x, at, log := breakingIndex(b)
		at.Store(where)
		snap, release := b.acquire(x)
		if n := snap.Live().GetCardinality(); n != 2 { // two.md and data.json
			t.Errorf("%s: %d sections", where, n)
		}
		skipped := ""
		for f := range snap.Files() {
			skipped += f.Skipped
		}
		release()
		if skipped != "it cannot be cut into sections: panic: a broken "+where {
			t.Errorf("%s: skipped: %q", where, skipped)
		}
		if !strings.Contains(log.String(), "panic_test.go") {
			t.Errorf("%s: the log does not tell where:\n%s", where, log)
		}
	}
}

// An update that panics is an error of those who wait for it, and the next one makes it good.
func TestAnUpdateThatPanicsIsMadeGood(t *testing.T) {
	b := newBench(t)
	x, at, _ := breakingIndex(b)
	at.Store("Manuals")
	for range 2 {
		_, err := x.View(t.Context(), time.Hour)
		if _, panicked := errors.AsType[*guard.PanicError](err); !panicked {
			t.Fatalf("%v", err)
		}
	}
	at.Store("")
	snap, release := b.acquire(x)
	defer release()
	if n := snap.Live().GetCardinality(); n != 4 {
		t.Errorf("%d sections", n)
	}
}

// A watcher that panics is replaced by looks at the files.
func TestAWatcherThatPanicsIsReplaced(t *testing.T) {
	b := newBench(t)
	x, at, log := breakingIndex(b)
	_, release := b.acquire(x)
	release()
	at.Store("Reach")
	b.write("a/three.md", "# Three\nelderberry\n")
	if !b.watches(x) {
		t.Skip("the system reports no changes")
	}
	for { // until the event has come
		if strings.Contains(log.String(), "unexpected failure") {
			break
		}
		select {
		case <-t.Context().Done():
			t.Fatal("the watcher did not break")
		case <-time.After(time.Millisecond):
		}
	}
	snap, release := b.acquire(x)
	defer release()
	if n := snap.Live().GetCardinality(); n != 5 {
		t.Errorf("%d sections", n)
	}
	said := regexp.MustCompile(`files are not watched.*a broken Reach`)
	if b.watches(x) || !said.MatchString(log.String()) {
		t.Errorf("watched: %t\n%s", b.watches(x), log)
	}
}

func TestInOrderYieldsPanics(t *testing.T) {
	var failed []int
	i := 0
	for v, err := range inOrder(t.Context(), []int{0, 1, 2, 3, 4}, func(i int) int {
		if i%2 == 1 {
			panic(i)
		}
		return i
	}) {
		if err != nil {
			failed = append(failed, i)
		} else if v != i {
			t.Errorf("item %d is %d", i, v)
		}
		i++
	}
	if i != 5 || len(failed) != 2 || failed[0] != 1 || failed[1] != 3 {
		t.Errorf("%d items, failed %v", i, failed)
	}
}

// lockedLog may be written to by many.
type lockedLog struct {
	mu  sync.Mutex
	buf bytes.Buffer
}

func (l *lockedLog) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.buf.Write(p)
}

func (l *lockedLog) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.buf.String()
}
