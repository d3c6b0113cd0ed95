package vector

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/RoaringBitmap/roaring/v2"
)

// randomSet returns a set with rows of random numbers.
func randomSet(dim, rows int) *Set {
	random := rand.New(rand.NewPCG(1, 2))
	s, v := NewSet(dim, rows), make([]float32, dim)
	for i := range rows {
		for j := range v {
			v[j] = float32(random.NormFloat64())
		}
		Normalise(v)
		s.Put(i, v)
	}
	return s
}

// BenchmarkSearch searches sections for the best 300.
func BenchmarkSearch(b *testing.B) {
	const dim = 192
	for _, rows := range []int{10_000, 100_000, 500_000} {
		b.Run(fmt.Sprint(rows), func(b *testing.B) {
			s := randomSet(dim, rows)
			scope := roaring.New()
			scope.AddRange(0, uint64(rows))
			q := NewQuery(s.At(rows / 2))
			b.ReportAllocs()
			for b.Loop() {
				r, err := Search(b.Context(), []Part{{Set: s}}, q, scope, 0.01, 300)
				if err != nil || r.Hits[0].Section != uint32(rows/2) {
					b.Fatal(r.Hits, err)
				}
			}
		})
	}
}
