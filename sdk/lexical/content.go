package lexical

import (
	"context"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/sagasu-search/sagasu/sdk/snapshot"
	"github.com/sagasu-search/sagasu/sdk/text"
)

// content returns the distinct tokens of a query that score sections: the tokens of its skeleton, and the word part
// of names such as raid1. It leaves out katakana words that no section has, unless snap is nil.
func content(snap *snapshot.Snapshot, query string) []token {
	norm := text.Skeleton(text.Fold(query))
	return contentOf(norm, unknownKatakana(snap, norm), snap)
}

// contentOf is content for a skeleton, without the words in unknown.
func contentOf(norm string, unknown []text.Run, snap *snapshot.Snapshot) []token {
	all := tokens(norm)
	out, seen := make([]token, 0, len(all)), make(map[string]bool, len(all))
	keep := func(x token) {
		if !seen[x.Term] {
			seen[x.Term] = true
			out = append(out, x)
		}
	}
	for _, x := range all {
		if slices.ContainsFunc(unknown, func(r text.Run) bool { return x.Start < r.End && x.End > r.Start }) {
			continue
		}
		if x.kana && x.Class == text.Unigram {
			continue // a particle, or the end of a verb
		}
		if x.Class == text.Bigram && besideParticle(norm, x) {
			x.Class, x.counts = text.Unigram, false // it says no more than a single character
		}
		keep(x)
		for _, part := range apart(snap, x) {
			keep(part)
		}
	}
	if len(out) == 0 && len(unknown) == 0 {
		return all // a query of particles
	}
	return out
}

// leastKatakana is how many consecutive characters of a katakana word some section must have for the word to count.
// Shorter pieces occur in unrelated words.
const leastKatakana = 3

// unknownKatakana returns the katakana words that share no leastKatakana consecutive characters with any section.
func unknownKatakana(snap *snapshot.Snapshot, norm string) (out []text.Run) {
	const size = len("ア")
	if snap == nil || !text.HasCJK(norm) {
		return nil
	}
	for run := range text.Runs(&text.Text{Norm: norm}) {
		known := run.Class != text.Katakana || run.End-run.Start < leastKatakana*size
		for at := run.Start; !known && at+leastKatakana*size <= run.End; at += size {
			known = somewhere(snap, norm[at:at+leastKatakana*size], contains)
		}
		if !known {
			out = append(out, run)
		}
	}
	return out
}

// wholeQuery returns the content of a whole query. Beside other words a katakana word may share any piece with the
// text, but one that stands alone must share its start, or a part that is a word: the text has no シャンプー for
// saying ジャンプ.
func wholeQuery(snap *snapshot.Snapshot, query string) []token {
	norm := text.Skeleton(text.Fold(query))
	unknown := unknownKatakana(snap, norm)
	if len(unknown) == 0 && isKatakanaWord(norm) && !sharesWord(snap, norm) {
		unknown = []text.Run{{End: len(norm)}}
	}
	return contentOf(norm, unknown, snap)
}

// tried is the number of sections with the first term of a text that are checked before all terms are intersected.
const tried = 16

// somewhere reports whether some section has s, which is CJK text, in the way that holds tests.
func somewhere(snap *snapshot.Snapshot, s string, holds func(norm, s string) bool) (found bool) {
	has := func(id uint32) bool {
		return someField(snap, id, func(norm string) bool { return holds(norm, s) })
	}
	terms := characters(s)
	if len(terms) == 0 { // only prolonged sound marks
		return false
	}
	var p snapshot.Postings
	for _, seg := range snap.Segments() {
		if !seg.Postings(terms[0][0], &p) || !p.Next() {
			continue
		}
		dead := seg.Deleted()
		for _, doc := range p.Docs[:min(tried, len(p.Docs))] {
			if (dead == nil || !dead.Contains(doc)) && has(seg.Base()+doc) {
				return true
			}
		}
	}
	verified(context.Background(), snap, terms, func(id uint32) bool {
		found = found || has(id)
		return false
	})
	return found
}

// particles are the particles of one kana: they stand between words.
const particles = "のをがはにへとでもや"

// besideParticle reports whether a pair of characters is a particle next to the end or start of a word of
// several characters.
func besideParticle(norm string, x token) bool {
	a, size := utf8.DecodeRuneInString(x.name)
	b, _ := utf8.DecodeRuneInString(x.name[size:])
	before, _ := utf8.DecodeLastRuneInString(norm[:x.Start])
	after, _ := utf8.DecodeRuneInString(norm[x.End:])
	return strings.ContainsRune(particles, b) && ofWord(a) && ofWord(before) ||
		strings.ContainsRune(particles, a) && ofWord(b) && ofWord(after)
}

// ofWord reports whether r is CJK but not hiragana.
func ofWord(r rune) bool { return text.IsCJK(r) && (r < 'ぁ' || r > 'ゟ') }

// apart returns a token for the word part of a name such as raid1 and, if no section has the name, one for its
// number.
func apart(snap *snapshot.Snapshot, x token) []token {
	letters := lettersOf(x.name)
	if x.Class != text.Word || len(letters) < 2 {
		return nil
	}
	word, number := x, x
	word.Term, word.name = text.Stem(letters), letters
	number.Term, number.name = x.name[len(letters):], x.name[len(letters):]
	if snap == nil || snap.DocFreq(x.Term) > 0 {
		return []token{word}
	}
	return []token{word, number}
}

// lettersOf returns the ASCII letters of a name of letters and trailing digits, or "" for any other word.
func lettersOf(name string) string {
	letters := strings.TrimRight(name, "0123456789")
	if letters == name || strings.ContainsFunc(letters, func(r rune) bool { return r < 'a' || r > 'z' }) {
		return ""
	}
	return letters
}

// writes reports whether a text contains a must term. A code such as raid1 may have its number apart.
func writes(norm, must string) bool {
	if strings.Contains(norm, must) {
		return true
	}
	if lettersOf(must) == "" {
		return false
	}
	start, _ := text.IndexLoose(norm, must)
	return start >= 0
}
