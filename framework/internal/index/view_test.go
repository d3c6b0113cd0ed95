package index

import (
	"testing"
	"time"
)

// sees returns what a search with some patience gets.
func (b *bench) sees(x *Index, patience time.Duration) (sections, lacking int) {
	b.Helper()
	v, err := x.View(b.Context(), patience)
	if err != nil {
		b.Fatal(err)
	}
	defer v.Release()
	if len(v.Manuals) == 0 {
		b.Error("a view knows no manuals")
	}
	return int(v.Snapshot.Live().GetCardinality()), len(v.Lacking)
}

func TestViewOfAFirstBuild(t *testing.T) {
	b := newBench(t)
	b.many(50)
	x, halted, proceed := b.slow(b.options())
	b.view(x)
	<-halted
	if sections, lacking := b.sees(x, time.Millisecond); lacking == 0 || sections == 0 || sections >= 54 {
		t.Errorf("%d sections, %d files lacking", sections, lacking)
	}
	seen := make(chan [2]int)
	go func() {
		sections, lacking := b.sees(x, time.Hour)
		seen <- [2]int{sections, lacking}
	}()
	proceed()
	if got := <-seen; got != [2]int{54, 0} {
		t.Errorf("with patience: %v", got)
	}
}

func TestViewOfALongUpdate(t *testing.T) {
	b := newBench(t)
	opts := b.options()
	x, halted, proceed := b.slow(opts)
	go func() { <-halted; proceed() }()
	b.settles(x)
	y, halted, proceed := b.slow(opts)
	y.pace = usualPace
	b.view(y) // nothing to write
	b.write("a/one.md", "changed")
	y.addPending(pendingChanges{all: true})
	if _, lacking := b.sees(y, 0); lacking == 0 {
		t.Error("the changed file is not told of")
	}
	<-halted
	proceed()
	if _, lacking := b.sees(y, time.Hour); lacking != 0 {
		t.Errorf("%d files lacking", lacking)
	}
}
