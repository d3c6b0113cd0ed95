package main

import (
	"strings"
	"unicode"
)

func letter(r rune) bool { return unicode.IsLetter(r) || unicode.IsNumber(r) || r == 'ー' }

func japanese(r rune) bool {
	return unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana) || r == 'ー'
}

// bigrams splits a text into words. A run of Japanese letters becomes its overlapping pairs, or stays as it is if it is
// a single letter.
func bigrams(text string) []string {
	var out []string
	runes := []rune(strings.ToLower(text))
	for i := 0; i < len(runes); {
		j, jp := i, japanese(runes[i])
		for j < len(runes) && letter(runes[j]) && japanese(runes[j]) == jp {
			j++
		}
		switch {
		case j == i:
			j++ // between words
		case jp && j-i > 1:
			for k := i; k+1 < j; k++ {
				out = append(out, string(runes[k:k+2]))
			}
		default:
			out = append(out, string(runes[i:j]))
		}
		i = j
	}
	return out
}
