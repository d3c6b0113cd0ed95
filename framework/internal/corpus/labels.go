package corpus

import (
	"cmp"

	"github.com/sagasu-search/sagasu/sdk/x/lazyregexp"
	"github.com/sagasu-search/sagasu/sdk/x/refer"
)

// Lines of reStructuredText and AsciiDoc with names that texts refer to.
var (
	underlinedLabel = lazyregexp.New("^\\.\\. _`?([^`:]+)`?:$")
	asciidocLabel   = lazyregexp.New(`^\[(?:\[([^\],]+)(?:,.*)?\]|#([^\],.%]+)[^\]]*)\]$`)
)

// label is a name on a line, and the line of the text that it names.
type label struct {
	name     string
	at, line int
}

// labels finds the names in a text, in order of the lines that they name.
func (o *outline) labels() (all []label) {
	pattern := asciidocLabel
	switch formatOf(o.name) {
	case underlined:
		pattern = underlinedLabel
	case asciidoc:
	default:
		return nil
	}
	r, waiting := lineReader{o.src, o.lines}, 0 // number of the last ones, whose text is still to come
	for n := 1; n <= o.lines.Count(); n++ {
		text := r.at(n)
		groups := pattern().FindStringSubmatch(text)
		if found := refer.Label(cmp.Or(groups[min(1, len(groups)):]...)); found != "" {
			all, waiting = append(all, label{found, n, n}), waiting+1
			continue
		}
		for ; waiting > 0 && text != ""; waiting-- {
			all[len(all)-waiting].line = n
		}
	}
	return all
}
