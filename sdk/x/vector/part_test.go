package vector

import (
	"bytes"
	"encoding/binary"
	"errors"
	"hash/crc32"
	"math"
	"slices"
	"testing"

	"github.com/RoaringBitmap/roaring/v2"
	gocmp "github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// partsOf distributes vectors over sections, some of which get none, in consecutive parts. of lists the vectors of each
// section.
func partsOf(t *rapid.T, dim int, vs [][]float32) (parts []Part, of [][]int) {
	for at, base := 0, uint32(0); at < len(vs); {
		n := rapid.IntRange(1, len(vs)-at).Draw(t, "rows")
		p := Part{Base: base, Set: setOf(dim, vs[at:at+n]), First: []uint32{0}}
		for left := n; left > 0; {
			k := rapid.IntRange(0, min(left, 3)).Draw(t, "pieces")
			var rows []int
			for range k {
				rows, at = append(rows, at), at+1
			}
			left -= k
			of, p.First = append(of, rows), append(p.First, uint32(n-left))
		}
		parts, base = append(parts, p), base+uint32(p.Sections())
	}
	return parts, of
}

func encodePart(t testing.TB, p Part) []byte {
	t.Helper()
	var b bytes.Buffer
	if n, err := p.WriteTo(&b); err != nil || n != int64(b.Len()) {
		t.Fatalf("wrote %d of %d: %v", n, b.Len(), err)
	}
	return b.Bytes()
}

// TestTheBestVectorOfASectionCounts compares sections of several vectors with individual products: in several parts, in
// one part, and read back.
func TestTheBestVectorOfASectionCounts(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		dim := rapid.IntRange(2, 9).Draw(rt, "dim")
		vs, q := vectors(rt, rapid.IntRange(1, 30).Draw(rt, "n"), dim), vectors(rt, 1, dim)[0]
		parts, of := partsOf(rt, dim, vs)
		scope := roaring.New()
		scope.AddRange(0, uint64(len(of)))
		got, err := Search(t.Context(), parts, NewQuery(q), scope, -2, len(of))
		if err != nil || len(got.Hits) != len(of) {
			rt.Fatal(len(got.Hits), err)
		}
		for _, h := range got.Hits {
			best, slack := 0.0, 0.0
			for i, row := range of[h.Section] {
				if p := product(q, vs[row]); i == 0 || p > best {
					best = p
				}
				slack = max(slack, bound(q, vs[row]))
			}
			if diff := h.Score - best; diff > slack+1e-6 || -diff > slack+1e-6 {
				rt.Fatalf("section %d scores %v, its best vector %v", h.Section, h.Score, best)
			}
		}
		joined := Join(parts)
		read, err := DecodePart(encodePart(t, joined))
		if err != nil {
			rt.Fatal(err)
		}
		var single []Part
		for _, p := range parts {
			for section := range uint32(p.Sections()) {
				single = append(single, p.Section(section, math.MaxInt32))
			}
		}
		for _, p := range [][]Part{{joined}, {*read}, single, {Join(single)}} {
			again, err := Search(t.Context(), p, NewQuery(q), scope, -2, len(of))
			if diff := gocmp.Diff(got.Hits, again.Hits); err != nil || diff != "" {
				rt.Fatal(err, diff)
			}
		}
	})
}

func TestSectionsOutsideThePartsScoreNothing(t *testing.T) {
	parts := []Part{
		{Base: 2, Set: setOf(2, [][]float32{{1, 0}})},
		{Base: 5, Set: setOf(2, [][]float32{{1, 0}, {0, 1}}), First: []uint32{0, 0, 2}},
	}
	scope := roaring.BitmapOf(0, 1, 2, 3, 4, 5, 6, 7)
	got, err := Search(t.Context(), parts, NewQuery([]float32{1, 0}), scope, 0.01, 9)
	if diff := gocmp.Diff([]uint32{2, 6}, got.Matched.ToArray()); err != nil || diff != "" {
		t.Error(err, diff)
	}
}

func samplePart(t testing.TB) []byte {
	return encodePart(t, Part{Set: setOf(3, [][]float32{{1, 0, 0}, {0.6, 0.8, 0}, {0, 0, 0}}), First: []uint32{0, 2, 2, 3}})
}

func TestDecodePartDetectsDamage(t *testing.T) {
	data := samplePart(t)
	for at := range data {
		bad := slices.Clone(data)
		bad[at] ^= 1 << (at % 8)
		if _, err := DecodePart(bad); !errors.Is(err, ErrDamaged) {
			t.Errorf("flip at %d: %v", at, err)
		}
		if _, err := DecodePart(data[:at]); !errors.Is(err, ErrDamaged) {
			t.Errorf("cut at %d: %v", at, err)
		}
	}
}

func FuzzDecodePart(f *testing.F) {
	f.Add(samplePart(f))
	f.Add(sampleFile(f))
	f.Fuzz(func(t *testing.T, data []byte) {
		data = slices.Clone(data)
		if head := len(partMagic) + 4; len(data) >= head { // with two correct checksums
			head += 4 * int(binary.LittleEndian.Uint32(data[len(partMagic):]))
			if head >= 0 && head+sumSize <= len(data) {
				binary.LittleEndian.PutUint32(data[head:], crc32.Checksum(data[:head], castagnoli))
				copy(data[head+sumSize:], sealed(slices.Clone(data[head+sumSize:])))
			}
		}
		p, err := DecodePart(data)
		if err != nil {
			if !errors.Is(err, ErrDamaged) {
				t.Fatal(err)
			}
			return
		}
		scope := roaring.New()
		scope.AddRange(0, uint64(min(p.Sections(), 1000)))
		if _, err := Search(t.Context(), []Part{*p}, NewQuery(make([]float32, p.Set.Dim())), scope, 0, 9); err != nil {
			t.Fatal(err)
		}
	})
}
