package lane

import (
	"strings"
	"unicode/utf8"

	"github.com/sagasu-search/sagasu/sdk/text"
)

// cut shortens s to at most n characters (code points), between user-perceived
// ones. It ends behind the last 。 or newline when one lies in the last fifth.
func cut(s string, n int) string {
	c := text.CutRunes(s, n)
	if len(c) == len(s) {
		return s
	}
	end := strings.LastIndexByte(c, '\n') + 1
	if stop := strings.LastIndex(c, "。"); stop >= 0 {
		end = max(end, stop+len("。"))
	}
	if 5*utf8.RuneCountInString(c[:end]) > 4*n {
		return c[:end]
	}
	return c
}
