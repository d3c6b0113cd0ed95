package pdfium

import (
	"bytes"
	"encoding/binary"
	"io/fs"
	"maps"
	"slices"
	"testing/fstest"
)

// fonts returns a file system with one font, in a folder that PDFium searches. PDFium uses it for the Chinese, Japanese
// and Korean fonts that a document names but does not contain. Without it their characters have no shape, and PDFium
// omits text of a single character without a shape, such as the particle between two words in another font.
func fonts() fs.FS {
	return fstest.MapFS{"usr/share/fonts/box.ttf": &fstest.MapFile{Data: boxFont()}}
}

// boxFont returns a TrueType font in which every character is a box of the height and width of its line.
func boxFont() []byte {
	const (
		em, top, bottom = 1000, 880, -120
		glyph           = 1 // glyph 0 means none
		japanToKorea    = 1<<17 | 1<<18 | 1<<19 | 1<<20 | 1<<21
		name            = "Box"
	)
	box := words(1, 0, bottom, em, top, 3, 0, 0x0101, 0x0101, 0, 0, em, 0, bottom, em, 0, -em)
	return sfnt(map[string][]byte{
		"OS/2": join(words(1, em, 400, 5), make([]byte, 70), longs(japanToKorea, 0)),
		"cmap": join(words(0, 1, 3, 10), longs(12), words(13, 0), longs(28, 0, 1, ' ', 0x10ffff, glyph)),
		"glyf": box,
		"head": join(longs(1<<16, 0, 0, 0x5f0f3cf5), words(0, em), make([]byte, 16),
			words(0, bottom, em, top, 0, 8, 2, 0, 0)),
		"hhea": join(longs(1<<16), words(top, bottom, 0, em, 0, 0, em, 1), make([]byte, 14), words(1)),
		"hmtx": words(em, 0, 0),
		"loca": words(0, 0, len(box)/2),
		"maxp": join(longs(1<<16), words(2, 4, 1), make([]byte, 4), words(2), make([]byte, 16)),
		"name": join(words(0, 1, 18, 1, 0, 0, 1, len(name), 0), []byte(name)),
	})
}

// sfnt assembles the tables of a font.
func sfnt(tables map[string][]byte) []byte {
	const entry = 16
	names := slices.Sorted(maps.Keys(tables))
	head := join(longs(1<<16), words(len(names), 128, 3, len(names)*entry-128))
	var body []byte
	at := len(head) + len(names)*entry
	for _, name := range names {
		table := tables[name]
		head = join(head, []byte(name), longs(0, at+len(body), len(table)))
		body = join(body, table, make([]byte, -len(table)&3))
	}
	return join(head, body)
}

// words encodes numbers of 16 bits, longs of 32.
func words(numbers ...int) (out []byte) {
	for _, n := range numbers {
		out = binary.BigEndian.AppendUint16(out, uint16(n))
	}
	return out
}

func longs(numbers ...int) (out []byte) {
	for _, n := range numbers {
		out = binary.BigEndian.AppendUint32(out, uint32(n))
	}
	return out
}

func join(parts ...[]byte) []byte { return bytes.Join(parts, nil) }
