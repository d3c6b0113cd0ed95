package snapshot

import (
	"errors"
	"testing"

	"github.com/sagasu-search/sagasu/sdk/x/guard"
)

// If a worker panics on a batch, the segment fails and nothing waits.
func TestAWorkerThatPanicsFailsTheSegment(t *testing.T) {
	w := NewWriter(ManualSchema(KindManual))
	for range cap(w.idle) {
		<-w.idle
		w.idle <- nil // a missing worker
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

// A vocabulary that does not match its batches fails the segment.
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
