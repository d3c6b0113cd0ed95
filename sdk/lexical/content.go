package lexical

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/sagasu-search/sagasu/sdk/snapshot"
	"github.com/sagasu-search/sagasu/sdk/text"
)

// content returns the distinct tokens by which a query scores sections: its tokens without what depends on the
// way it is written, where a variant stands for that. Without a snapshot all terms count as such that some section has.
func content(snap *snapshot.Snapshot, query string) []token {
	c := chooser{snap: snap, norm: text.Normalize(query)}
	c.covered, c.links = make([]int, len(c.norm.Norm)), make(map[int]bool)
	var z text.Tokenizer
	for tok := range z.Tokens(&c.norm) {
		if len(c.all) == mostTokens {
			break
		}
		if tok.Class != text.Bridge {
			c.all = append(c.all, newToken(c.norm.Norm, tok))
		}
		if tok.Class == text.Variant && tok.Term[0] >= utf8.RuneSelf {
			c.cover(tok)
		}
	}
	c.findUnknown()
	var kept []token
	seen := make(map[string]bool)
	keep := func(x token) {
		if !seen[x.Term] {
			seen[x.Term] = true
			kept = append(kept, x)
		}
	}
	for _, x := range c.all {
		switch {
		case text.EnglishStop(x.name) || c.replaced(x) || c.inUnknown(x):
		default:
			if joint, _ := c.joint(x); joint && x.Class == text.Bigram {
				x.Class = text.Unigram // it says as little
			}
			keep(x)
			for _, part := range c.apart(x) {
				keep(part)
			}
		}
	}
	if len(c.unknown) > 0 || slices.ContainsFunc(kept, func(x token) bool { return x.counts }) {
		return kept
	}
	return tokens(query)
}

// chooser chooses among the tokens of a query.
type chooser struct {
	snap *snapshot.Snapshot
	norm text.Text
	all  []token

	covered []int        // per byte of norm, the end of the variant that stands there, or 0
	links   map[int]bool // where variants of kanji start and end
	unknown [][2]int     // katakana that no section has, as bytes of norm
}

// cover notes that a variant of kanji stands for the tokens that it covers.
func (c *chooser) cover(v text.Token) {
	for i := v.Start; i < v.End; i++ {
		c.covered[i] = v.End
	}
	c.links[v.Start], c.links[v.End] = true, true
}

// replaced reports whether a variant stands for a token, or it is a particle by itself.
func (c *chooser) replaced(x token) bool {
	switch x.Class {
	case text.Variant, text.Whole:
		return false
	case text.Unigram:
		return x.kana && (x.counts || c.covered[x.Start] >= x.End) // a particle between words, okurigana
	case text.Bigram:
		if _, okurigana := c.joint(x); okurigana {
			return true
		}
	}
	return c.covered[x.Start] >= x.End
}

// leastKatakana is how many characters of a katakana word some section must have for any of them to count: pairs alone
// are shared by words that have nothing in common.
const leastKatakana = 3

// findUnknown finds the parts of katakana words of which no section has as much.
func (c *chooser) findUnknown() {
	const size = len("ア")
	for run := range text.Runs(&c.norm) {
		if c.snap == nil || run.Class != text.Katakana || run.End-run.Start < leastKatakana*size {
			continue
		}
		known := run.Start // up to here some section has what covers it
		for at := run.Start; at+leastKatakana*size <= run.End; at += size {
			end := at + leastKatakana*size
			if !somewhere(c.snap, c.norm.Norm[at:end]) {
				continue
			}
			c.lacks(known, at)
			known = end
		}
		c.lacks(known, run.End)
	}
}

// lacks notes that no section has what stands between two bytes of norm.
func (c *chooser) lacks(from, to int) {
	if from < to {
		c.unknown = append(c.unknown, [2]int{from, to})
	}
}

// inUnknown reports whether a token takes part in unknown katakana.
func (c *chooser) inUnknown(x token) bool {
	i, _ := slices.BinarySearchFunc(c.unknown, x.Start, func(u [2]int, at int) int { return cmp.Compare(u[1], at+1) })
	return i < len(c.unknown) && x.End > c.unknown[i][0]
}

// somewhere reports whether some section has s, which is CJK text.
func somewhere(snap *snapshot.Snapshot, s string) (found bool) {
	verified(context.Background(), snap, characters(s), func(id uint32) bool {
		found = found || someField(snap, id, func(norm string) bool { return strings.Contains(norm, s) })
		return false
	})
	return found
}

// joint says whether a pair of characters joins a word of several characters with kana, and whether that is
// okurigana, which writers keep or leave out there.
func (c *chooser) joint(x token) (joint, okurigana bool) {
	a, size := utf8.DecodeRuneInString(x.name)
	b, _ := utf8.DecodeRuneInString(x.name[size:])
	switch {
	case hiragana(a) && hiragana(b): // the rest of okurigana: わせ of 打ち合わせ
		return false, c.endsWord(x.Start) && text.EndOfNoun(c.norm.Norm[x.Start:]) > size
	case hiragana(b):
		ends := c.endsWord(x.Start + size)
		return ends, ends && text.EndOfNoun(c.norm.Norm[x.Start+size:]) > 0
	case hiragana(a):
		after, _ := utf8.DecodeRuneInString(c.norm.Norm[x.End:])
		return goesOn(after), false
	}
	return false, false
}

// endsWord reports whether a word of several characters ends at i.
func (c *chooser) endsWord(i int) bool {
	last, size := utf8.DecodeLastRuneInString(c.norm.Norm[:i])
	before, _ := utf8.DecodeLastRuneInString(c.norm.Norm[:i-size])
	return goesOn(last) && (goesOn(before) || c.links[i])
}

func hiragana(r rune) bool { return r >= 'ぁ' && r <= 'ゟ' }

// goesOn reports whether a word goes on with r.
func goesOn(r rune) bool { return text.IsCJK(r) && !hiragana(r) }

// apart returns tokens for the word before the number of a name such as raid1, and where no section has the name, for
// the number too.
func (c *chooser) apart(x token) (parts []token) {
	letters := lettersOf(x.name)
	if x.Class != text.Word || len(letters) < 2 {
		return nil
	}
	word, number := x, x
	word.Term, word.name = text.Stem(letters), letters
	number.Term, number.name = x.name[len(letters):], x.name[len(letters):]
	if c.snap == nil || c.snap.DocFreq(x.Term) > 0 {
		return []token{word}
	}
	return []token{word, number}
}

// lettersOf returns the ASCII letters of a name that ends in digits, "" of any other word.
func lettersOf(name string) string {
	letters := strings.TrimRight(name, "0123456789")
	if letters == name || strings.ContainsFunc(letters, func(r rune) bool { return r < 'a' || r > 'z' }) {
		return ""
	}
	return letters
}

// writes reports whether a text holds a must term, a code perhaps with its number apart.
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
