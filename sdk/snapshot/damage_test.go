package snapshot

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/RoaringBitmap/roaring/v2"
	"pgregory.net/rapid"
)

// readAll calls the reading methods. It only checks that they return.
func readAll(g *Segment) {
	s := &Snapshot{segments: []*Segment{g}, bound: g.Len(), live: roaring.New()}
	s.live.AddRange(0, uint64(g.Len()))
	s.StartsIn(s.live, func(File, []uint32) {})
	s.Near("", "section", MostEdits)
	for id := range s.Bound() {
		s.Section(id)
		for f := range g.meta.Fields {
			s.Source(id, f)
			s.Normalized(id, f)
			_ = g.Lengths(f)[id]
			s.AvgLen(f)
		}
	}
	for range s.Files() {
	}
	for key := range s.Keywords("") {
		s.Keyword(key)
	}
	var p Postings
	for term := range s.Terms("") {
		s.DocFreq(term)
		if !g.Postings(term, &p) {
			continue
		}
		for p.Next() {
			for f := range p.Fields() {
				p.Freq(f, len(p.Docs)-1)
				p.Freqs(f)
			}
			p.NextAt(p.Docs[len(p.Docs)-1] + 1)
		}
	}
}

func sample(t testing.TB) []byte { return encode(t, ManualSchema(KindManual), manual(150)) }

func wantCorrupt(t testing.TB, err error, what string, at int) {
	t.Helper()
	if _, ok := errors.AsType[*CorruptError](err); !ok {
		t.Fatalf("%s at %d: error %v, want a CorruptError", what, at, err)
	}
}

func TestEveryFlippedByteIsDetected(t *testing.T) {
	data := sample(t)
	for at := range data {
		bad := slices.Clone(data)
		bad[at] ^= 1 << (at % 8)
		_, err := openSegment("x.seg", bad, true)
		wantCorrupt(t, err, "flip", at)
	}
}

func TestEveryTruncationIsDetected(t *testing.T) {
	data := sample(t)
	for _, verify := range []bool{true, false} {
		for n := range data {
			_, err := openSegment("x.seg", data[:n:n], verify)
			wantCorrupt(t, err, "cut", n)
		}
		_, err := openSegment("x.seg", append(slices.Clone(data), 0), verify)
		wantCorrupt(t, err, "extended", len(data))
	}
}

func TestDamagedReadsAreBounded(t *testing.T) {
	data := sample(t)
	rapid.Check(t, func(t *rapid.T) {
		bad := slices.Clone(data)
		for range rapid.IntRange(1, 4).Draw(t, "flips") {
			bad[rapid.IntRange(0, len(bad)-1).Draw(t, "at")] ^= rapid.ByteRange(1, 255).Draw(t, "xor")
		}
		if g, err := openSegment("x.seg", bad, false); err == nil {
			readAll(g)
		}
	})
}

// TestDamageIsRemembered flips bytes all over the file, including some that opening does not read.
func TestDamageIsRemembered(t *testing.T) {
	data := sample(t)
	remembered := 0
	for at := 0; at < len(data); at += 97 {
		bad := slices.Clone(data)
		bad[at] ^= 0xff
		g, err := openSegment("x.seg", bad, false)
		if err != nil {
			continue
		}
		readAll(g)
		if g.damage.first.Load() != nil {
			remembered++
		}
	}
	if remembered == 0 {
		t.Error("no damage was remembered in any read")
	}
	t.Logf("%d damages remembered in %d bytes", remembered, len(data))
}

// TestCyclicDictionary makes the terms point into a dictionary that never ends.
func TestCyclicDictionary(t *testing.T) {
	data, err := buildFST(1, func(int) ([]byte, uint64) { return bytes.Repeat([]byte("ab"), 4), 1 })
	if err != nil {
		t.Fatal(err)
	}
	for at := range data {
		for bit := range 8 {
			bad := slices.Clone(data)
			bad[at] ^= 1 << bit
			d := &dictionary{part: "terms", depth: maxTerm, damage: &damage{}}
			d.load(bad)
			if d.fst == nil {
				continue
			}
			for key := range d.entries("") {
				d.get(string(key))
			}
		}
	}
}

