package lsa

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"go.uber.org/goleak"
	"gonum.org/v1/gonum/mat"
	"pgregory.net/rapid"

	"github.com/sagasu-search/sagasu/sdk/sdktest"
	"github.com/sagasu-search/sagasu/sdk/snapshot"
	"github.com/sagasu-search/sagasu/sdk/x/vector"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// collection returns n sections of random words that follow Zipf's law.
func collection(t testing.TB, n, words int, seed uint64) *snapshot.Snapshot {
	zipf := rand.NewZipf(rand.New(rand.NewPCG(seed, 2)), 1.2, 8, uint64(20*n))
	sections := make([]sdktest.Section, n)
	for i := range sections {
		var body []string
		for range words {
			body = append(body, fmt.Sprintf("w%x", zipf.Uint64()))
		}
		sections[i] = sdktest.Section{Heading: body[0], Body: strings.Join(body[1:], " ")}
	}
	return sdktest.Snapshot(t, sections...)
}

func learn(t testing.TB, snap *snapshot.Snapshot, p Params) *Model {
	t.Helper()
	m, err := Learn(t.Context(), snap, p)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

var even = []float64{1, 1}

// randomMatrix draws a sparse matrix and its dense form.
func randomMatrix(t *rapid.T) (*matrix, *mat.Dense) {
	rows, cols := rapid.IntRange(2, 25).Draw(t, "rows"), rapid.IntRange(2, 25).Draw(t, "cols")
	a, d := newMatrix(cols), mat.NewDense(rows, cols, nil)
	for r := range rows {
		for c := range cols {
			if x := rapid.Float32Range(-4, 5).Draw(t, "x"); x > 0.01 {
				a.add(uint32(c), x)
				d.Set(r, c, float64(x))
			}
		}
		a.endRow()
	}
	return a, d
}

// TestDirectionsHoldMostOfTheMatrix compares with the exact decomposition: the remainder of the matrix without the
// directions is hardly greater than without the best directions of the same number. Single precision may lose
// directions fainter than a hundredth of the strongest.
func TestDirectionsHoldMostOfTheMatrix(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a, d := randomMatrix(t)
		k := rapid.IntRange(1, min(a.rows(), a.cols)).Draw(t, "k")
		vectors, values, err := a.leftSingular(context.Background(), k, 1)
		if err != nil {
			t.Fatal(err)
		}
		var exact mat.SVD
		if !exact.Factorize(d, mat.SVDNone) {
			t.Skip("no exact decomposition")
		}
		want := exact.Values(nil)
		faint := 0.01 * want[0]
		for i, x := range values {
			if x > want[i]+1e-3*want[0] || x < 0.9*want[i]-faint {
				t.Errorf("singular value %d is %v, exactly %v", i, x, want[i])
			}
		}
		checkOrthonormal(t, vectors, values, k)
		if left, least := rest(d, vectors, k), root(want[k:]); left > 1.05*least+math.Sqrt(float64(k))*faint {
			t.Errorf("%d directions leave %v of the matrix, the best %v", k, left, least)
		}
	})
}

// TestSmallMatricesKeepFaintDirections follows every direction of matrices whose faintest one was hidden by random
// numbers.
func TestSmallMatricesKeepFaintDirections(t *testing.T) {
	for _, size := range [][2]int{{4, 4}, {4, 9}, {9, 4}} {
		a := newMatrix(size[1])
		for r := range size[0] {
			if r < 4 {
				a.add([]uint32{1, 2, 3, 0}[r], []float32{5, 10, 0.02, 10}[r])
			}
			a.endRow()
		}
		for seed := range uint64(100) {
			_, values, err := a.leftSingular(t.Context(), 4, seed)
			if err != nil || math.Abs(values[3]-0.02) > 1e-4 {
				t.Fatalf("%d by %d, seed %d: the singular values are %v, %v", size[0], size[1], seed, values, err)
			}
		}
	}
}

func checkOrthonormal(t *rapid.T, vectors []float32, values []float64, k int) {
	g := gram(vectors, k)
	for i := range k {
		for j := range k {
			want := 0.0
			if i == j && values[i] > 0 {
				want = 1
			}
			if math.Abs(g[i*k+j]-want) > 1e-2 && values[i] > 1e-3*values[0] && values[j] > 1e-3*values[0] {
				t.Errorf("the product of directions %d and %d is %v", i, j, g[i*k+j])
			}
		}
	}
}

