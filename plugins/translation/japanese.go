package translation

import (
	"context"
	"strings"
	"unicode/utf8"

	"github.com/sagasu-search/sagasu/sdk/text"
	"github.com/sagasu-search/sagasu/sdk/x/dict"
	"github.com/sagasu-search/sagasu/sdk/x/loanword"
)

const (
	longestWord  = 12 // maximum number of characters of a word that is looked up
	shortestPart = 3  // minimum number of characters of a part of a katakana word
)

// fromJapanese splits a query into the longest words that a section may express in English.
func (t *translator) fromJapanese(ctx context.Context, norm string) (out []concept) {
	for rest := norm; rest != "" && len(out) < mostConcepts; {
		first, size := utf8.DecodeRuneInString(rest)
		var c concept
		n := size
		switch {
		case isHiragana(first): // grammar, or part of a word that was read
		case text.IsCJK(first):
			c, n = t.japaneseAt(ctx, rest)
		default:
			c, n = t.shared(rest)
		}
		if c.name != "" {
			out = append(out, c)
		}
		rest = rest[n:]
	}
	return out
}

// japaneseAt reads the longest known word at the start of s. If there is none, it reads the run of katakana or the
// first character. n is the length in bytes.
func (t *translator) japaneseAt(ctx context.Context, s string) (c concept, n int) {
	kanji, katakana := run(s, isHan), run(s, isKatakana)
	length := 0
	for start, r := range s {
		length++
		end := start + utf8.RuneLen(r)
		if !text.IsCJK(r) || length > longestWord {
			break
		}
		if end < katakana && length < shortestPart {
			continue
		}
		word := concept{name: s[:end], weight: 1}
		t.addAll(&word, t.japanese(s, end))
		if end == katakana {
			t.addAlike(&word, t.corpus.soundsOf(ctx, t.snap, false), loanword.OfKana(word.name))
		}
		if len(word.alternatives) > 0 {
			c, n = word, end
		}
	}
	first, size := utf8.DecodeRuneInString(s)
	switch {
	case n == 0 && katakana > 0:
		return concept{name: s[:katakana], weight: 1}, katakana
	case n == 0:
		c, n = concept{name: s[:size], weight: 1}, size
	}
	if n == size && isHan(first) && kanji > size {
		c.weight = part
	}
	return c, n
}

// japanese returns the translations of the word s[:end], inflected or not.
func (t *translator) japanese(s string, end int) []string {
	values, _ := t.find(s[:end])
	next, _ := utf8.DecodeRuneInString(s[end:])
	for _, base := range bases(s[:end], isHiragana(next)) {
		v, _ := t.find(base)
		values = append(values, v...)
	}
	return values
}

// shared reads non-Japanese text up to the next word. It returns a word that both languages share, or nothing.
func (t *translator) shared(s string) (c concept, n int) {
	n = run(s, func(r rune) bool { return r != ' ' && !text.IsCJK(r) })
	if n == 0 {
		_, n = utf8.DecodeRuneInString(s)
		return c, n
	}
	stems := dict.EnglishStems(&t.stems, s[:n])
	if len(stems) == 0 {
		return c, n
	}
	c = concept{name: s[:n], weight: 1}
	if t.add(&c, s[:n], 1); len(c.alternatives) == 0 {
		for _, stem := range stems { // the parts of a name
			t.add(&c, stem, selfsame)
		}
	}
	return c, n
}

// run returns the number of bytes at the start of s that belong to a class.
func run(s string, class func(rune) bool) int {
	if n := strings.IndexFunc(s, func(r rune) bool { return !class(r) }); n >= 0 {
		return n
	}
	return len(s)
}

func isHiragana(r rune) bool { return r >= 'ぁ' && r <= 'ゖ' }
func isKatakana(r rune) bool { return r >= 'ァ' && r <= 'ヺ' || r == 'ー' }
func isHan(r rune) bool      { return text.IsCJK(r) && !isHiragana(r) && !isKatakana(r) }
