package vector

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"math"
	"slices"
	"testing"

	"github.com/RoaringBitmap/roaring/v2"
	gocmp "github.com/google/go-cmp/cmp"
	"go.uber.org/goleak"
	"pgregory.net/rapid"

	"github.com/sagasu-search/sagasu/sdk/lexical"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// vectors draws n vectors, each of length 1 or zero.
func vectors(t *rapid.T, n, dim int) [][]float32 {
	out := make([][]float32, n)
	for i := range out {
		out[i] = rapid.SliceOfN(rapid.Float32Range(-1, 1), dim, dim).Draw(t, "vector")
		Normalise(out[i])
	}
	return out
}

func setOf(dim int, vs [][]float32) *Set {
	s := NewSet(dim, len(vs))
	for i, v := range vs {
		s.Put(i, v)
	}
	return s
}

func product(a, b []float32) float64 {
	var sum float64
	for i, x := range a {
		sum += float64(x) * float64(b[i])
	}
	return sum
}

// bound returns the maximum error of a quantised product for vectors of length 1: half a step of the set in every
// component, and the same for the query.
func bound(q, v []float32) float64 {
	var sumQ, sumV, mostQ, mostV float64
	for i := range q {
		sumQ, sumV = sumQ+math.Abs(float64(q[i])), sumV+math.Abs(float64(v[i]))
		mostQ, mostV = max(mostQ, math.Abs(float64(q[i]))), max(mostV, math.Abs(float64(v[i])))
	}
	stepV, stepQ := mostV/mostCode/2, mostQ/float64(stepsFor(len(q)))/2
	return stepV*sumQ + stepQ*(sumV+float64(len(q))*stepV) + 1e-6
}

func TestScoresAreProductsUpToTheRounding(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		dim, n := rapid.IntRange(1, 70).Draw(t, "dim"), rapid.IntRange(1, 20).Draw(t, "n")
		vs, q := vectors(t, n, dim), vectors(t, 1, dim)[0]
		rows, got := make([]uint32, n), make([]float32, n)
		for i := range rows {
			rows[i] = uint32(i)
		}
		setOf(dim, vs).Score(NewQuery(q), rows, got)
		for i, v := range vs {
			if want := product(q, v); math.Abs(float64(got[i])-want) > bound(q, v) {
				t.Fatalf("row %d: %v, want %v ± %v", i, got[i], want, bound(q, v))
			}
		}
	})
}

// TestSearchFindsTheBest compares with sorting all exact products. A hit that is not among the best of these may only
// be behind by as much as both roundings explain.
func TestSearchFindsTheBest(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		dim, n := rapid.IntRange(2, 24).Draw(t, "dim"), rapid.IntRange(1, 60).Draw(t, "n")
		vs, q := vectors(t, n, dim), vectors(t, 1, dim)[0]
		cut, limit := rapid.IntRange(0, n).Draw(t, "cut"), rapid.IntRange(1, n).Draw(t, "limit")
		parts := []Part{{Set: setOf(dim, vs[:cut])}, {Base: uint32(cut), Set: setOf(dim, vs[cut:])}}
		scope := roaring.New()
		for i := range n {
			if rapid.Bool().Draw(t, "in scope") {
				scope.Add(uint32(i))
			}
		}
		got, err := Search(context.Background(), parts, NewQuery(q), scope, -2, limit)
		if err != nil {
			t.Fatal(err)
		}
		ids := scope.ToArray()
		slices.SortFunc(ids, func(a, b uint32) int { return cmp.Compare(product(q, vs[b]), product(q, vs[a])) })
		want := ids[:min(limit, len(ids))]
		if len(got.Hits) != len(want) || !got.Matched.Equals(scope) || !got.Finished || got.Examined != len(ids) {
			t.Fatalf("%d hits of %d, examined %d, finished %v", len(got.Hits), len(want), got.Examined, got.Finished)
		}
		for i, h := range got.Hits {
			if !scope.Contains(h.Section) {
				t.Fatalf("section %d is not in scope", h.Section)
			}
			slack := bound(q, vs[h.Section]) + worstBound(q, vs)
			if behind := product(q, vs[want[i]]) - product(q, vs[h.Section]); behind > slack {
				t.Fatalf("hit %d is %v behind, more than %v", i, behind, slack)
			}
		}
		if !slices.IsSortedFunc(got.Hits, func(a, b lexical.Hit) int {
			return cmp.Or(cmp.Compare(b.Score, a.Score), cmp.Compare(a.Section, b.Section))
		}) {
			t.Fatalf("the hits are not in order: %v", got.Hits)
		}
	})
}

