package answer

import (
	"slices"
	"strings"

	"github.com/sagasu-search/sagasu/framework/internal/logic/code"
	"github.com/sagasu-search/sagasu/sdk/x/lazyregexp"
)

var (
	// step is a line that is a statement by itself: no mere bracket, and
	// nothing that goes on in the next.
	step = lazyregexp.New(`^[\pL_$*(].*[^{(\[,.:=+\\]$`)
	// another is the line where the next case begins.
	another = lazyregexp.New(`^(?:case|default|when|else)\b`)
)

// does returns a line of code without its comments, "" where it has nothing else.
func (m *passage) does(line int) string {
	if line < 1 || line > len(m.bare) {
		return ""
	}
	return folded(m.bare[line-1])
}

var (
	// nothing is what says nothing where it is returned: mere names.
	nothing = lazyregexp.New(`^(?:None|[a-z][\w.]*(?:, *[a-z][\w.]*)*)?$`)
	// departs is a line that ends its function.
	departs = lazyregexp.New(`^(?:return|throw|raise|panic|abort)\b`)
)

// last returns what a function returns where none of its conditions held.
func (m *passage) last(u code.Unit, earlier []Claim) (Claim, bool) {
	for n := min(u.Last, len(m.lines)); n > u.Decl; n-- {
		line := m.does(n)
		if line == "" || strings.Trim(line, "})];") == "" || line == "end" {
			continue
		}
		value, ok := strings.CutPrefix(line, "return ")
		known := slices.ContainsFunc(earlier, func(c Claim) bool { return c.Line == n })
		if !ok || known || nothing().MatchString(statement(value)) || !step().MatchString(line) ||
			m.governing(u, n) != "" {
			return Claim{}, false
		}
		what := m.say("returns", statement(value))
		if !slices.ContainsFunc(u.Facts.Conditions,
			func(c code.Condition) bool { return !departs().MatchString(m.behind(u, c)) }) {
			what = m.say("otherwise", what)
		}
		return m.claim(Outcome, n, m.under("", m.name(u), what)), true
	}
	return Claim{}, false
}

// statement returns a line of code without the sign that ends it.
func statement(line string) string { return strings.TrimSuffix(line, ";") }
