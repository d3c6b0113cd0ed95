package vector

import (
	"context"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/RoaringBitmap/roaring/v2"
	"github.com/google/go-cmp/cmp"
)

// clustered returns a set of rows around 50 directions that all point to one side, like the vectors of models.
func clustered(dim, rows int) *Set {
	random := rand.New(rand.NewPCG(1, 2))
	directions := make([][]float32, 50)
	for i := range directions {
		directions[i] = make([]float32, dim)
		for j := range directions[i] {
			directions[i][j] = float32(random.NormFloat64() + 1)
		}
	}
	s, v := NewSet(dim, rows), make([]float32, dim)
	for row := range rows {
		a, b := directions[random.IntN(50)], directions[random.IntN(50)]
		for j := range v {
			v[j] = a[j] + b[j]/2 + float32(random.NormFloat64())
		}
		Normalise(v)
		s.Put(row, v)
	}
	return s
}

func scopeOf(n int) *roaring.Bitmap {
	scope := roaring.New()
	scope.AddRange(0, uint64(n))
	return scope
}

// TestSieveKeepsTheBest narrows to a sixteenth, which must contain the ten best of an exact search.
func TestSieveKeepsTheBest(t *testing.T) {
	const rows, queries = 20_000, 50
	all := clustered(128, rows)
	parts := []Part{{Set: all}}
	sieve, lost := NewSieve(parts), 0
	for i := range queries {
		v := all.At(i * 397)
		narrow, err := sieve.Narrow(t.Context(), v, scopeOf(rows), rows/16)
		if err != nil {
			t.Fatal(err)
		}
		if n := int(narrow.GetCardinality()); n < rows/16 || n > rows/6 {
			t.Fatalf("%d of %d are left", n, rows)
		}
		best, err := Search(t.Context(), parts, NewQuery(v), scopeOf(rows), 0.01, 10)
		if err != nil {
			t.Fatal(err)
		}
		for _, h := range best.Hits {
			if !narrow.Contains(h.Section) {
				lost++
			}
		}
	}
	if lost > queries*10/100 {
		t.Errorf("%d of the %d best were lost", lost, queries*10)
	}
}

func TestSieveKnowsPartsAndScopes(t *testing.T) {
	all := clustered(70, 300)
	with := func(from, to int) *Set {
		s := NewSet(70, to-from)
		for row := range to - from {
			s.Put(row, all.At(from+row))
		}
		return s
	}
	parts := []Part{
		{Set: with(0, 100)},
		{Base: 100, Set: NewSet(0, 0), First: make([]uint32, 11)},            // ten sections without vectors
		{Base: 110, Set: with(100, 200), First: append(evens(49), 100, 100)}, // two per section, four in the 49th
		{Base: 200, Set: with(200, 300)},                                     // sections 161 to 199 are in no part
	}
	sieve := NewSieve(parts)
	narrow := func(query []float32, scope *roaring.Bitmap, keep int) []uint32 {
		got, err := sieve.Narrow(t.Context(), query, scope, keep)
		if err != nil {
			t.Fatal(err)
		}
		return got.ToArray()
	}
	for row, section := range map[int]uint32{7: 7, 100: 110, 101: 110, 150: 135, 250: 250} {
		if got := narrow(all.At(row), scopeOf(300), 1); !slices.Contains(got, section) || len(got) > 5 {
			t.Errorf("the vector of section %d finds %v", section, got)
		}
	}
	if got := narrow(all.At(7), scopeOf(300), 300); len(got) != 100+49+100 {
		t.Errorf("%d sections have vectors", len(got))
	}
	if diff := cmp.Diff([]uint32{99, 200}, narrow(all.At(7), roaring.BitmapOf(99, 105, 180, 200, 300), 9)); diff != "" {
		t.Error(diff)
	}
	gone, cancel := context.WithCancel(t.Context())
	cancel()
	if got, err := sieve.Narrow(gone, all.At(7), scopeOf(300), 300); err != nil || !got.IsEmpty() {
		t.Errorf("after the end of the context %v, %v", got, err)
	}
	if got := NewSieve(nil); len(got.mean) > 0 {
		t.Error(got)
	}
}

// evens returns the first n even numbers, from 0.
func evens(n int) (out []uint32) {
	for i := range uint32(n) {
		out = append(out, 2*i)
	}
	return out
}

// BenchmarkSieve is [BenchmarkSearch] on the sixteenth that a sieve leaves.
func BenchmarkSieve(b *testing.B) {
	const rows = 500_000
	parts := []Part{{Set: randomSet(192, rows)}}
	sieve, v := NewSieve(parts), parts[0].Set.At(rows/2)
	q, scope := NewQuery(v), scopeOf(rows)
	for b.Loop() {
		narrow, err := sieve.Narrow(b.Context(), v, scope, rows/16)
		if err != nil {
			b.Fatal(err)
		}
		if r, err := Search(b.Context(), parts, q, narrow, 0.01, 300); err != nil || r.Hits[0].Section != rows/2 {
			b.Fatal(r.Hits, err)
		}
	}
}
