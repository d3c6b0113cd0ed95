package dict

import (
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/sagasu-search/sagasu/sdk/snapshot"
	"github.com/sagasu-search/sagasu/sdk/text"
)

// Limits of a dictionary.
const (
	MaxEntries = 200_000 // entries or words of all files together
	MaxTerms   = 64      // terms of one entry
	MaxRunes   = 64      // code points of one term, normalised
	MaxBytes   = 16 << 20
)

// Entry is one line of a synonym dictionary, its terms in normalised form (see
// package text).
type Entry struct {
	// From are the terms that To may replace; empty if the terms of To may replace each other.
	From []string `json:"from,omitempty"`
	// To are the alternatives.
	To []string `json:"to"`
}

// String writes the entry as a line of a file.
func (e Entry) String() string {
	to := strings.Join(e.To, ", ")
	if len(e.From) == 0 {
		return to
	}
	return strings.Join(e.From, ", ") + " => " + to
}

// terms returns the terms of both sides.
func (e Entry) terms() []string { return slices.Concat(e.From, e.To) }

// key returns a key that is equal for equivalent entries.
func (e Entry) key() string {
	from, to := slices.Sorted(slices.Values(e.From)), slices.Sorted(slices.Values(e.To))
	return strings.Join(from, ",") + "=>" + strings.Join(to, ",")
}

// check returns what is wrong with an entry, or "".
func (e Entry) check() string {
	all := e.terms()
	switch {
	case len(all) > MaxTerms:
		return fmt.Sprintf("an entry has at most %d terms, this one %d", MaxTerms, len(all))
	case len(e.From) == 0 && len(e.To) == 1:
		return fmt.Sprintf("%q stands alone; an entry needs two terms, \"a, b\" or \"a => b\"", e.To[0])
	}
	for i, t := range all {
		if slices.Contains(all[:i], t) {
			return fmt.Sprintf("%q is there twice: spellings that differ only in width, case or marks count as one", t)
		}
	}
	return ""
}

// fold normalises a term. If it is not valid, reason says why.
func fold(raw string) (term, reason string) {
	if term = text.Fold(raw); term != raw {
		term = text.Fold(term) // a folded ヴュ can leave a long vowel that only then counts as one too many
	}
	switch n := utf8.RuneCountInString(term); {
	case term == "":
		return "", "a term is empty"
	case n > MaxRunes:
		return "", fmt.Sprintf("a term has at most %d characters, this one %d", MaxRunes, n)
	case strings.IndexFunc(term, significant) < 0:
		return "", fmt.Sprintf("%q holds no letter and no digit", term)
	}
	return term, ""
}

func significant(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }

// Index returns the offset of the first occurrence of term as a word (see [Stands]) in norm, or -1.
// Both must be normalised.
func Index(norm, term string) int { return indexFrom(norm, term, 0) }

// indexFrom is like Index, but starts at a byte offset.
func indexFrom(norm, term string, from int) int {
	for from <= len(norm) && term != "" {
		i := strings.Index(norm[from:], term)
		if i < 0 {
			break
		}
		at := from + i
		if Stands(norm, at, at+len(term)) {
			return at
		}
		_, size := utf8.DecodeRuneInString(norm[at:])
		from = at + size
	}
	return -1
}

// In reports whether a field of a section contains the term as a word.
func In(snap *snapshot.Snapshot, section uint32, term string) bool {
	for f := range snap.Fields() {
		if Index(snap.Normalized(section, f), term) >= 0 {
			return true
		}
	}
	return false
}

// Stands reports whether norm[start:end], cut between characters, is a word. An alphabetic or
// katakana word must not continue before or after it (not ログ in プログラム, not cat in category), and a
// single kanji must not be next to another kanji (not 例 in 例外). Longer runs of kanji may be parts
// of others, since compounds are written without spaces.
func Stands(norm string, start, end int) bool {
	single := utf8.RuneCountInString(norm[start:end]) == 1
	return edge(norm, start, single) && edge(norm, end, single)
}

// edge reports whether a term may start or end at a byte offset.
func edge(s string, at int, single bool) bool {
	before, _ := utf8.DecodeLastRuneInString(s[:at])
	after, _ := utf8.DecodeRuneInString(s[at:])
	switch {
	case alphabetic(before) && alphabetic(after), katakana(before) && katakana(after):
		return false
	case single:
		return !unicode.Is(unicode.Han, before) || !unicode.Is(unicode.Han, after)
	}
	return true
}

func alphabetic(r rune) bool { return significant(r) && !text.IsCJK(r) }

func katakana(r rune) bool { return unicode.Is(unicode.Katakana, r) || r == 'ー' }
