package evidence

import (
	"testing"

	"github.com/sagasu-search/sagasu/sdk/x/sample"
)

// ViewsIn returns the strings of values and of the searcher that point into the memory of the newest snapshot.
func (s *Searcher) ViewsIn(t *testing.T, values ...any) []string {
	t.Helper()
	v, err := s.index.View(t.Context(), patience)
	if err != nil {
		t.Fatal(err)
	}
	defer v.Release()
	s.mu.Lock()
	defer s.mu.Unlock()
	return sample.Views(v.Snapshot, append(values, s.lexicon)...)
}
