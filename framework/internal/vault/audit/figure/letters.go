package figure

import (
	"strings"
	"unicode/utf8"
)

func set(list string) map[string]bool {
	m := make(map[string]bool)
	for _, w := range strings.Fields(list) {
		m[w] = true
	}
	return m
}

func isDigit(c byte) bool { return c >= '0' && c <= '9' }

func isAlnum(c byte) bool { return isDigit(c) || c >= 'a' && c <= 'z' }

// latinEnd is where the ASCII word at i ends; marks inside a code or a number belong to it.
func latinEnd(s string, i int) int {
	mark := func(i int) bool { return i+1 < len(s) && strings.IndexByte("-_'.,", s[i]) >= 0 }
	for start := i; i < len(s) && (isAlnum(s[i]) || i > start && mark(i) && isAlnum(s[i+1]) && isAlnum(s[i-1])); {
		i++
	}
	return i
}

func isHan(r rune) bool { return r >= 0x4E00 && r <= 0x9FFF || r == '々' || r == '〆' }

// hanEnd is where the first kanji of s end, at most so many.
func hanEnd(s string, most int) int {
	end := 0
	for i, r := range s {
		if !isHan(r) || most == 0 {
			break
		}
		end, most = i+utf8.RuneLen(r), most-1
	}
	return end
}
