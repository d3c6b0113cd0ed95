package main

import (
	"errors"
	"fmt"
	"testing"
	"unsafe"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"
)

func TestEveryFileIsReadAsWritten(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.Uint32Range(0, 50).Draw(t, "sections")
		p := &part{Lengths: make([]uint32, n), Terms: map[string][]posting{}}
		for local := range n {
			for _, term := range rapid.SliceOfN(rapid.IntRange(0, 9), 0, 8).Draw(t, "terms") {
				p.add(fmt.Sprint("語", term), local)
			}
		}
		got, err := decode(p.encode(), n)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(p, got, cmpopts.EquateEmpty()); diff != "" {
			t.Fatal(diff)
		}
		if _, err := decode(p.encode(), n+1); !errors.Is(err, errDamaged) {
			t.Fatalf("for another segment: %v", err)
		}
	})
}

func FuzzDecode(f *testing.F) {
	p := &part{Lengths: make([]uint32, 3), Terms: map[string][]posting{}}
	p.add("語", 0)
	p.add("語", 2)
	f.Add(p.encode(), uint32(3))
	f.Fuzz(func(t *testing.T, data []byte, sections uint32) {
		if sections > 1000 {
			return
		}
		// Also with a matching checksum, to test what follows.
		for _, d := range [][]byte{data, sealed(data)} {
			p, err := decode(d, sections)
			if err != nil {
				if !errors.Is(err, errDamaged) {
					t.Fatal(err)
				}
				continue
			}
			for _, list := range p.Terms {
				for i, x := range list {
					if x.Local >= sections || x.Count == 0 || i > 0 && x.Local <= list[i-1].Local {
						t.Fatalf("an unusable list was taken: %v", list)
					}
				}
			}
		}
	})
}

// Terms point into mapped memory that will be unmapped: none may be kept, however often it occurs.
func TestNoTermStaysWhereItWasRead(t *testing.T) {
	text := []byte("語語")
	mapped := unsafe.String(&text[0], len(text))
	p := &part{Lengths: make([]uint32, 2), Terms: map[string][]posting{}}
	p.add(mapped[:3], 0)
	p.add(mapped[3:], 1)
	copy(text, "鬼鬼")
	if len(p.Terms["語"]) != 2 {
		t.Errorf("the terms are %v", p.Terms)
	}
}