// TestFileCutWhileMapped reads pages that no longer exist.
func TestFileCutWhileMapped(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "x.seg")
	if err := os.WriteFile(path, encode(t, ManualSchema(KindManual), manual(2000)), 0o600); err != nil {
		t.Fatal(err)
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer root.Close()
	m, err := mapFile(root, "x.seg")
	if err != nil {
		t.Fatal(err)
	}
	defer m.unmap()
	if err := os.Truncate(path, 1); err != nil {
		t.Skipf("a mapped file cannot be cut here: %v", err)
	}
	_, err = openSegment("x.seg", m, true)
	wantCorrupt(t, err, "cut while mapped", 1)
}

func FuzzManifest(f *testing.F) {
	good, err := Manifest{Version: FormatVersion, Name: "manual-000001", Kind: KindManual}.encode()
	if err != nil {
		f.Fatal(err)
	}
	f.Add(good)
	f.Add([]byte(`{"version":1,"name":"manual-000001"}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		m, err := decodeManifest(&damage{}, "manual-000001", data)
		if err != nil {
			wantCorrupt(t, err, "manifest", 0)
			return
		}
		if again, err := m.encode(); err != nil || !bytes.Equal(again, data) {
			t.Fatalf("read %q, wrote %q, %v", data, again, err)
		}
	})
}

func FuzzBitmap(f *testing.F) {
	for _, b := range []*roaring.Bitmap{roaring.New(), roaring.BitmapOf(1, 5, 70000), roaring.BitmapOf(2)} {
		b.AddRange(100, 900)
		b.RunOptimize()
		data, err := b.ToBytes()
		if err != nil {
			f.Fatal(err)
		}
		f.Add(data)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		const bound = 100000
		b, err := decodeIDs(data, bound)
		if err != nil {
			return
		}
		n, last := uint64(0), int64(-1)
		for it := b.Iterator(); it.HasNext(); n++ {
			id := int64(it.Next())
			if id <= last || id >= bound {
				t.Fatalf("id %d after %d", id, last)
			}
			last = id
		}
		if n != b.GetCardinality() {
			t.Fatalf("%d ids, cardinality %d", n, b.GetCardinality())
		}
	})
}

func FuzzOpenSegment(f *testing.F) {
	data := sample(f)
	f.Add(uint32(0), uint8(0), uint32(0), uint8(0), uint32(0))
	f.Add(uint32(20), uint8(1), uint32(len(data)-20), uint8(255), uint32(0))
	f.Add(uint32(0), uint8(0), uint32(0), uint8(0), uint32(7))
	f.Fuzz(func(t *testing.T, at uint32, xor uint8, at2 uint32, xor2 uint8, cut uint32) {
		bad := slices.Clone(data)
		bad[int(at)%len(bad)] ^= xor
		bad[int(at2)%len(bad)] ^= xor2
		bad = bad[:len(bad)-int(cut)%len(bad)]
		if g, err := openSegment("x.seg", bad, false); err == nil {
			readAll(g)
		}
		_, err := openSegment("x.seg", bad, true)
		if same := bytes.Equal(bad, data); same != (err == nil) {
			t.Fatalf("same bytes: %v, error: %v", same, err)
		}
	})
}

// FuzzPostings reads a list of arbitrary bytes.
func FuzzPostings(f *testing.F) {
	e := newListEncoder(2)
	for i := range uint32(300) {
		e.add([]uint32{i * 3}, []uint8{uint8(i % 2), uint8(i % 7)})
	}
	f.Add(append(e.appendList(nil), make([]byte, slack)...))
	f.Add([]byte{1, 8, 0, 0, 0, 0, 0, 0, 0, 0})
	f.Fuzz(func(t *testing.T, data []byte) {
		g := &Segment{damage: &damage{}, rows: make([]sectionRow, 1000), lengths: make([][]uint16, 2)}
		g.lengths[0], g.lengths[1] = make([]uint16, 1000), make([]uint16, 1000)
		var p Postings
		if !p.open(g, data) {
			return
		}
		next := uint32(0)
		for p.NextAt(next) {
			for i, d := range p.Docs {
				if d >= 1000 || (i > 0 && d <= p.Docs[i-1]) {
					t.Fatalf("sections %v", p.Docs)
				}
			}
			next = p.Docs[len(p.Docs)-1] + 1
		}
	})
}
