package charset

import (
	"bytes"
	"math"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/encoding/japanese"
)

// Guess is what the encoding of a text is taken for.
type Guess struct {
	// Name is that of the IANA registry in lower case, "" where the bytes are no text.
	Name string
	// Probability that the text is read rightly, in [0, 1]; 1 where its bytes say so.
	Probability float64
}

// Detect finds the encoding of a text.
func Detect(src []byte) Guess {
	if name := marked(src); name != "" {
		return Guess{name, 1}
	}
	if utf8.Valid(src) && bytes.IndexByte(src, 0) < 0 {
		return Guess{UTF8, 1}
	}
	part, said := telling(src), declared(src)
	costs, texts := make([]float64, len(charsets)), make([]string, len(charsets))
	best, least := 0, math.Inf(1)
	for i := range charsets {
		advance := charsets[i].bits
		if charsets[i].name == said {
			advance -= declarationBits
		}
		texts[i], costs[i] = charsets[i].read(part, least+hopelessBits-advance)
		if costs[i] += advance; costs[i] < least {
			best, least = i, costs[i]
		}
	}
	if least > garbageBits*float64(len(part)) {
		return Guess{}
	}
	same, all := 0.0, 0.0
	for i, cost := range costs {
		p := math.Exp2((least - cost) * trust)
		if all += p; texts[i] == texts[best] {
			same += p
		}
	}
	return Guess{charsets[best].name, same / all}
}

const (
	// mostTelling is how many bytes are looked at.
	mostTelling = 16 << 10
	// declarationBits is how much a declaration speaks for an encoding.
	declarationBits = 60
	// hopelessBits more than the best so far end the reading in an encoding.
	hopelessBits = 200
	// garbageBits a byte and more are no text: random bytes have eight.
	garbageBits = 9
	// trust brings the probability down to what was seen: characters of a text are not independent.
	trust = 0.25
)

// telling returns the lines of a text that hold more than ASCII, or all of one with NUL, up to a bound.
func telling(src []byte) []byte {
	if len(src) <= mostTelling || bytes.IndexByte(src[:mostTelling], 0) >= 0 {
		return src[:min(len(src), mostTelling)]
	}
	var out []byte
	for line := range bytes.Lines(src) {
		if bytes.ContainsFunc(line, func(r rune) bool { return r >= utf8.RuneSelf }) {
			if out = append(out, line...); len(out) >= mostTelling {
				return out[:mostTelling]
			}
		}
	}
	return out
}

// What a character costs, in bits: the less usual it is, the more. Rounded from texts in Japanese and nine languages
// of Europe.
const (
	bitsLetter      = 5  // of ASCII, and space
	bitsASCII       = 7  // other, and a space that does not break
	bitsKana        = 7  // also punctuation of Japanese
	bitsKanji       = 12 // of the first level of JIS
	bitsRareKanji   = 18
	bitsHalfKana    = 8
	bitsUsual       = 8  // the most usual small letter of a language beyond ASCII
	bitsRank        = .1 // more for each byte of such letters before one
	bitsScript      = 3  // less for one of a script of its own
	bitsScriptWord  = 4  // more for its first letter in a word, as for one of half width
	bitsCapital     = 4  // more for a capital
	bitsTypographic = 10 // quotation marks, dashes, signs that are typed
	bitsRare        = 18 // any other
	bitsControl     = 40
	bitsInvalid     = 60
	bitsSwitch      = 6 // a letter beside one of another script, or a capital behind a small one
)

// read decodes a text and returns how many bits it takes at least, in one of the languages of the encoding, or some
// number above most.
func (c *charset) read(src []byte, most float64) (text string, least float64) {
	decoded := src
	if c.decoder != nil {
		var err error
		if decoded, err = c.decoder.NewDecoder().Bytes(src); err != nil {
			return "", never
		}
	}
	least = never
	for _, letters := range append([]string{""}, c.letters...) {
		least = min(least, cost(letters, decoded, most))
		most = min(most, least)
	}
	return string(decoded), least
}

// cost is how many bits a decoded text takes in a language with letters beyond ASCII. It ends early above most.
func cost(letters string, text []byte, most float64) float64 {
	bits, before := 0.0, other
	for i := 0; i < len(text) && bits <= most; {
		r, size := utf8.DecodeRune(text[i:])
		if r == utf8.RuneError && len(text) > mostTelling/2 && i+3 >= len(text) {
			break // the text was cut in a character
		}
		now, cost := classify(r, letters)
		bits += cost + between(before, now)
		before, i = now, i+size
	}
	return bits
}

// class is what a character is, as far as its neighbours care.
type class int

const (
	other class = iota
	latin
	latinCapital
	japaneseLetter
	halfKana
	script // Cyrillic, Greek
	scriptCapital
)

// between is what a character costs more for the one before it.
func between(before, now class) float64 {
	switch {
	case before == now || now == other:
		return 0
	case before == other:
		if now >= halfKana {
			return bitsScriptWord
		}
		return 0
	case (before == latinCapital || before == scriptCapital) && now == before-1:
		return 0
	}
	return bitsSwitch
}

// classify returns what a character is and costs.
func classify(r rune, letters string) (class, float64) {
	switch {
	case r == utf8.RuneError:
		return other, bitsInvalid
	case r == ' ' || r == '\n' || r == '\r' || r == '\t':
		return other, bitsLetter
	case r < 0x20 || r >= 0x7f && r < 0xa0:
		return other, bitsControl
	case r >= 'a' && r <= 'z':
		return latin, bitsLetter
	case r < utf8.RuneSelf || r == '\u00a0':
		return other, bitsASCII
	case r >= 0x3000 && r < 0x3003 || r == '「' || r == '」' || r >= 0xff01 && r <= 0xff5e:
		return other, bitsKana
	case r >= 0x3041 && r <= 0x30fe:
		return japaneseLetter, bitsKana
	case r >= 0xff61 && r <= 0xff9f:
		return halfKana, bitsHalfKana
	case unicode.Is(unicode.Han, r) && firstLevel(r):
		return japaneseLetter, bitsKanji
	case unicode.Is(unicode.Han, r):
		return japaneseLetter, bitsRareKanji
	case strings.ContainsRune("’‘“”„–—…•·«»°©®€§№×", r):
		return other, bitsTypographic
	case unicode.Is(unicode.Co, r):
		return other, bitsControl
	case !unicode.IsLetter(r):
		return other, bitsRare
	}
	kind, bits := latin, float64(bitsRare)
	if rank := strings.Index(letters, string(unicode.ToLower(r))); rank >= 0 {
		bits = bitsUsual + bitsRank*float64(rank)
	}
	if !unicode.Is(unicode.Latin, r) {
		kind = script
		bits -= bitsScript
	}
	if unicode.IsUpper(r) {
		return kind + 1, bits + bitsCapital
	}
	return kind, bits
}

// firstLevel reports the kanji of the first level of JIS X 0208, of which nearly all text consists.
func firstLevel(r rune) bool {
	code, err := japanese.EUCJP.NewEncoder().Bytes(utf8.AppendRune(nil, r))
	return err == nil && len(code) == 2 && code[0] < 0xd0
}
