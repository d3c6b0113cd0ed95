package answer

import (
	"cmp"
	"slices"
	"strings"

	"github.com/sagasu-search/sagasu/framework/internal/logic/code"
	"github.com/sagasu-search/sagasu/sdk/x/lazyregexp"
)

// conditions returns those that no earlier claim states.
func (m *passage) conditions(u code.Unit, earlier []Claim) (all []Claim) {
	for i, c := range u.Facts.Conditions {
		known := slices.ContainsFunc(earlier, func(t Claim) bool { return strings.Contains(t.Text, c.Text) })
		if m.condition(u, i) == "" || known || c.Line > len(m.lines) {
			continue
		}
		text := m.governing(u, c.Line)
		said := m.say("branches", m.name(u), text)
		if then := m.behind(u, c); then != "" {
			said = m.say("tests", m.name(u), text, then)
		}
		all = append(all, m.claim(Condition, c.Line, said))
	}
	return all
}

// condition returns what condition i of a unit tests: of a case with what is switched
// over, and nothing of the switch itself.
func (m *passage) condition(u code.Unit, i int) string {
	c := u.Facts.Conditions[i]
	switch c.Word {
	case "switch", "match", "select":
		return ""
	case "case", "when":
		for k := i - 1; k >= 0; k-- {
			over := u.Facts.Conditions[k]
			if slices.Contains([]string{"switch", "match"}, over.Word) && m.depth(over.Line) <= m.depth(c.Line) {
				return m.is(over.Text, c.Text)
			}
		}
	}
	return c.Text
}

// governing returns the conditions under which a line of a unit is reached: those
// before it that stand less deep, and one on it.
func (m *passage) governing(u code.Unit, line int) string {
	all := []string{}
	for i, c := range u.Facts.Conditions {
		text := m.condition(u, i)
		if text != "" && (c.Line == line ||
			c.Line < line && m.depth(c.Line) < m.depth(line) && !m.leaves(c.Line, line)) {
			all = append(all, text)
		}
	}
	return strings.Join(all, m.say("and"))
}

// leaves reports whether the block behind a condition ends before a line.
func (m *passage) leaves(condition, line int) bool {
	for n := condition + 1; n < line && n <= len(m.lines); n++ {
		if m.does(n) != "" && m.depth(n) <= m.depth(condition) {
			return true
		}
	}
	return false
}

func (m *passage) depth(line int) int {
	if line < 1 || line > len(m.lines) {
		return 0
	}
	return len(m.lines[line-1]) - len(strings.TrimLeft(m.lines[line-1], " \t"))
}

// filters are words of SQL whose condition chooses rows; nothing is done behind it.
var filters = lazyregexp.New(`(?i)^(?:where|check|having)$`)

// closes is where what is done ends on its line.
var closes = lazyregexp.New(`(?:\s*(?:\}?\s*\b(?:else|ELSE|END)\b.*|\}|\bend\b|,))+$`)

// opens is what may stand between a condition and what is done.
var opens = lazyregexp.New(`^(?:[)\s{:,]|=>|->|then\b|THEN\b|do\b)*`)

// behind returns the first statement behind a condition of a unit, "" where its block holds
// none.
func (m *passage) behind(u code.Unit, c code.Condition) string {
	if filters().MatchString(c.Word) {
		return ""
	}
	rest, from := m.beside(u, c)
	if rest != "" {
		return statement(rest)
	}
	logged, depth := "", 0 // what is logged first, where nothing else is done
	for n := from + 1; n <= u.Last; n++ {
		switch does := m.does(n); {
		case does == "" || does == "{" || logged != "" && (m.depth(n) > depth || structure().MatchString(does) &&
			!departs().MatchString(does)):
		case m.depth(n) <= m.depth(c.Line) || another().MatchString(does):
			return logged
		case logs().MatchString(does):
			logged, depth = cmp.Or(logged, statement(does)), m.depth(n)
		default:
			return statement(m.stated(n)) + m.second(u, n)
		}
	}
	return logged
}

// stated returns the statement that begins in a line, with the lines within its brackets.
func (m *passage) stated(line int) string {
	does := m.does(line)
	for n := line + 1; brackets().MatchString(does) && n <= min(line+statementLines, len(m.lines)); n++ {
		if m.depth(n) < m.depth(line) && m.does(n) != "" {
			break
		}
		if does += " " + m.does(n); m.depth(n) == m.depth(line) && m.does(n) != "" {
			break
		}
	}
	return clipped(does)
}

// brackets is a line whose statement goes on within brackets; those of a block are not meant.
var brackets = lazyregexp.New(`[(\[]$|[(,] ?\{$|\(.*,$`)

// logs is a call that only tells people what is done; where other statements follow, they decide.
var logs = lazyregexp.New(`(?i)^(?:await )?(?:[\w.$@]*\blog(?:ger|ging)?(?:\(\))?\.\w+|console\.\w+|(?:tracing::|log::)?(?:trace|debug|info|warn|error)!` +
	`|e?print(?:ln|f)?!?|fmt\.print\w*|puts|system\.(?:out|err)\.\w+)\b`)

// second returns what is done behind the first statement of a block where both are whole, between the signs of
// code, or "".
func (m *passage) second(u code.Unit, first int) string {
	for n := first + 1; n <= u.Last; n++ {
		switch does := m.does(n); {
		case does == "":
		case m.depth(n) == m.depth(first) && step().MatchString(m.does(first)) && step().MatchString(does) &&
			!another().MatchString(does) && !opensBlock().MatchString(does):
			return "`, `" + statement(does)
		default:
			return ""
		}
	}
	return ""
}

// opensBlock is a line that another block hangs on, or that only ends one.
var opensBlock = lazyregexp.New(`^(?:if|for|while|unless|switch|match|try|begin|with|end|elsif|elif|rescue|except|ensure|finally` +
	`|catch|break)\b`)

// beside returns what stands behind a condition on its last line, without brackets.
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