// rest returns the Frobenius norm of d − U·Uᵀ·d.
func rest(d *mat.Dense, vectors []float32, k int) float64 {
	rows, _ := d.Dims()
	u := mat.NewDense(rows, k, nil)
	for i, x := range vectors {
		u.Set(i/k, i%k, float64(x))
	}
	var held, projected mat.Dense
	held.Mul(u.T(), d)
	projected.Mul(u, &held)
	projected.Sub(d, &projected)
	return mat.Norm(&projected, 2)
}

func root(values []float64) float64 {
	sum := 0.0
	for _, x := range values {
		sum += x * x
	}
	return math.Sqrt(sum)
}

// TestFoldingInIsLearning compares the vectors that folding gives to the learned sections with S·V of the decomposition
// itself.
func TestFoldingInIsLearning(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		snap := collection(t, rapid.IntRange(20, 60).Draw(rt, "sections"), 12, rapid.Uint64().Draw(rt, "seed"))
		m := learn(t, snap, Params{Dim: 8, Fields: even})
		p := Params{Fields: even}.complete()
		a, err := occurrences(t.Context(), snap, vocabulary(snap, p.LeastDF, p.MostShare, p.MostTerms), m.weights, p)
		if err != nil {
			rt.Fatal(err)
		}
		a.normaliseColumns()
		learned := make([]float32, a.cols*m.Dim) // Aᵀ·U = V·S
		if err := a.transposedTimes(t.Context(), learned, m.vectors, m.Dim); err != nil {
			rt.Fatal(err)
		}
		folded := fold(t, m, snap, even)
		for i := range a.cols {
			want := learned[i*m.Dim : (i+1)*m.Dim]
			if !vector.Normalise(want) {
				continue
			}
			if c := cosine(want, folded.At(i)); !(c >= 0.9995) {
				rt.Errorf("section %d: cosine %v of the folded vector and the learned one", i, c)
			}
		}
	})
}

func TestChunksSumLikeTheWhole(t *testing.T) {
	snap := collection(t, 300, 12, 1)
	m := learn(t, snap, Params{Dim: 4, Fields: even})
	seg := snap.Segments()[0]
	whole, parts := make([]float32, 300*m.Dim), make([]float32, 300*m.Dim)
	sum := func(out []float32, cuts ...int) {
		for i, lo := range cuts[:len(cuts)-1] {
			if err := m.sum(t.Context(), seg, even, lo, cuts[i+1], out[lo*m.Dim:cuts[i+1]*m.Dim]); err != nil {
				t.Fatal(err)
			}
		}
	}
	sum(whole, 0, 300)
	sum(parts, 0, 1, 128, 299, 300)
	if diff := cmp.Diff(whole, parts); diff != "" {
		t.Error(diff)
	}
}

func fold(t testing.TB, m *Model, snap *snapshot.Snapshot, fields []float64) *vector.Set {
	t.Helper()
	set, err := m.Fold(t.Context(), snap, snap.Segments()[0], fields)
	if err != nil {
		t.Fatal(err)
	}
	return set
}

func cosine(a, b []float32) float64 {
	var ab, aa, bb float64
	for i := range a {
		x, y := float64(a[i]), float64(b[i])
		ab, aa, bb = ab+x*y, aa+x*x, bb+y*y
	}
	return ab / math.Sqrt(aa*bb)
}

func TestAQueryPointsToItsSection(t *testing.T) {
	snap := collection(t, 60, 12, 1)
	m := learn(t, snap, Params{Dim: 40, Fields: even})
	set := fold(t, m, snap, even)
	for i := range 60 {
		v, known := m.Vector(snap.Source(uint32(i), 0) + " " + snap.Source(uint32(i), 1))
		if v == nil || known == 0 {
			t.Fatalf("section %d: its text has no vector, %d known terms", i, known)
		}
		if c := cosine(v, set.At(i)); !(c >= 0.85) {
			t.Errorf("section %d: cosine %v of its text", i, c)
		}
	}
	if v, known := m.Vector("nobody wrote this"); v != nil || known != 0 {
		t.Errorf("unknown words: %v, %d known", v, known)
	}
}

