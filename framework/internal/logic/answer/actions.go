package answer

import (
	"strings"

	"github.com/sagasu-search/sagasu/framework/internal/logic/code"
	"github.com/sagasu-search/sagasu/sdk/x/lazyregexp"
)

// filters are words of SQL whose condition chooses rows; nothing is done behind it.
var filters = lazyregexp.New(`(?i)^(?:where|check|having)$`)

// closes is where what is done ends on its line.
var closes = lazyregexp.New(`(?:\s*(?:\}?\s*\b(?:else|ELSE|END)\b.*|\}|\bend\b|,))+$`)

// opens is what may stand between a condition and what is done.
var opens = lazyregexp.New(`^(?:[)\s{:,]|=>|->|then\b|THEN\b|do\b)*`)

// behind is the first statement behind a condition of a unit, "" where its block holds
// none.
func (m *passage) behind(u code.Unit, c code.Condition) string {
	if filters().MatchString(c.Word) {
		return ""
	}
	rest, from := m.beside(u, c)
	if rest != "" {
		return statement(rest)
	}
	for n := from + 1; n <= u.Last; n++ {
		switch does := m.does(n); {
		case does == "" || does == "{":
		case m.depth(n) <= m.depth(c.Line) || another().MatchString(does):
			return ""
		default:
			return statement(does)
		}
	}
	return ""
}

// beside is what stands behind a condition on its last line, without brackets.
func (m *passage) beside(u code.Unit, c code.Condition) (rest string, last int) {
	for last, does := c.Line, ""; last <= min(u.Last, c.Line+conditionLines); last++ {
		does = strings.TrimSpace(does + " " + m.does(last))
		for _, joint := range []string{" ", " (", "("} {
			if _, rest, ok := strings.Cut(does, c.Word+joint+c.Text); ok {
				rest = closes().ReplaceAllString(rest[len(opens().FindString(rest)):], "")
				if strings.Trim(rest, "();") == "" {
					rest = ""
				}
				return rest, last
			}
		}
	}
	return "", c.Line
}

// conditionLines bounds the lines that a condition is looked for on.
const conditionLines = 10
