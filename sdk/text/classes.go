package text

import (
	"unicode"
	"unicode/utf8"
)

// asciiForm is the form of each ASCII character; 0 for white space other than
// the space and for control characters.
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

// classOf is the representative of the class that r belongs to, or 0 when r
// stands for itself or needs the Unicode tables. Representatives are final.
func classOf(r rune) rune {
	switch {
	case r < 0xA0:
		return 0
	case r >= 0xFF01 && r <= 0xFF5E:
		return rune(asciiForm[r-0xFEE0])
	case r >= 0x2000 && r < 0x2070:
		return generalPunctuation(r)
	case r >= 0x3000 && r < 0x3040:
		return cjkPunctuation(r)
	}
	switch r {
	case '\u00A0', '\u1680':
		return ' '
	case '\u2212', '\u2500', '\u2501', '\u2E3A', '\u2E3B', '\u30A0':
		return '-'
	case '\u00B7', '\u2219', '\u22C5', '\u2E31', '\u30FB', '\uFF65':
		return '・'
	case '\u2215', '\u2216', '\u29F5', '\u29F8', '\u29F9':
		return '/'
	case '\u00AB', '\u00B4', '\u00BB', '\u02BC', '\uFF07':
		return '\''
	case '\u02DC', '\u223C':
		return '~'
	case '\uFF62', '\uFF5F':
		return '('
	case '\uFF63', '\uFF60':
		return ')'
	}
	return katakanaClass(r)
}

func generalPunctuation(r rune) rune {
	switch {
	case r <= 0x200A || r == 0x2028 || r == 0x2029 || r == 0x202F || r == 0x205F:
		return ' '
	case r >= 0x2010 && r <= 0x2015 || r == 0x2043:
		return '-'
	case r >= 0x2018 && r <= 0x201F || r == 0x2032 || r == 0x2039 || r == 0x203A:
		return '\''
	case r == 0x2022 || r == 0x2027:
		return '・'
	case r == 0x2044:
		return '/'
	case r == 0x2045:
		return '('
	case r == 0x2046:
		return ')'
	case r == 0x2053:
		return '~'
	}
	return 0
}

func cjkPunctuation(r rune) rune {
	switch {
	case r == 0x3000:
		return ' '
	case r >= 0x3008 && r <= 0x3011 || r >= 0x3014 && r <= 0x301B:
		return '(' + r&1
	case r == 0x301C || r == 0x3030:
		return '~'
	case r >= 0x301D && r <= 0x301F:
		return '\''
	}
	return 0
}

// formOf is the form of a character that NFKC leaves as it is; none when it is dropped.
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

// digitForm is the ASCII digit of the same value. The digits of a script are
// ten in a row, and rows that touch are one range.
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
