package fusion

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/cases"
	"golang.org/x/text/unicode/norm"
)

// foldCase is the form in which facet terms compare (contract, Fusion): NFKC, and
// no difference of case.
func foldCase(s string) string {
	if folded, ok := foldPlain(s); ok {
		return folded
	}
	if !norm.NFKC.IsNormalString(s) {
		s = norm.NFKC.String(s)
	}
	if lower := strings.ToLower(s); !strings.ContainsFunc(s, foldsFurther) {
		return lower
	}
	return norm.NFKC.String(cases.Fold().String(s))
}

// foldsFurther tells that lower case may not be all there is to a letter's case,
// as with ß and final sigma.
func foldsFurther(r rune) bool {
	return r >= utf8.RuneSelf && r < 0x2E80 && unicode.IsLetter(r) || r >= 0xA640 && unicode.IsOneOf([]*unicode.RangeTable{unicode.Upper, unicode.Lower}, r)
}

// foldPlain is foldCase of ASCII and inert characters, which nearly all texts consist of; ok
// is false for others. The tables of x/text take ten times as long.
func foldPlain(s string) (folded string, ok bool) {
	var out strings.Builder
	out.Grow(len(s))
	for i := 0; i < len(s); {
		b := s[i]
		if b >= utf8.RuneSelf {
			r, n := utf8.DecodeRuneInString(s[i:])
			if !inert(r) {
				return "", false
			}
			out.WriteString(s[i : i+n])
			i += n
			continue
		}
		if b >= 'A' && b <= 'Z' {
			b += 'a' - 'A'
		}
		out.WriteByte(b)
		i++
	}
	return out.String(), true
}

// inert tells frequent characters that neither NFKC nor case changes, whatever inert or ASCII
// ones stand about them: kana, kanji and some marks.
func inert(r rune) bool {
	switch {
	case r >= 0x4E00 && r <= 0x9FFF, r >= 0x3041 && r <= 0x3096, r >= 0x30A1 && r <= 0x30FC,
		r >= 0x3008 && r <= 0x3011, r == '、', r == '。':
		return true
	}
	return strings.ContainsRune("°±×–—‘’“”", r)
}
