package synonym

import (
	"fmt"
	"testing"

	"github.com/sagasu-search/sagasu/sdk/x/dict"
)

// Starting with imported dictionaries must not take longer than one search may.
func BenchmarkNewThesaurus(b *testing.B) {
	var entries []dict.Entry
	for i := range 50_000 {
		entries = append(entries, dict.Entry{To: []string{fmt.Sprintf("term%d", i), fmt.Sprintf("other word%d", i), fmt.Sprintf("用語%d番", i)}})
	}
	for b.Loop() {
		newThesaurus(entries)
	}
}
