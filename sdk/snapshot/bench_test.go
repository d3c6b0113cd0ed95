package snapshot

import (
	"fmt"
	"io"
	"math/rand/v2"
	"strings"
	"testing"
)

// mixed returns a corpus of n sections in Japanese and English with a vocabulary that grows as in natural text.
func mixed(n int) (files []file, size int64) {
	rng := rand.New(rand.NewPCG(1, 2))
	zipf := rand.NewZipf(rng, 1.2, 8, 60000)
	f := file{File: File{Group: "m", Path: "a.md"}}
	for i := range n {
		var b strings.Builder
		for range 30 {
			v := zipf.Uint64()
			fmt.Fprintf(&b, "w%x %c%c%c。", v, rune(0x4e00+v%4000), rune(0x3042+v%80), rune(0x4e00+v/7%5000))
		}
		d := doc{Section: Section{Title: "t", Node: NodeHeading, Parent: None}, texts: []string{fmt.Sprintf("見出し %d", i), b.String(), ""}}
		size += int64(len(d.texts[0]) + len(d.texts[1]))
		f.docs = append(f.docs, d)
	}
	return []file{f}, size
}

func BenchmarkWrite(b *testing.B) {
	files, size := mixed(20000)
	b.SetBytes(size)
	b.ReportAllocs()
	for b.Loop() {
		n, _, err := fill(ManualSchema(KindManual), files).write(io.Discard)
		if err != nil {
			b.Fatal(err)
		}
		b.ReportMetric(float64(n), "file-B")
	}
}

func BenchmarkPostings(b *testing.B) {
	s := publish(b, b.TempDir(), ManualSchema(KindManual), manual(50000))
	g := s.Segments()[0]
	var p Postings
	b.Run("walk", func(b *testing.B) {
		b.SetBytes(int64(g.Len()))
		for b.Loop() {
			for ok := g.Postings("common", &p); ok && p.Next(); {
			}
		}
	})
	b.Run("skip", func(b *testing.B) {
		for b.Loop() {
			g.Postings("common", &p)
			for doc := uint32(0); p.NextAt(doc); doc += 1000 {
			}
		}
	})
	b.Run("lookup", func(b *testing.B) {
		for b.Loop() {
			g.Postings("third", &p)
		}
	})
}

func BenchmarkOpen(b *testing.B) {
	dir := b.TempDir()
	files, _ := mixed(20000)
	name := publish(b, dir, ManualSchema(KindManual), files).Name()
	for _, verify := range []bool{false, true} {
		b.Run(fmt.Sprintf("verify=%v", verify), func(b *testing.B) {
			for b.Loop() {
				s, err := Open(dir, name, verify)
				if err != nil {
					b.Fatal(err)
				}
				s.Close()
			}
		})
	}
}
