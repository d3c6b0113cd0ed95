package doublebyte

import (
	"strings"
	"unicode/utf8"
)

// A Decoder returns the first character of a text, which must not be empty, and its length in bytes. The character is
// U+FFFD if the bytes are invalid.
type Decoder func(src []byte) (r rune, size int)

// Text decodes a text as UTF-8.
func (d Decoder) Text(src []byte) []byte {
	out := make([]byte, 0, len(src)+len(src)/2)
	for len(src) > 0 {
		r, size := rune(src[0]), 1
		if r >= utf8.RuneSelf {
			r, size = d(src)
		}
		out, src = utf8.AppendRune(out, r), src[size:]
	}
	return out
}

// pair looks the first two bytes up in a set. If they are not a character and the second byte is ASCII, that byte
// is a character by itself.
func pair(set Set, src []byte) (rune, int) {
	if len(src) < 2 || src[1] < firstTrail {
		return utf8.RuneError, 1
	}
	if r := at(set, src[0], src[1]); r != 0 {
		return r, 2
	}
	if src[1] < utf8.RuneSelf {
		return utf8.RuneError, 1
	}
	return utf8.RuneError, 2
}

func at(set Set, lead, trail byte) rune {
	if lead < firstLead || lead > last || trail < firstTrail || trail > last {
		return 0
	}
	return tables()[set][int(lead-firstLead)*trails+int(trail-firstTrail)]
}

// EUCKR decodes EUC-KR and its extension, code page 949.
func EUCKR(src []byte) (rune, int) { return pair(KSX1001, src) }

// BigFive decodes Big5 with the characters of Hong Kong, except for four codes that stand for two characters each.
func BigFive(src []byte) (rune, int) { return pair(Big5, src) }

// GB18030 decodes GB 18030, of which GBK and GB 2312 are parts.
func GB18030(src []byte) (rune, int) {
	digit := func(i int) bool { return len(src) > i && src[i] >= '0' && src[i] <= '9' }
	if src[0] == 0x80 {
		return '€', 1 // as in code page 936
	}
	if !digit(1) {
		return pair(GBK, src)
	}
	if !digit(3) || src[0] < 0x81 || src[2] < 0x81 || src[0] > 0xfe || src[2] > 0xfe {
		return utf8.RuneError, 1
	}
	const planes = 189_000 // the first code beyond the basic plane
	n := ((int(src[0]-0x81)*10+int(src[1]-'0'))*126+int(src[2]-0x81))*10 + int(src[3]-'0')
	switch four := tables()[Sets]; {
	case n < len(four) && four[n] != 0:
		return four[n], 4
	case n >= planes && n-planes <= utf8.MaxRune-0x10000:
		return rune(n-planes) + 0x10000, 4
	}
	return utf8.RuneError, 1
}

// ShiftJIS decodes Shift_JIS with the characters of code page 932.
func ShiftJIS(src []byte) (rune, int) {
	switch b := src[0]; {
	case b == 0x80:
		return 0x80, 1
	case b >= 0xa1 && b <= 0xdf:
		return halfKana + rune(b), 1
	case b == 0xa0 || b > 0xfc:
		return utf8.RuneError, 1
	}
	return pair(JIS, src)
}

// halfKana is added to a byte to get its half-width katakana.
const halfKana = 0xff61 - 0xa1

// EUCJP decodes EUC-JP.
func EUCJP(src []byte) (rune, int) {
	cell := func(i int) bool { return len(src) > i && src[i] >= 0xa1 && src[i] <= 0xfe }
	switch {
	case src[0] == 0x8e && cell(1) && src[1] <= 0xdf:
		return halfKana + rune(src[1]), 2
	case src[0] == 0x8f && cell(1) && cell(2):
		if r := at(JIS0212, src[1], src[2]); r != 0 {
			return r, 3
		}
		return utf8.RuneError, 3
	case !cell(0) || !cell(1):
		return utf8.RuneError, 1
	}
	// Shift_JIS has the same characters in rows of 188, EUC-JP in rows of 94.
	row, column := int(src[0]-0xa1), int(src[1]-0xa1)
	lead, trail := 0x81+row/2, 0x40+row%2*94+column
	if lead > 0x9f {
		lead += 0xe0 - 0xa0
	}
	if trail >= 0x7f {
		trail++
	}
	if r := at(JIS, byte(lead), byte(trail)); r != 0 {
		return r, 2
	}
	return utf8.RuneError, 2
}

// ISO2022JP decodes ISO-2022-JP, whose escapes change the set of characters.
func ISO2022JP(src []byte) []byte {
	const escape = 0x1b
	sets := []struct {
		escape string
		begin  []byte // the bytes that EUC-JP writes before those of a character
		size   int
	}{
		{"(B", nil, 0}, {"(J", nil, 0}, {"$@", nil, 2}, {"$B", nil, 2}, {"(I", []byte{0x8e}, 1},
		{"$(D", []byte{0x8f}, 2},
	}
	var out []byte
	now := sets[0]
next:
	for i := 0; i < len(src); {
		if src[i] == escape {
			for _, s := range sets {
				if strings.HasPrefix(string(src[i+1:min(len(src), i+4)]), s.escape) {
					now = s
					i += 1 + len(s.escape)
					continue next
				}
			}
		}
		if src[i] <= ' ' || now.size == 0 || i+now.size > len(src) {
			if src[i] == '\n' {
				now = sets[0]
			}
			out = append(out, src[i])
			i++
			continue
		}
		out = append(out, now.begin...)
		out = appendHigh(out, src[i:i+now.size])
		i += now.size
	}
	return Decoder(EUCJP).Text(out)
}

// HZ decodes HZ, which puts characters of GB 2312 between "~{" and "~}".
func HZ(src []byte) []byte {
	var out []byte
	shifted := false
	for i := 0; i < len(src); {
		two := string(src[i:min(len(src), i+2)])
		switch {
		case two == "~{" || two == "~}":
			shifted = two == "~{"
			i += 2
		case two == "~~":
			out = append(out, '~')
			i += 2
		case two == "~\n":
			i += 2
		case shifted && len(two) == 2 && src[i] > ' ':
			out = appendHigh(out, src[i:i+2])
			i += 2
		default:
			shifted = shifted && src[i] != '\n'
			out = append(out, src[i])
			i++
		}
	}
	return Decoder(GB18030).Text(out)
}

// appendHigh appends the bytes of a character with their high bits set.
func appendHigh(out, code []byte) []byte {
	for _, b := range code {
		out = append(out, b|0x80)
	}
	return out
}
