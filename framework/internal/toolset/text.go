package toolset

import (
	"fmt"
	"strings"
	"unicode"
)

// Shorten shortens a caller's text to the 200 code points that errors and logs repeat.
func Shorten(text string) string { return First(text, maxGotRunes) }

// First returns the first most code points of a text, followed by … if it is longer.
func First(text string, most int) string {
	if runes := []rune(text); len(runes) > most {
		return string(runes[:most]) + "…"
	}
	return text
}

// Harmless returns a text in which characters that could mislead its reader are replaced: control characters except
// those in keep, and characters that reverse the order of text.
func Harmless(text, keep string) string {
	return strings.Map(func(r rune) rune {
		if (unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r)) && !strings.ContainsRune(keep, r) {
			return unicode.ReplacementChar
		}
		return r
	}, text)
}

// Counted returns a number with its noun: 1 lane, 2 lanes.
func Counted(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

// Are returns the verb after a number and its noun: 1 file is, 2 files are.
func Are(n int) string {
	if n == 1 {
		return "is"
	}
	return "are"
}
