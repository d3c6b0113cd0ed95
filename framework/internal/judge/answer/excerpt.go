package answer

import (
	"unicode/utf8"

	"github.com/sagasu-search/sagasu/sdk/text"
)

// longestAnswer is the most characters of an answer.
const longestAnswer = 200

// excerpt is what an answer shows of a unit: the one before too where it points back to that.
func (r *reading) excerpt(n int) string {
	u := &r.units[n]
	s := u.text
	if n > 0 && r.units[n-1].section == u.section && pointsBack(u.norm) {
		before := r.units[n-1].text
		if !text.HasCJK(before) {
			before += " "
		}
		if utf8.RuneCountInString(before)+utf8.RuneCountInString(s) <= longestAnswer {
			s = before + s
		}
	}
	return Cut(s)
}

// Cut is a text as an answer shows it.
func Cut(s string) string { return text.CutRunes(s, longestAnswer) }
