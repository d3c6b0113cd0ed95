package index

import (
	"context"
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/sagasu-search/sagasu/sdk/snapshot"
)

// slow opens an index that publishes parts of any size and, in the background,
// halts before the last one until told to go on.
func (b *bench) slow(opts Options) (x *Index, halted <-chan struct{}, proceed func()) {
	b.Helper()
	halt, begun := make(chan struct{}), make(chan struct{}, 100)
	opts.Progress = func(p Progress) {
		if p.Phase == PhaseWrite {
			begun <- struct{}{}
			<-halt
		}
	}
	x, err := Open(opts)
	if err != nil {
		b.Fatal(err)
	}
	x.pace = pace{after: 0, rest: 1}
	ctx, cancel := context.WithCancel(context.Background())
	context.AfterFunc(ctx, func() { close(halt) })
	b.Cleanup(func() { cancel(); x.Close() })
	return x, begun, cancel
}

func (b *bench) many(n int) {
	for i := range n {
		b.write(fmt.Sprintf("a/many%03d.md", i), fmt.Sprintf("# Page\nnumber%d of many words", i))
	}
}

func TestFirstBuildServesWhatItHas(t *testing.T) {
	b := newBench(t)
	b.many(50)
	x, halted, proceed := b.slow(b.options())
	y := b.open()
	part := b.view(x) // comes before the build ends
	if part.Pending == 0 || len(part.Sections) == 0 {
		t.Fatalf("the first part has %d sections, %d files pending", len(part.Sections), part.Pending)
	}
	<-halted
	part = b.view(x)
	if got := len(x.lackingNow()); got != part.Pending || part.Pending == 0 {
		t.Errorf("%d files are lacking, %d pending", got, part.Pending)
	}
	if other := b.view(y); other.Pending != part.Pending { // the builder's lock is held
		t.Errorf("another process shows %d pending files, want %d", other.Pending, part.Pending)
	}
	proceed()
	b.settles(x)
	b.settles(y)
	if len(x.lackingNow()) > 0 {
		t.Error("it still builds")
	}
	if n := len(x.lease().snap.Segments()); n < 3 || n > maxSegments {
		t.Errorf("%d segments", n)
	}
}

func TestBrokenOffBuildGoesOn(t *testing.T) {
	b := newBench(t)
	b.many(50)
	x, halted, proceed := b.slow(b.options())
	b.view(x)
	<-halted
	x.stop() // as when the process ends
	proceed()
	x.Close()
	y := b.open()
	first, err := y.State(t.Context())
	if err != nil || first.Pending == 0 || first.Sections == 0 || first.Fresh {
		t.Errorf("state of the part: %+v, %v", first, err)
	}
	report, err := y.exclusive(t.Context(), false, nil)
	if err != nil || report.Sections != 54 {
		t.Fatalf("%+v, %v", report, err)
	}
	if diff := cmp.Diff(b.anew(), b.view(y)); diff != "" {
		t.Errorf("(-anew +continued):\n%s", diff)
	}
}

func TestForcedBuildPublishesNoParts(t *testing.T) {
	b := newBench(t)
	b.many(50)
	x := b.open()
	x.pace = pace{after: 0, rest: 1}
	if r, err := x.Build(t.Context()); err != nil || r.Snapshot != "manual-000001" {
		t.Errorf("%+v, %v", r, err)
	}
}

func TestSearchesOutliveLongUpdates(t *testing.T) {
	b := newBench(t)
	opts := b.options()
	x, halted, proceed := b.slow(opts)
	go func() { <-halted; proceed() }()
	b.settles(x)
	old := b.view(x)
	y, halted, proceed := b.slow(opts)
	y.pace = usualPace
	b.view(y) // nothing to write
	b.write("a/one.md", "changed")
	y.addPending(pendingChanges{all: true})
	if got := b.view(y); got.Fingerprint != old.Fingerprint {
		t.Error("the update was not halted")
	}
	if len(y.lackingNow()) == 0 {
		t.Error("nothing is lacking")
	}
	<-halted
	proceed()
	b.settles(y)
}

func TestSearchesThatRunOnceGetAll(t *testing.T) {
	b := newBench(t)
	b.many(50)
	x := b.still()
	x.pace = pace{after: 0, rest: 1}
	if v := b.view(x); v.Pending > 0 || len(v.Sections) != 54 || x.base().Name() != "manual-000001" {
		t.Errorf("%d files pending, %d sections, %s", v.Pending, len(v.Sections), x.base().Name())
	}
}

// lackingNow lists the files that the current snapshot does not show as they are.
func (x *Index) lackingNow() []snapshot.File {
	x.mu.Lock()
	defer x.mu.Unlock()
	return x.unindexed
}
