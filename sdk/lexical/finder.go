package lexical

import (
	"strings"
	"unicode/utf8"
)

// Finder searches many texts for one needle. It jumps between occurrences of the rarest byte of the
// needle. In CJK text, with three bytes per character, the first byte is so common that
// strings.Index stops at almost every character.
type Finder struct {
	needle string
	rare   byte
	at     int // offset of the rare byte in the needle
}

// NewFinder returns a Finder for a needle, which must not be empty. It takes byte frequencies from
// sample.
func NewFinder(needle, sample string) Finder {
	var counts [256]int
	for i := range len(sample) {
		counts[sample[i]]++
	}
	f := Finder{needle: needle}
	for i := range len(needle) {
		if i == 0 || counts[needle[i]] < counts[f.rare] {
			f.rare, f.at = needle[i], i
		}
	}
	return f
}

// finderOf is NewFinder without a sample. It takes the last byte of the first character, if that is CJK.
func finderOf(needle string) Finder {
	f := Finder{needle: needle}
	if needle[0] >= utf8.RuneSelf {
		f.at = min(len("ア"), len(needle)) - 1
	}
	f.rare = needle[f.at]
	return f
}

// contains is [strings.Contains] for a needle that is not empty, and faster in CJK text.
func contains(s, needle string) bool {
	f := finderOf(needle)
	return f.Index(s) >= 0
}

// String returns the needle.
func (f *Finder) String() string { return f.needle }

// Index returns the index of the first occurrence of the needle in s, or -1.
func (f *Finder) Index(s string) int {
	last := len(s) - len(f.needle) + f.at // of the rare byte
	for i := f.at; i <= last; i++ {
		n := strings.IndexByte(s[i:last+1], f.rare)
		if n < 0 {
			return -1
		}
		i += n
		if s[i-f.at:i-f.at+len(f.needle)] == f.needle {
			return i - f.at
		}
	}
	return -1
}

// holds reports whether one of the section's fields contains the needle.
func (f *Finder) holds(in texts, section uint32) bool {
	return someField(in, section, func(norm string) bool { return f.Index(norm) >= 0 })
}

// texts are the normalised texts of a snapshot, or those of a segment by local section id.
type texts interface {
	Fields() []string
	Normalized(section uint32, field int) string
}

// someField reports whether found is true for the normalised text of one of the section's fields.
func someField(in texts, section uint32, found func(norm string) bool) bool {
	for field := range in.Fields() {
		if found(in.Normalized(section, field)) {
			return true
		}
	}
	return false
}

// sample returns text with the byte frequencies of the corpus.
func sample(in texts, section uint32) string {
	var longest string
	for field := range in.Fields() {
		if norm := in.Normalized(section, field); len(norm) > len(longest) {
			longest = norm
		}
	}
	return longest[:min(len(longest), 4<<10)]
}
