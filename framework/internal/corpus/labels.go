package corpus

import (
	"cmp"

	"github.com/sagasu-search/sagasu/sdk/x/lazyregexp"
	"github.com/sagasu-search/sagasu/sdk/x/refer"
)

// A line with names to which a text refers, of reStructuredText and of AsciiDoc.
var (
	underlinedLabel = lazyregexp.New("^\\.\\. _`?([^`:]+)`?:$")
	asciidocLabel   = lazyregexp.New(`^\[(?:\[([^\],]+)(?:,.*)?\]|#([^\],.%]+)[^\]]*)\]$`)
)

// label is a name that stands in a line and means that of the text below it.
type label struct {
	name     string
	at, line int
}

// labels finds the names in a text in order of the lines that they mean.
func (o *outline) labels() (all []label) {
	pattern := asciidocLabel
	switch formatOf(o.name) {
	case underlined:
		pattern = underlinedLabel
	case asciidoc:
	default:
		return nil
	}
	r, waiting := lineReader{o.src, o.lines}, 0 // the last ones, whose text is still to come
	for n := 1; n <= o.lines.Count(); n++ {
		text := r.at(n)
		groups := pattern().FindStringSubmatch(text)
		if found := refer.Label(cmp.Or(groups[min(1, len(groups)):]...)); found != "" {
			all, waiting = append(all, label{found, n, n}), waiting+1
			continue
		}
		for i := range all[len(all)-waiting:] {
			all[len(all)-waiting+i].line = n
		}
		if text != "" {
			waiting = 0
		}
	}
	return all
}
