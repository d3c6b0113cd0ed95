package lexical

import (
	"strings"

	"github.com/sagasu-search/sagasu/sdk/snapshot"
)

// Finder looks for one needle in many texts. It steps from one place of the
// needle's rarest byte to the next: in text of three bytes a character, the
// first bytes say little and strings.Index stops at most of them.
type Finder struct {
	needle string
	rare   byte
	at     int // of the rare byte in the needle
}

// NewFinder returns a Finder of a needle, which is not empty; it takes the bytes of
// sample for usual.
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

// String is the needle.
func (f *Finder) String() string { return f.needle }

// Index is where the needle first stands in s, -1 for nowhere.
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

// holds reports whether one of the section's fields holds the needle.
func (f *Finder) holds(snap *snapshot.Snapshot, section uint32) bool {
	for field := range snap.Fields() {
		if f.Index(snap.Normalized(section, field)) >= 0 {
			return true
		}
	}
	return false
}

// sample is text by which the bytes of a section's neighbours can be judged.
func sample(snap *snapshot.Snapshot, section uint32) string {
	body := snap.Normalized(section, len(snap.Fields())-1)
	return body[:min(len(body), 4<<10)]
}
