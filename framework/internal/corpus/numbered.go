package corpus

import (
	"strings"

	"github.com/sagasu-search/sagasu/sdk/x/lazyregexp"
)

// numbered matches a title that begins with its number, in a text whose other lines are indented.
var numbered = lazyregexp.New(
	`^(?:第\pZ?\d+\pZ?[編章節条]|(?:Chapter|Part|Appendix|付録|Annex)\pZ?(?:\d+|[A-Z]|[IVX]+)[.:]?\pZ|` +
		`((?:\d+|[A-Z]\.\d+)(?:\.\d+)*)\.?\pZ)\pZ*\S`)

// mostTitle is the maximum number of columns of a numbered title.
const mostTitle = 120

// numberedHeadings finds the titles of a text that is indented below them, such as RFCs and pages saved as text:
// numbered lines between two empty ones. A text that is not indented has none, since list items look the same.
func numberedHeadings(src []byte, lines Lines) (found []heading) {
	r := lineReader{src, lines}
	indented, all := 0, 0
	for n := 1; n <= lines.Count(); n++ {
		text := r.at(n)
		if text == "" {
			continue
		}
		all++
		if strings.HasPrefix(text, " ") || strings.HasPrefix(text, "\t") {
			indented++
			continue
		}
		if r.at(n-1) != "" || r.at(n+1) != "" || Columns(text) > mostTitle {
			continue
		}
		number := numbered().FindStringSubmatch(text)
		if number == nil {
			continue
		}
		level := 1
		if number[1] != "" {
			level += strings.Count(number[1], ".")
		}
		found = append(found, heading{
			title: oneLine(text), line: uint32(n), body: uint32(n + 1), level: uint8(min(level, 6)),
		})
	}
	if 2*indented < all {
		return nil
	}
	return found
}
