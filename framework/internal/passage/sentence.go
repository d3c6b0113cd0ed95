package passage

import (
	"strings"
	"unicode/utf8"
)

// SentenceEnd returns where the first sentence of a line, or of lines that belong together, ends, in bytes. A Latin
// stop ends one only before a space or a line's end, and not behind a single letter or a short form.
func SentenceEnd(line string) int {
	depth := 0
	for i, r := range line {
		switch r {
		case '「', '『', '（', '(':
			depth++
		case '」', '』', '）', ')':
			depth = max(0, depth-1)
		case '。', '！', '？', '．':
			if depth == 0 {
				return i + utf8.RuneLen(r)
			}
		case '.', '!', '?':
			rest := line[i+1:]
			if depth == 0 && rest != "" && strings.Contains(" \r\n", rest[:1]) && !abbreviated(line[:i]) {
				return i + 1
			}
		}
	}
	return len(line)
}

func abbreviated(before string) bool {
	last := before[strings.LastIndexAny(before, " \n(")+1:]
	switch last {
	case "e.g", "i.e", "No", "no", "vs", "etc", "Mr", "Mrs", "Ms", "Dr", "St", "approx", "Sec", "Art", "Fig", "cf":
		return true
	}
	return len(last) == 1 && last != "I"
}
