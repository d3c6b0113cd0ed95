package lsa

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

func TestEigenvectorsReproduceTheMatrix(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		k := rapid.IntRange(1, 40).Draw(t, "k")
		rank := rapid.IntRange(0, k).Draw(t, "rank")
		size := math.Pow(10, rapid.Float64Range(-100, 100).Draw(t, "size"))
		a := symmetric(k, rank, size, rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 1)))
		values, vectors, ok := eigen(slices.Clone(a), k)
		if !ok || !slices.IsSorted(values) {
			t.Fatalf("values %v, ok %v", values, ok)
		}
		highest := max(math.Abs(values[0]), math.Abs(values[k-1]))
		for i := range k {
			for j := range k {
				var sum, product float64
				for v := range k {
					sum += values[v] * vectors[v*k+i] * vectors[v*k+j]
					product += vectors[i*k+v] * vectors[j*k+v]
				}
				if math.Abs(sum-a[i*k+j]) > 1e-12*highest {
					t.Fatalf("element %d, %d is %g again, was %g", i, j, sum, a[i*k+j])
				}
				want := 0.0
				if i == j {
					want = 1
				}
				if math.Abs(product-want) > 1e-12 {
					t.Fatalf("vectors %d and %d have the product %g", i, j, product)
				}
			}
		}
	})
}

// symmetric returns a matrix of k rows: the sum of rank products of a random vector with itself, with alternating
// signs.
func symmetric(k, rank int, size float64, random *rand.Rand) []float64 {
	a := make([]float64, k*k)
	for r := range rank {
		v := make([]float64, k)
		for i := range v {
			v[i] = random.NormFloat64()
		}
		for i := range k {
			for j := range k {
				a[i*k+j] += size * v[i] * v[j] * float64(1-2*(r%2))
			}
		}
	}
	return a
}

func TestEigenOfSpecialMatrices(t *testing.T) {
	tests := map[string]struct {
		a    []float64
		want []float64
	}{
		"identity":      {[]float64{1, 0, 0, 0, 1, 0, 0, 0, 1}, []float64{1, 1, 1}},
		"diagonal":      {[]float64{3, 0, 0, 0, -2, 0, 0, 0, 0}, []float64{-2, 0, 3}},
		"zero":          {make([]float64, 4), []float64{0, 0}},
		"equal":         {[]float64{1, 1, 1, 1, 1, 1, 1, 1, 1}, []float64{0, 0, 3}},
		"beside only":   {[]float64{0, 1, 1, 0}, []float64{-1, 1}},
		"not a number":  {[]float64{math.NaN(), 1, 1, 2}, nil},
		"infinite":      {[]float64{math.Inf(1), 1, 1, 2}, nil},
		"beside no num": {[]float64{1, math.NaN(), math.NaN(), 2}, nil},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			k := int(math.Sqrt(float64(len(tt.a))))
			values, _, ok := eigen(tt.a, k)
			if ok != (tt.want != nil) || len(values) != len(tt.want) {
				t.Fatalf("values %v, ok %v, want %v", values, ok, tt.want)
			}
			for i, want := range tt.want {
				if math.Abs(values[i]-want) > 1e-14 {
					t.Errorf("values %v, want %v", values, tt.want)
				}
			}
		})
	}
}

func BenchmarkEigen(b *testing.B) {
	const k = 210
	a := symmetric(k, k, 1, rand.New(rand.NewPCG(1, 1)))
	for b.Loop() {
		if _, _, ok := eigen(slices.Clone(a), k); !ok {
			b.Fatal("not solved")
		}
	}
}
