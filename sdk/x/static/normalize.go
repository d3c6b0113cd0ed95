package static

import (
	"encoding/base64"
	"encoding/binary"
	"fmt"
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// normalizer returns the function for a step.
func (s *step) normalizer() (func(string) string, error) {
	switch s.Type {
	case "BertNormalizer":
		return s.bert, nil
	case "Lowercase":
		return strings.ToLower, nil
	case "NFC":
		return norm.NFC.String, nil
	case "NFD":
		return norm.NFD.String, nil
	case "NFKC":
		return norm.NFKC.String, nil
	case "NFKD":
		return norm.NFKD.String, nil
	case "StripAccents":
		return stripMarks, nil
	case "Strip":
		return func(text string) string {
			if s.Left {
				text = strings.TrimLeftFunc(text, unicode.IsSpace)
			}
			if s.Right {
				text = strings.TrimRightFunc(text, unicode.IsSpace)
			}
			return text
		}, nil
	case "Prepend":
		return func(text string) string {
			if text == "" {
				return text
			}
			return s.Prepend + text
		}, nil
	case "Replace":
		return s.replace()
	case "Precompiled":
		return precompiled(s.Charsmap)
	}
	return nil, fmt.Errorf("the normalizer %.40q cannot be read", s.Type)
}

func (s *step) replace() (func(string) string, error) {
	if s.Pattern.Regex == "" {
		if s.Pattern.String == "" {
			return nil, fmt.Errorf("a step %s without a pattern", s.Type)
		}
		return func(text string) string { return strings.ReplaceAll(text, s.Pattern.String, s.Content) }, nil
	}
	re, err := regexp.Compile(s.Pattern.Regex)
	if err != nil {
		return nil, fmt.Errorf("the pattern of a step %s: %w", s.Type, err)
	}
	return func(text string) string { return re.ReplaceAllLiteralString(text, s.Content) }, nil
}

// bert cleans a text like BERT's tokenizer.
func (s *step) bert(text string) string {
	if yes(s.CleanText) || yes(s.ChineseChars) {
		var b strings.Builder
		for _, r := range text {
			switch {
			case yes(s.CleanText) && unicode.IsSpace(r):
				b.WriteByte(' ')
			case yes(s.CleanText) && (r == 0 || r == utf8.RuneError || unicode.Is(unicode.C, r)):
			case yes(s.ChineseChars) && unicode.Is(unicode.Han, r):
				b.WriteByte(' ')
				b.WriteRune(r)
				b.WriteByte(' ')
			default:
				b.WriteRune(r)
			}
		}
		text = b.String()
	}
	strip := yes(s.Lowercase)
	if s.StripAccents != nil {
		strip = *s.StripAccents
	}
	if strip {
		text = stripMarks(norm.NFD.String(text))
	}
	if yes(s.Lowercase) {
		text = strings.ToLower(text)
	}
	return text
}

// stripMarks removes combining marks.
func stripMarks(text string) string {
	return strings.Map(func(r rune) rune {
		if unicode.Is(unicode.Mn, r) {
			return -1
		}
		return r
	}, text)
}

// precompiled reads the replacements of a SentencePiece model: a double-array trie (Darts) of texts, whose values are
// offsets of the replacements, each ended by a zero byte.
func precompiled(charsmap string) (func(string) string, error) {
	data, err := base64.StdEncoding.DecodeString(charsmap)
	if err != nil {
		return nil, fmt.Errorf("the map of a Precompiled normalizer: %w", err)
	}
	if len(data) == 0 {
		return func(text string) string { return text }, nil
	}
	if len(data) < 8 || uint64(binary.LittleEndian.Uint32(data)) > uint64(len(data)-4) {
		return nil, fmt.Errorf("the map of a Precompiled normalizer is cut")
	}
	size := binary.LittleEndian.Uint32(data)
	units := make([]uint32, size/4)
	for i := range units {
		units[i] = binary.LittleEndian.Uint32(data[4+4*i:])
	}
	to := string(data[4+size:])
	return func(text string) string {
		var b strings.Builder
		for len(text) > 0 {
			n, offset := longest(units, text)
			if n == 0 || int(offset) > len(to) {
				_, n = utf8.DecodeRuneInString(text)
				b.WriteString(text[:n])
			} else {
				replacement, _, _ := strings.Cut(to[offset:min(len(to), int(offset)+mostAdded)], "\x00")
				b.WriteString(replacement)
			}
			text = text[n:]
		}
		return b.String()
	}, nil
}

// longest returns the length and the value of the longest key of a Darts double array at the start of a text. n is 0 if
// there is none. The walk ends at damaged units.
func longest(units []uint32, text string) (n int, value uint32) {
	if len(units) == 0 {
		return 0, 0
	}
	at := offset(units[0])
	for i := range len(text) {
		at ^= uint32(text[i])
		if int(at) >= len(units) || units[at]&(1<<31|0xff) != uint32(text[i]) {
			break
		}
		unit := units[at]
		at ^= offset(unit)
		if unit>>8&1 == 1 && int(at) < len(units) {
			n, value = i+1, units[at]&^(1<<31)
		}
	}
	return n, value
}

// offset returns the distance to the children of a unit.
func offset(unit uint32) uint32 { return unit >> 10 << (unit & (1 << 9) >> 6) }
