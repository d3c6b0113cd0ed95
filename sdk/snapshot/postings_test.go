package snapshot

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

func TestPackRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		width := rapid.IntRange(0, 8).Draw(t, "width")
		values := rapid.SliceOfN(rapid.Uint8Max(uint8(1<<width-1)), 0, BlockSize).Draw(t, "values")
		b := appendPacked(nil, values, width)
		if len(b) != packedSize(len(values), width) {
			t.Fatalf("%d bytes, want %d", len(b), packedSize(len(values), width))
		}
		got := make([]uint8, len(values))
		unpack(got, append(b, make([]byte, slack)...), width)
		if !slices.Equal(got, values) {
			t.Fatalf("got %v, want %v", got, values)
		}
	})
}

func TestPackedDistancesBecomeNumbers(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		width := rapid.IntRange(0, 32).Draw(t, "width")
		gaps := rapid.SliceOfN(rapid.Uint32Max(uint32(1<<width-1)), 0, BlockSize).Draw(t, "gaps")
		next := rapid.Uint64Max(1<<32).Draw(t, "lowest")
		b := append(appendPacked(nil, gaps, width), make([]byte, slack)...)
		got := make([]uint32, len(gaps))
		end := unpackAscending(got, b, width, next)
		for i, gap := range gaps {
			next += uint64(gap)
			if got[i] != uint32(next) {
				t.Fatalf("number %d is %d, want %d", i, got[i], uint32(next))
			}
			next++
		}
		if end != next {
			t.Fatalf("ends at %d, want %d", end, next)
		}
	})
}

// list is a random posting list over n sections.
type list struct {
	docs    []uint32
	freqs   [][]uint8 // per field
	lengths [][]uint16
}

func genList(t *rapid.T) list {
	const n = 3000
	fields := rapid.IntRange(1, MaxFields).Draw(t, "fields")
	step := rapid.IntRange(1, 20).Draw(t, "step")
	l := list{freqs: make([][]uint8, fields), lengths: make([][]uint16, fields)}
	for d := rapid.IntRange(0, 5).Draw(t, "first"); d < n; d += rapid.IntRange(1, step).Draw(t, "gap") {
		l.docs = append(l.docs, uint32(d))
		if len(l.docs) == 500 || rapid.IntRange(0, 300).Draw(t, "end") == 0 {
			break
		}
	}
	for f := range fields {
		most := rapid.SampledFrom([]uint8{0, 1, 3, 255}).Draw(t, "most")
		l.freqs[f] = rapid.SliceOfN(rapid.Uint8Max(most), len(l.docs), len(l.docs)).Draw(t, "freqs")
		l.lengths[f] = make([]uint16, n)
		for i := range l.lengths[f] {
			l.lengths[f][i] = uint16(i * (f + 7) % 991)
		}
	}
	return l
}

// open encodes the list between others and positions p before it.
func (l list) open(t *rapid.T, p *Postings) {
	e := newListEncoder(len(l.freqs))
	var rows []uint8
	for i := range l.docs {
		for f := range l.freqs {
			rows = append(rows, l.freqs[f][i])
		}
	}
	half := len(l.docs) / 2
	e.add(l.docs[:half], rows[:half*len(l.freqs)])
	e.add(l.docs[half:], rows[half*len(l.freqs):])
	data := append(e.appendList(nil), make([]byte, slack)...)
	g := &Segment{damage: &damage{}, lengths: l.lengths, rows: make([]sectionRow, len(l.lengths[0]))}
	if !p.open(g, data) {
		t.Fatal(g.damage.first.Load())
	}
	if p.Len() != len(l.docs) {
		t.Fatalf("Len = %d, want %d", p.Len(), len(l.docs))
	}
}

func TestListRoundTrip(t *testing.T) {
	var p Postings // reused for all lists
	rapid.Check(t, func(t *rapid.T) {
		l := rapid.Custom(genList).Draw(t, "list")
		l.open(t, &p)
		var got list
		got.freqs = make([][]uint8, len(l.freqs))
		for p.Next() {
			got.docs = append(got.docs, p.Docs...)
			for f := range p.Fields() {
				one := p.Freq(f, len(p.Docs)-1)
				freqs := p.Freqs(f)
				if freqs != nil && (one != freqs[len(freqs)-1] || p.Freq(f, 0) != freqs[0]) {
					t.Fatal("a single frequency is not that of all")
				}
				if freqs == nil {
					freqs = make([]uint8, len(p.Docs))
				} else if slices.Max(freqs) == 0 {
					t.Fatal("a field of zeros is not nil")
				}
				got.freqs[f] = append(got.freqs[f], freqs...)
			}
		}
		if diff := cmp.Diff(l.docs, got.docs); diff != "" {
			t.Fatalf("docs (-want +got):\n%s", diff)
		}
		if diff := cmp.Diff(l.freqs, got.freqs); diff != "" {
			t.Fatalf("freqs (-want +got):\n%s", diff)
		}
		if p.Next() || p.NextAt(0) {
			t.Fatal("a list goes on after its end")
		}
	})
}

func TestNextAt(t *testing.T) {
	var p Postings
	rapid.Check(t, func(t *rapid.T) {
		l := rapid.Custom(genList).Draw(t, "list")
		l.open(t, &p)
		at := 0 // index of the first section of the current block
		targets := rapid.SliceOfN(rapid.Uint32Max(3100), 1, 8).Draw(t, "targets")
		slices.Sort(targets)
		for _, target := range targets {
			block := at / BlockSize
			for block*BlockSize < len(l.docs) && l.docs[min((block+1)*BlockSize, len(l.docs))-1] < target {
				block++
			}
			at = block * BlockSize
			if at >= len(l.docs) {
				if p.NextAt(target) {
					t.Fatalf("NextAt(%d) found %v", target, p.Docs)
				}
				return
			}
			if !p.NextAt(target) {
				t.Fatalf("NextAt(%d) found nothing", target)
			}
			want := l.docs[at:min(at+BlockSize, len(l.docs))]
			if diff := cmp.Diff(want, p.Docs); diff != "" {
				t.Fatalf("NextAt(%d) (-want +got):\n%s", target, diff)
			}
		}
	})
}

func TestShortListsAreCompact(t *testing.T) {
	e := newListEncoder(2)
	e.add([]uint32{60}, []uint8{0, 1})
	if got := e.appendList(nil); len(got) != 2 {
		t.Errorf("one section, once in the body: %d bytes, want 2", len(got))
	}
	e.add([]uint32{3, 5, 60, 61}, []uint8{0, 1, 1, 2, 0, 1, 0, 1})
	if got := e.appendList(nil); len(got) != 8 {
		t.Errorf("four sections: %d bytes, want 8", len(got))
	}
}