func TestLearningTwiceGivesTheSame(t *testing.T) {
	snap := collection(t, 160, 20, 1)
	p := Params{Dim: 70, Fields: even} // more than one part of columns
	one, two := learn(t, snap, p), learn(t, snap, p)
	if one.ID() != two.ID() {
		t.Error("the models differ")
	}
	p.Seed = 7
	if learn(t, snap, p).ID() == one.ID() {
		t.Error("the seed changes nothing")
	}
}

func TestALargeCollectionIsSampled(t *testing.T) {
	snap := collection(t, 300, 20, 1)
	p := Params{Dim: 4, Fields: even, MostEntries: 700}.complete()
	terms := vocabulary(snap, p.LeastDF, p.MostShare, p.MostTerms)
	a, err := occurrences(t.Context(), snap, terms, make([]float32, len(terms)), p)
	if err != nil {
		t.Fatal(err)
	}
	if a.cols >= 300 || a.cols < 20 || len(a.index) > 2*700 {
		t.Errorf("%d entries of %d sections were read", len(a.index), a.cols)
	}
	if got := fold(t, learn(t, snap, p), snap, even).Len(); got != 300 {
		t.Errorf("%d of 300 sections have a vector", got)
	}
}

func TestFieldsWeigh(t *testing.T) {
	snap := collection(t, 60, 12, 1)
	p := Params{Dim: 4, Fields: []float64{0, 1}}
	m := learn(t, snap, p)
	a, b := fold(t, m, snap, p.Fields), fold(t, m, snap, []float64{8, 1})
	same := 0
	for i := range 60 {
		if cmp.Equal(a.At(i), b.At(i)) {
			same++
		}
	}
	if same == 60 {
		t.Error("the weight of the heading changes no vector")
	}
}

func TestLearnRefuses(t *testing.T) {
	if _, err := Learn(t.Context(), collection(t, 2, 3, 1), Params{Dim: 8, Fields: even}); !errors.Is(err, ErrTooSmall) {
		t.Errorf("two sections: %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	snap := collection(t, 60, 12, 1)
	if _, err := Learn(ctx, snap, Params{Dim: 8, Fields: even}); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
	m := learn(t, snap, Params{Dim: 8, Fields: even})
	if _, err := m.Fold(ctx, snap, snap.Segments()[0], even); !errors.Is(err, context.Canceled) {
		t.Errorf("folding, cancelled: %v", err)
	}
}

func TestDecodeGivesWhatWasEncoded(t *testing.T) {
	m := learn(t, collection(t, 60, 12, 1), Params{Dim: 8, Fields: even})
	got, err := Decode(m.Encode())
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(m, got, cmp.AllowUnexported(Model{})); diff != "" {
		t.Error(diff)
	}
}

func TestDecodeDetectsDamage(t *testing.T) {
	data := learn(t, collection(t, 40, 8, 1), Params{Dim: 2, Fields: even}).Encode()
	for at := range data {
		bad := slices.Clone(data)
		bad[at] ^= 1 << (at % 8)
		if _, err := Decode(bad); !errors.Is(err, ErrDamaged) {
			t.Fatalf("flip at %d: %v", at, err)
		}
		if _, err := Decode(data[:at]); !errors.Is(err, ErrDamaged) {
			t.Fatalf("cut at %d: %v", at, err)
		}
	}
}

func FuzzDecode(f *testing.F) {
	f.Add((&Model{Docs: 3, Dim: 2, terms: []string{"a", "b"}, weights: []float32{1, 2}, vectors: []float32{1, 0, 0, 1}}).Encode())
	f.Add([]byte(magic))
	f.Fuzz(func(t *testing.T, data []byte) {
		// With a correct checksum, so that the content after it is read.
		m, err := Decode(sealed(slices.Clone(data)))
		if err != nil {
			if !errors.Is(err, ErrDamaged) {
				t.Fatal(err)
			}
			return
		}
		m.Vector("a b 認証")
		if again, err := Decode(m.Encode()); err != nil || again.Terms() != m.Terms() {
			t.Fatal("what was decoded is not encoded again:", err)
		}
	})
}
