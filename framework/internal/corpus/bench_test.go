package corpus_test

import (
	"cmp"
	"os"
	"path/filepath"
	"testing"

	"github.com/sagasu-search/sagasu/framework/internal/corpus"
)

// BenchmarkCut cuts every file of the large Japanese evaluation set.
func BenchmarkCut(b *testing.B) {
	shared := cmp.Or(os.Getenv("SAGASU_SHARED"), filepath.Join("..", "..", "..", "..", "shared"))
	manuals, err := corpus.Manuals(filepath.Join(shared, "eval", "scale_ja", "corpus"), nil)
	if err != nil {
		b.Skip("the evaluation set is not here: ", err)
	}
	names, texts, size := []string{}, [][]byte{}, 0
	for _, m := range manuals {
		files, _, err := corpus.Walk(b.Context(), m)
		if err != nil {
			b.Fatal(err)
		}
		for _, f := range files {
			src, err := corpus.Open(b.Context(), m, f.Path)
			if err != nil {
				b.Fatal(err)
			}
			names, texts, size = append(names, f.Path), append(texts, src.Text), size+len(src.Text)
		}
	}
	b.SetBytes(int64(size))
	b.ReportAllocs()
	sections := 0
	for b.Loop() {
		sections = 0
		for i, src := range texts {
			sections += len(corpus.Cut(names[i], src))
		}
	}
	b.ReportMetric(float64(sections), "sections")
}