func worstBound(q []float32, vs [][]float32) float64 {
	worst := 0.0
	for _, v := range vs {
		worst = max(worst, bound(q, v))
	}
	return worst
}

func TestSearchKeepsToTheLeast(t *testing.T) {
	s := setOf(2, [][]float32{{1, 0}, {0, 1}, {-1, 0}, {0.6, 0.8}, {0, 0}})
	scope := roaring.BitmapOf(10, 11, 12, 13, 14)
	got, err := Search(t.Context(), []Part{{Base: 10, Set: s}}, NewQuery([]float32{1, 0}), scope, 0, 9)
	if err != nil {
		t.Fatal(err)
	}
	if diff := gocmp.Diff([]uint32{10, 13}, got.Matched.ToArray()); diff != "" {
		t.Errorf("matched (-want +got):\n%s", diff)
	}
	if len(got.Hits) != 2 || got.Hits[0].Section != 10 || math.Abs(got.Hits[0].Score-1) > 0.01 {
		t.Errorf("hits %v", got.Hits)
	}
}

func TestSearchStopsWithItsContext(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	scope := roaring.New()
	scope.AddRange(0, 3*block)
	got, err := Search(ctx, []Part{{Set: NewSet(4, 3*block)}}, NewQuery([]float32{1, 0, 0, 0}), scope, -1, 5)
	if err != nil {
		t.Fatal(err)
	}
	if got.Finished || got.Examined != 0 || len(got.Hits) != 0 {
		t.Errorf("%+v", got)
	}
}

func TestExtremesDoNotOverflow(t *testing.T) {
	for _, dim := range []int{1, 192, 1536, 8192} {
		v := slices.Repeat([]float32{1}, dim)
		got := make([]float32, 1)
		setOf(dim, [][]float32{v}).Score(NewQuery(v), []uint32{0}, got)
		if math.Abs(float64(got[0])-float64(dim)) > 0.001*float64(dim) {
			t.Errorf("%d ones: %v", dim, got[0])
		}
	}
}

func TestPuttingAgainChangesNothing(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := setOf(9, vectors(t, 1, 9))
		again := setOf(9, [][]float32{s.At(0)})
		if diff := gocmp.Diff(s.codes, again.codes); diff != "" {
			t.Fatal(diff)
		}
	})
}

func encode(t testing.TB, s *Set) []byte {
	t.Helper()
	var b bytes.Buffer
	n, err := s.WriteTo(&b)
	if err != nil || n != int64(b.Len()) {
		t.Fatalf("wrote %d of %d: %v", n, b.Len(), err)
	}
	return b.Bytes()
}

func TestDecodeGivesWhatWasWritten(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		dim := rapid.IntRange(0, 9).Draw(rt, "dim")
		s := setOf(dim, vectors(rt, rapid.IntRange(0, 9).Draw(rt, "n"), dim))
		got, err := Decode(encode(t, s))
		if err != nil {
			rt.Fatal(err)
		}
		for i := range s.Len() {
			if diff := gocmp.Diff(s.At(i), got.At(i)); diff != "" {
				rt.Fatal(diff)
			}
		}
		if got.Len() != s.Len() || got.Dim() != s.Dim() {
			rt.Fatalf("%d of %d, want %d of %d", got.Len(), got.Dim(), s.Len(), s.Dim())
		}
	})
}

func sampleFile(t testing.TB) []byte {
	return encode(t, setOf(3, [][]float32{{1, 0, 0}, {0.6, 0.8, 0}, {0, 0, 0}}))
}

func TestDecodeDetectsDamage(t *testing.T) {
	data := sampleFile(t)
	for at := range data {
		bad := slices.Clone(data)
		bad[at] ^= 1 << (at % 8)
		if _, err := Decode(bad); !errors.Is(err, ErrDamaged) {
			t.Errorf("flip at %d: %v", at, err)
		}
		if _, err := Decode(data[:at]); !errors.Is(err, ErrDamaged) {
			t.Errorf("cut at %d: %v", at, err)
		}
	}
}

func FuzzDecode(f *testing.F) {
	f.Add(sampleFile(f))
	f.Add([]byte(magic))
	f.Fuzz(func(t *testing.T, data []byte) {
		// With a correct checksum, so that the content after it is read.
		s, err := Decode(sealed(slices.Clone(data)))
		if err != nil {
			if !errors.Is(err, ErrDamaged) {
				t.Fatal(err)
			}
			return
		}
		for i := range s.Len() {
			s.At(i)
		}
		out := make([]float32, s.Len())
		rows := make([]uint32, s.Len())
		s.Score(NewQuery(make([]float32, s.Dim())), rows, out)
	})
}
