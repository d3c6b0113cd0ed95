package answer

import (
	"strings"

	"github.com/sagasu-search/sagasu/sdk/x/lazyregexp"
)

var (
	// step is a line that is a statement by itself: no mere bracket, and
	// nothing that goes on in the next.
	step = lazyregexp.New(`^[\pL_$*(].*[^{(\[,.:=+\\]$`)
	// another is the line where the next case begins.
	another = lazyregexp.New(`^(?:case|default|when|else)\b`)
)

// departs is a line that ends its function.
var departs = lazyregexp.New(`^(?:return|throw|raise|panic|abort)\b`)

// does returns a line of code without its comments, "" where it has nothing else.
func (m *passage) does(line int) string {
	if line < 1 || line > len(m.bare) {
		return ""
	}
	return folded(m.bare[line-1])
}

// statement returns a line of code without the sign that ends it.
func statement(line string) string { return strings.TrimSuffix(line, ";") }
