package snapshot

import (
	"errors"
	"testing"

	"github.com/sagasu-search/sagasu/sdk/x/guard"
)

// A batch on which a worker panics fails the segment and holds nothing up.
func TestAWorkerThatPanicsFailsTheSegment(t *testing.T) {
	w := NewWriter(ManualSchema(KindManual))
	for range cap(w.idle) {
		<-w.idle
		w.idle <- nil // a worker that is not there
	}
	w.AddFile(File{Group: "a", Path: "a.md"})
	for range 2 * cap(w.idle) {
		w.Add(Section{Start: 1, Parent: None}, []string{"a", "b", "c"})
		w.dispatch()
	}
	_, err := w.WriteFile(t.Context(), t.TempDir(), "a.seg")
	if _, panicked := errors.AsType[*guard.PanicError](err); !panicked {
		t.Errorf("%v", err)
	}
	w.Discard()
}

// A vocabulary that does not fit its batches fails the segment.
func TestPostingsThatPanicAreAnError(t *testing.T) {
	w := NewWriter(ManualSchema(KindManual))
	w.AddFile(File{Group: "a", Path: "a.md"})
	w.Add(Section{Start: 1, Parent: None}, []string{"a", "b", "c"})
	if err := w.finish(); err != nil {
		t.Fatal(err)
	}
	v := newVocabulary(w.seed, w.batches)
	_, _, err := v.postings(nil, 2)
	if _, panicked := errors.AsType[*guard.PanicError](err); !panicked {
		t.Errorf("%v", err)
	}
}
