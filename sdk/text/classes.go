package text

import (
	"unicode"
	"unicode/utf8"
)

// asciiForm is the normalised form of each ASCII character, or 0 for control characters and for
// white space other than the space.
var asciiForm = func() (t [utf8.RuneSelf]byte) {
	for b := byte(' '); b < 0x7F; b++ {
		t[b] = b
		if isUpper(b) {
			t[b] = b + 'a' - 'A'
		}
	}
	t['['], t['{'], t[']'], t['}'] = '(', '(', ')', ')'
	t['"'], t['`'], t['\\'] = '\'', '\'', '/'
	return t
}()

// classes maps the representative of each class to its characters, including katakana whose
// spelling varies. It omits full-width ASCII and everything that the Unicode tables cover.
var classes = map[rune]string{
	' ': "\u00A0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200A" +
		"\u2028\u2029\u202F\u205F\u3000",
	'-':  "\u2010\u2011\u2012\u2013\u2014\u2015\u2043\u2212\u2500\u2501\u2E3A\u2E3B\u30A0",
	'・':  "\u00B7\u2022\u2027\u2219\u22C5\u2E31\u30FB\uFF65",
	'/':  "\u2044\u2215\u2216\u29F5\u29F8\u29F9",
	'~':  "\u02DC\u2053\u223C\u301C\u3030",
	'\'': "\u00AB\u00B4\u00BB\u02BC‘’‚‛“”„‟\u2032‹›\u301D\u301E\u301F",
	'(':  "\u2045〈《「『【〔〖〘〚｟｢",
	')':  "\u2046〉》」』】〕〗〙〛｠｣",
	'ジ':  "ヂ", 'ズ': "ヅ", 'バ': "ヷ", 'ビ': "ヸ", 'ベ': "ヹ", 'ボ': "ヺ",
}

// representatives maps each character of classes to its representative.
var representatives = func() map[rune]rune {
	out := map[rune]rune{}
	for representative, members := range classes {
		for _, r := range members {
			out[r] = representative
		}
	}
	return out
}()

// classOf returns the representative of r's class, or 0 if r is unchanged or needs the Unicode
// tables. A representative needs no further normalisation.
func classOf(r rune) rune {
	switch {
	case r < 0xA0, r > 0xBB && r < 0x02BC, r > 0x30FB && r < 0xFF00: // most letters
		return 0
	case r >= 0xFF01 && r <= 0xFF5E:
		return rune(asciiForm[r-0xFEE0])
	}
	return representatives[r]
}

// formOf returns the form of a character that NFKC leaves unchanged, or none if it is dropped.
func formOf(r rune) rune {
	if r < utf8.RuneSelf {
		if asciiSpace(byte(r)) {
			return ' '
		}
		if f := asciiForm[r]; f != 0 {
			return rune(f)
		}
		return none
	}
	if f := classOf(r); f != 0 {
		return f
	}
	switch {
	case dropped(r):
		return none
	case unicode.IsLetter(r):
		return unicode.ToLower(unicode.ToUpper(r))
	case unicode.IsSpace(r):
		return ' '
	case unicode.Is(unicode.Nd, r):
		return digitForm(r)
	case unicode.Is(unicode.Ps, r):
		return '('
	case unicode.Is(unicode.Pe, r):
		return ')'
	case unicode.Is(unicode.Pd, r):
		return '-'
	case unicode.In(r, unicode.Pi, unicode.Pf):
		return '\''
	}
	return unicode.ToLower(unicode.ToUpper(r))
}

// digitForm returns the ASCII digit of the same value. The ten digits of a script are contiguous,
// and the Unicode tables merge adjacent scripts into one range.
func digitForm(r rune) rune {
	for _, t := range unicode.Nd.R16 {
		if rune(t.Lo) <= r && r <= rune(t.Hi) {
			return '0' + (r-rune(t.Lo))%10
		}
	}
	for _, t := range unicode.Nd.R32 {
		if rune(t.Lo) <= r && r <= rune(t.Hi) {
			return '0' + (r-rune(t.Lo))%10
		}
	}
	return r
}

// appendForm appends the form of r.
func appendForm(dst []byte, r rune) []byte {
	if r == 'ß' || r == 'ẞ' {
		return append(dst, "ss"...)
	}
	if f := formOf(r); f != none {
		dst = utf8.AppendRune(dst, f)
	}
	return dst
}

func asciiSpace(b byte) bool { return b == ' ' || b >= '\t' && b <= '\r' }
func isUpper(b byte) bool    { return b >= 'A' && b <= 'Z' }
func isLower(b byte) bool    { return b >= 'a' && b <= 'z' }
func isDigit(b byte) bool    { return b >= '0' && b <= '9' }
