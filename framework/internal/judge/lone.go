package judge

import (
	"math/bits"
	"strings"

	"github.com/sagasu-search/sagasu/sdk"
	"github.com/sagasu-search/sagasu/sdk/text"
)

// loneWord gives the compound that is all of a query (量子コンピュータ, とは or the like
// taken off), "" for any other query.
func loneWord(q *sdk.Query) string {
	word := text.Fold(q.Text)
	if word == "" || strings.ContainsFunc(word, func(c rune) bool {
		return scriptOf(c) != han && scriptOf(c) != katakana && (c >= 0x80 || !isAlnum(byte(c)))
	}) {
		return ""
	}
	return word
}

// scattered reports whether the query is a compound of several words that no
// sentence, with its headings, holds together: its parts are of other things.
func (r *reader) scattered() bool {
	if r.q.lone == "" || bits.OnesCount64(r.q.all()) < 2 {
		return false
	}
	for i := range r.sentences {
		if r.sentences[i].near == r.q.all() {
			return false
		}
	}
	for n := range r.wholes() {
		if strings.Contains(r.texts[n].norm, r.q.lone) || r.in.Normalized != nil && strings.Contains(r.in.Normalized(n), r.q.lone) {
			return false
		}
	}
	return true
}
