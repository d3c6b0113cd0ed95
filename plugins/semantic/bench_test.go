package semantic

import (
	"fmt"
	"math/rand/v2"
	"runtime"
	"strings"
	"testing"

	"github.com/sagasu-search/sagasu/sdk"
)

// zipfTexts returns n publications of 120 random words that follow Zipf's law.
func zipfTexts(n int) []row {
	zipf := rand.NewZipf(rand.New(rand.NewPCG(1, 2)), 1.1, 8, 200_000)
	words := func(n int) string {
		var out []string
		for range n {
			out = append(out, fmt.Sprintf("w%x", zipf.Uint64()))
		}
		return strings.Join(out, " ")
	}
	out := make([]row, n)
	for i := range out {
		out[i] = row{fmt.Sprintf("%07d", i), []string{words(5), words(40), words(75), ""}}
	}
	return out
}

var sizes = []int{10_000, 100_000}

// BenchmarkOpen learns from publications and computes their vectors.
func BenchmarkOpen(b *testing.B) {
	for _, n := range sizes {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			snap := publish(b, 1, zipfTexts(n))
			for b.Loop() {
				s := New()
				if err := s.Open(b.Context(), snap); err != nil {
					b.Fatal(err)
				}
				b.StopTimer()
				runtime.GC()
				var m runtime.MemStats
				runtime.ReadMemStats(&m)
				b.ReportMetric(float64(m.HeapAlloc)/(1<<20), "heap-MB")
				if err := s.Close(); err != nil {
					b.Fatal(err)
				}
				b.StartTimer()
			}
		})
	}
}

// BenchmarkSearch searches publications for the best 300.
func BenchmarkSearch(b *testing.B) {
	for _, n := range sizes {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			snap := publish(b, 1, zipfTexts(n))
			s := New()
			defer s.Close()
			req := &sdk.Request{Corpus: snap, Query: sdk.Query{Text: snap.Source(7, 1)}, Limit: 300}
			if err := s.Open(b.Context(), snap); err != nil {
				b.Fatal(err)
			}
			b.ReportAllocs()
			for b.Loop() {
				if _, err := s.Search(b.Context(), req); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
