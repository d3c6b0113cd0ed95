package rankfusion

import (
	"encoding/binary"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
	"unsafe"

	"golang.org/x/text/cases"
	"golang.org/x/text/unicode/norm"
)

// key returns the form in which the terms of facets compare.
func key(term string) string { return foldCase(strings.TrimSpace(term)) }

// united returns the terms of a facet, trimmed and each once.
func united(terms []string) []string {
	out, seen := make([]string, 0, len(terms)), map[string]bool{}
	for _, term := range terms {
		if k := key(term); !seen[k] {
			seen[k] = true
			out = append(out, strings.TrimSpace(term))
		}
	}
	return out
}

// rowSet is a set of rows that grows.
type rowSet []uint64

func (s rowSet) has(row uint32) bool { return s.bit(row) != 0 }

// bit returns 1 for a member.
func (s rowSet) bit(row uint32) uint64 {
	if int(row>>6) >= len(s) {
		return 0
	}
	return s[row>>6] >> (row & 63) & 1
}

func (s *rowSet) add(row uint32) {
	if need := int(row>>6) + 1 - len(*s); need > 0 {
		*s = append(*s, make([]uint64, need)...)
	}
	(*s)[row>>6] |= 1 << (row & 63)
}

// marks are the rows that were looked at for a term, and those of them that hold it.
type marks struct{ known, held rowSet }

// Unread lists those of rows whose text has not been looked through for all terms
// of the facets; give what their texts hold to [Catalog.Note] before blending.
func (c *Catalog) Unread(rows []uint32, facets map[string][]string) []uint32 {
	var sets []*marks
	for _, terms := range facets {
		for _, term := range terms {
			sets = append(sets, c.marks(term))
		}
	}
	var out []uint32
	for _, row := range rows {
		if slices.ContainsFunc(sets, func(m *marks) bool { return m == nil || !m.known.has(row) }) {
			out = append(out, row)
		}
	}
	return out
}

// Finder finds the terms of facets in texts. Safe for concurrent use.
type Finder struct{ terms []string } // folded, each once

// NewFinder prepares to find the terms of facets.
func NewFinder(facets map[string][]string) *Finder {
	seen := map[string]bool{}
	for _, terms := range facets {
		for _, term := range terms {
			seen[key(term)] = true
		}
	}
	return &Finder{sortedKeys(seen)}
}

// Held reports for each term whether one of the texts holds it.
func (f *Finder) Held(texts ...string) []bool {
	held := make([]bool, len(f.terms))
	for _, text := range texts {
		folded := foldCase(text)
		for i, term := range f.terms {
			held[i] = held[i] || strings.Contains(folded, term)
		}
	}
	return held
}

// Note records which terms the texts of a row hold.
func (c *Catalog) Note(row uint32, f *Finder, held []bool) {
	for i, term := range f.terms {
		m := c.terms[term]
		if m == nil {
			m = new(marks)
			c.terms[term] = m
		}
		m.known.add(row)
		if held[i] {
			m.held.add(row)
		}
	}
}

func (c *Catalog) marks(term string) *marks { return c.terms[key(term)] }

// facet is a facet ready for blending.
type facet struct {
	held   []rowSet  // by term
	shares []float64 // facet_weight · (n terms found / terms), by n
}

func (f facet) share(row uint32) float64 {
	found := uint64(0)
	for _, held := range f.held {
		found += held.bit(row)
	}
	return f.shares[found]
}

// facets returns those of the parameters in the order of their names; a facet without
// terms does not count.
func (c *Catalog) facets(p Params) []facet {
	var out []facet
	for _, name := range sortedKeys(p.FacetTerms) {
		terms, weight := united(p.FacetTerms[name]), value(p.FacetWeights, 1, name)
		f := facet{shares: []float64{0}}
		for i, term := range terms {
			if m := c.marks(term); m != nil { // it was looked for
				f.held = append(f.held, m.held)
			}
			f.shares = append(f.shares, weight*(float64(i+1)/float64(len(terms))))
		}
		if len(terms) > 0 {
			out = append(out, f)
		}
	}
	return out
}

// Absent lists the terms of facets that no publication of the lanes holds.
func (c *Catalog) Absent(lanes []Lane, facets map[string][]string) (terms []string) {
	rows, _ := c.distinct(lanes)
	for _, name := range sortedKeys(facets) {
		for _, term := range facets[name] {
			if m := c.marks(term); len(rows) > 0 && (m == nil || !slices.ContainsFunc(rows, m.held.has)) {
				terms = append(terms, term)
			}
		}
	}
	return terms
}

// foldCase returns the form in which facet terms compare (docs/reference/rank-fusion.md): NFKC, and
// no difference of case. What is parted by spaces has nothing to do with each other, and nearly all of it is
// ASCII and inert characters: the tables of x/text take ten times as long.
func foldCase(s string) string {
	var folded []byte // s up to done
	out, done := []byte(s), 0
	for i := 0; i < len(s); {
		if i+8 <= len(s) {
			if v := binary.LittleEndian.Uint64(out[i:]); v&high == 0 {
				binary.LittleEndian.PutUint64(out[i:], v|((v+(0x80-'A')*each)&^(v+(0x7f-'Z')*each)&high)>>2)
				i += 8
				continue
			}
		}
		b := s[i]
		if b < utf8.RuneSelf {
			if b >= 'A' && b <= 'Z' {
				out[i] = b + 'a' - 'A'
			}
			i++
			continue
		}
		r, n := utf8.DecodeRuneInString(s[i:])
		if inert(r) {
			i += n
			continue
		}
		from, to := done+strings.LastIndexByte(s[done:i], ' ')+1, len(s)
		if space := strings.IndexByte(s[i:], ' '); space >= 0 {
			to = i + space
		}
		folded = append(append(folded, out[done:from]...), foldAny(s[from:to])...)
		i, done = to, to
	}
	if folded != nil {
		out = append(folded, out[done:]...)
	}
	return unsafe.String(unsafe.SliceData(out), len(out)) // nobody writes to it any more
}

// Eight bytes at once: each of them, and the bit that no ASCII character has.
const (
	each = 0x0101010101010101
	high = 0x80 * each
)

// foldAny is foldCase by the tables.
func foldAny(s string) string {
	if !norm.NFKC.IsNormalString(s) {
		s = norm.NFKC.String(s)
	}
	if lower := strings.ToLower(s); !strings.ContainsFunc(s, foldsFurther) {
		return lower
	}
	return norm.NFKC.String(cases.Fold().String(s))
}

// foldsFurther reports whether lower case may not be all there is to a letter's case,
// as with ß and final sigma.
func foldsFurther(r rune) bool {
	return r >= utf8.RuneSelf && r < 0x2E80 && unicode.IsLetter(r) ||
		r >= 0xA640 && unicode.IsOneOf([]*unicode.RangeTable{unicode.Upper, unicode.Lower}, r)
}

// inert reports whether a frequent character is changed neither by NFKC nor by case, whatever
// inert or ASCII ones stand about it: kana, kanji and some marks.
func inert(r rune) bool {
	switch {
	case r >= 0x4E00 && r <= 0x9FFF, r >= 0x3041 && r <= 0x3096, r >= 0x30A1 && r <= 0x30FC,
		r >= 0x3008 && r <= 0x3011, r == '、', r == '。':
		return true
	}
	return strings.ContainsRune("°±×–—‘’“”", r)
}
