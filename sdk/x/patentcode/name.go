package patentcode

import (
	"strings"
	"unicode/utf8"

	"github.com/sagasu-search/sagasu/sdk/text"
)

// NormName returns the name of a person or an organisation in a form for comparison: without differences in case and
// width, and without the spaces that gazettes put into Japanese names (山田 花子).
func NormName(name string) string {
	words := strings.Fields(text.Fold(name))
	var b strings.Builder
	for i, word := range words {
		if i > 0 {
			before, _ := utf8.DecodeLastRuneInString(words[i-1])
			after, _ := utf8.DecodeRuneInString(word)
			if !text.IsCJK(before) || !text.IsCJK(after) {
				b.WriteByte(' ')
			}
		}
		b.WriteString(word)
	}
	return b.String()
}
