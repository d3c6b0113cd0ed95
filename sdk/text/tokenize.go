package text

import (
	"iter"
	"sync"
	"unicode/utf8"
)

// Class is the class of a token.
type Class uint8

const (
	Word    Class = iota + 1 // a stemmed word; digits and codes are words too
	Exact                    // the unstemmed form, where it differs from the stem; its Term starts with ExactMark
	Whole                    // parts of an identifier or hyphenated word joined without separators, stemmed as a Word
	Unigram                  // one CJK character
	Bigram                   // two neighbouring CJK characters
	Bridge                   // two CJK characters with only separators in between; its Term starts with BridgeMark
	Variant                  // a token that the text would have in another common spelling
)

// ExactMark starts the term of an [Exact] token, so that an exact form never equals a stem of the
// same letters.
const ExactMark = "\x01"

// BridgeMark starts the term of a [Bridge] token. Loose matching uses bridges to find words with
// separators inside; other searches must not match them.
const BridgeMark = "\x02"

// maxTerm is the maximum length of a term in bytes. A longer word is indexed by its start.
const maxTerm = 128

// Token is an indexable piece of a text. Start and End are bytes in Text.Norm.
type Token struct {
	Term       string
	Class      Class
	Start, End int
}

// Tokenizer cuts texts into tokens. It caches terms and is not safe for
// concurrent use; the zero value is ready.
type Tokenizer struct {
	terms  map[string]term
	parts  []part
	joined []byte

	bridges, kanji pairTerms // of Bridge tokens, and of Variant tokens of two kanji
}

// maxCached is the maximum size of each cache of a Tokenizer. A full cache is emptied.
const maxCached = 1 << 16

// pairTerms caches the terms of pairs of characters.
type pairTerms map[[2]rune]string

// term returns the term of a pair, which form makes.
func (p *pairTerms) term(a, b rune, form func(a, b rune) string) string {
	key := [2]rune{a, b}
	term, ok := (*p)[key]
	if !ok {
		if *p == nil {
			*p = make(pairTerms)
		} else if len(*p) >= maxCached {
			clear(*p)
		}
		term = form(a, b)
		(*p)[key] = term
	}
	return term
}

// Tokens yields the tokens of t in order of their start.
//
// A run of CJK characters gives a Unigram per character and a Bigram per neighbouring pair. Two
// runs with only separators between them give a Bridge. Any other run of letters, marks and digits
// is a Word; 3.5, 1.2.3 and v1.2.3 are one Word. An identifier (foo-bar, foo_bar, fooBar, foo.bar,
// foo::bar, 100mb) gives a Word per part and a Whole, a qualified one (foo.barBaz) a Whole per
// level, and each of several identifiers that marks join (x-fooBar) its own Whole. A word with a version
// (python3.11) gives both as Words too. None of these is joined across white space, or across CJK and other scripts.
// A single letter before ++ or # (c++, c++20, f#) is a Word with these marks.
//
// Variants let a text and a query with different spellings share terms. Kanji joined by okurigana also give the pair
// without them (引越 in 引っ越し). A word and a number next to each other also give the joined form (raid1 in RAID 1, 30ms
// in 30 ms).
//
// Iterate over the sequence only once, and do not use z for another text in the meantime.
func (z *Tokenizer) Tokens(t *Text) iter.Seq[Token] {
	return func(yield func(Token) bool) {
		c := cutter{z: z, s: t.Norm, humps: t.humps, yield: yield}
		for i := 0; i < len(t.Norm) && !c.stopped; {
			i = c.next(i)
		}
	}
}

// tokenizers are the unused tokenizers. They keep their caches, because stemming a word costs more than everything
// else.
var tokenizers = sync.Pool{New: func() any { return new(Tokenizer) }}

// Tokens yields the tokens of t like [Tokenizer.Tokens], with stems cached from earlier texts. It is safe for
// concurrent use.
func Tokens(t *Text) iter.Seq[Token] {
	return func(yield func(Token) bool) {
		z := tokenizers.Get().(*Tokenizer)
		defer tokenizers.Put(z)
		z.Tokens(t)(yield)
	}
}

// cutter is the state of cutting one text.
type cutter struct {
	z       *Tokenizer
	s       string
	humps   []int // not yet passed
	yield   func(Token) bool
	stopped bool
}

func (c *cutter) emit(term string, class Class, start, end int) {
	if !c.stopped && !c.yield(Token{term, class, start, end}) {
		c.stopped = true
	}
}

// next cuts the text at i into tokens and returns the end of what it cut.
func (c *cutter) next(i int) int {
	switch r, size := decode(c.s, i); kindOf(r) {
	case kindCJK:
		return c.cjk(i)
	case kindLetter, kindDigit:
		return c.identifier(i)
	default:
		return i + size
	}
}

// cjk cuts a run of CJK characters into unigrams and bigrams.
func (c *cutter) cjk(start int) int {
	end := cellEnd(c.s, start)
	for !c.stopped {
		c.emit(c.s[start:end], Unigram, start, end)
		if r, _ := decode(c.s, end); kindOf(r) != kindCJK {
			break
		}
		after := cellEnd(c.s, end)
		c.emit(c.s[start:after], Bigram, start, after)
		c.skeleton(start, end)
		start, end = end, after
	}
	c.bridge(start, end)
	return end
}

// skeleton joins the kanji at [start, end) with the next kanji across okurigana.
func (c *cutter) skeleton(start, end int) {
	n := okurigana(c.s, end)
	if n == 0 {
		return
	}
	first, _ := decode(c.s, start)
	last, size := decode(c.s, end+n)
	term := c.z.kanji.term(first, last, func(a, b rune) string { return string(a) + string(b) })
	c.emit(term, Variant, start, end+n+size)
}

// bridge joins the last character of a run, at [start, end), with the first of the next run.
func (c *cutter) bridge(start, end int) {
	at := end
	for {
		next, size := decode(c.s, at)
		if kindOf(next) == kindCJK {
			last, _ := decode(c.s, start)
			c.emit(c.z.bridges.term(last, next, BridgeTerm), Bridge, start, at+size)
			return
		}
		if size == 0 || !IsSeparator(next) {
			return
		}
		at += size
	}
}

// BridgeTerm returns the term of the [Bridge] token from character a to b.
func BridgeTerm(a, b rune) string { return BridgeMark + string(a) + string(b) }

// cellEnd returns the end of the character at i, including its marks.
func cellEnd(s string, i int) int {
	_, size := decode(s, i)
	for i += size; i < len(s); i += size {
		var r rune
		if r, size = decode(s, i); kindOf(r) != kindMark {
			break
		}
	}
	return i
}

// decode returns the character at i and its size, which is 0 at the end of s.
func decode(s string, i int) (r rune, size int) {
	if i < len(s) && s[i] < utf8.RuneSelf {
		return rune(s[i]), 1
	}
	if i+2 < len(s) && s[i] >= 0xE3 && s[i] <= 0xE9 && s[i+1]&0xC0 == 0x80 && s[i+2]&0xC0 == 0x80 { // most CJK
		return rune(s[i]&0x0F)<<12 | rune(s[i+1]&0x3F)<<6 | rune(s[i+2]&0x3F), 3
	}
	return utf8.DecodeRuneInString(s[i:])
}
